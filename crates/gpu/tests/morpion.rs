//! The kernels compile where NVRTC is, and play the games of the rules where a GPU is.

use nestling::engine::Accelerator;
use nestling::search::Files;
use nestling::{Problem, Run, Ties, Weights};
use nestling_gpu::morpion::{NestedRuns, Nesting, NrpaRuns, NrpaSettings, Playouts, program};
use nestling_gpu::{Gpu, GpuError, compile, open};
use nestling_morpion::{Board, Line, Move, Variant};
use nestling_testing::{Need, skip};

/// A device, or nothing where there is none; any other reason is a failure.
pub fn device(variant: Variant) -> Option<Gpu> {
    match Gpu::open(0, &program(variant)) {
        Ok(device) => Some(device),
        Err(missing @ (GpuError::NoDriver | GpuError::NoDevice | GpuError::NoCompiler)) => {
            skip(Need::Gpu, &missing.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_kernels_compile() {
    for variant in Variant::ALL {
        match compile(&program(variant), (9, 0)) {
            Ok(ptx) => {
                let kernels = [
                    "playouts",
                    "weighted_playouts",
                    "replay",
                    "weighted_replay",
                    "nrpa",
                    "nrpa_trying",
                    "nested",
                    "pool",
                ];
                assert!(kernels.iter().all(|name| ptx.to_src().contains(&format!(".entry {name}("))))
            }
            Err(GpuError::NoCompiler) => return skip(Need::Nvrtc, &GpuError::NoCompiler.to_string()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Means of uniformly random games, over a million of them; the standard error is below 0.02.
#[test]
fn random_games_are_as_long_as_they_should_be() {
    for (variant, mean) in
        [(Variant::FiveT, 53.62), (Variant::FiveD, 42.90), (Variant::FourT, 37.19), (Variant::FourD, 24.06)]
    {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let mut playouts = Playouts::new(&device, &board).unwrap();
        let sample = playouts.play(7, 0, 1_000_000).unwrap();
        let found = sample.moves() as f64 / sample.games() as f64;
        assert!((found - mean).abs() < 0.08, "{variant}: {found}, not {mean}");
        assert_eq!(sample, playouts.play(7, 0, 1_000_000).unwrap(), "the same seed, the same games");
        assert!(board.certify(&sample.best).unwrap().terminal);
    }
}

/// Weighted games are as long as the processor's: under weights that differ from line to line, and under some that know a game. Standard
/// errors are below 0.03.
#[test]
fn weighted_games_are_those_of_the_processor() {
    for variant in [Variant::FiveD, Variant::FiveT, Variant::FourT] {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let known = Run::new(&board, "nested(1)".parse().unwrap()).seed(3).start().unwrap().moves().to_vec();
        let uneven =
            (0..Line::DENSE_CODES as u64).map(|code| (code, ((code * 2_654_435_761) >> 7 & 63) as f64 / 16.0 - 2.0));
        for weights in [uneven.collect(), Weights::towards(&board, &known)] {
            let processor =
                Run::new(&board, "mean(100000, playout(weights=w))".parse().unwrap()).weights("w", weights.clone());
            let mean = processor.threads(4).start().unwrap().score().unwrap();
            let sample = Playouts::weighted(&device, &board, &weights).unwrap().play(7, 0, 1_000_000).unwrap();
            let found = sample.moves() as f64 / sample.games() as f64;
            assert!((found - mean).abs() < 0.15, "{variant}: {found}, not {mean}");
            assert!(board.certify(&sample.best).unwrap().terminal);
        }
    }
}

#[test]
fn weights_are_not_too_large() {
    let Some(device) = device(Variant::FiveD) else { return };
    let weights: Weights = [(1, 2.0), (17, -61.0)].into_iter().collect();
    let error = Playouts::weighted(&device, &Board::new(Variant::FiveD), &weights).err().unwrap().to_string();
    assert!(error.starts_with("the weight -61 of code 17 is too large"), "{error}");
}

/// Means of nested searches, and how far those of 4,000 searches may lie from them: four standard errors or more. They are the processor's,
/// of 4,000 searches of level 1 and 500 of level 2, and for lines of five on level 2 the published ones.
#[test]
fn nested_search_scores_as_it_should() {
    let level = |level| Nesting { level, ..Nesting::default() };
    let forgetful = |level| Nesting { level, memory: false, ..Nesting::default() };
    let tied = |ties| Nesting { level: 1, ties, ..Nesting::default() };
    let expected = [
        (Variant::FiveD, level(1), 60.97, 0.12),
        (Variant::FiveD, tied(Ties::Last), 61.00, 0.12),
        (Variant::FiveD, tied(Ties::Random), 61.01, 0.12),
        (Variant::FiveD, forgetful(1), 58.33, 0.25),
        (Variant::FiveD, level(2), 66.58, 0.2),
        (Variant::FiveT, level(1), 84.58, 0.35),
        (Variant::FiveT, forgetful(1), 75.48, 0.5),
        (Variant::FiveT, level(2), 99.86, 0.4),
        (Variant::FourD, level(1), 30.99, 0.09),
        (Variant::FourD, level(2), 33.89, 0.09),
        (Variant::FourD, forgetful(2), 32.10, 0.25),
    ];
    for (variant, nesting, mean, slack) in expected {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let mut nested = NestedRuns::new(&device, &board, Nesting { searches: 4_000, ..nesting }).unwrap();
        while nested.collect().unwrap().searches < 4_000 {
            nested.advance(u64::MAX).unwrap();
        }
        let finished = nested.finished().unwrap();
        let count: u32 = finished.iter().sum();
        assert_eq!(count, 4_000);
        let sum: f64 = (0..).zip(&finished).map(|(length, &count)| f64::from(length) * f64::from(count)).sum();
        let (found, findings) = (sum / f64::from(count), nested.collect().unwrap().clone());
        assert!((found - mean).abs() < slack, "{variant} {nesting:?}: {found}, not {mean}");
        assert!(board.certify(&findings.best).unwrap().terminal);
        assert!(board.certify(&nested.result().unwrap()).unwrap().terminal);
    }
}

/// Mean scores of level 2 with a hundred iterations, over some thousand searches: 68.3 (5D) and 104.9 (5T).
#[test]
fn policy_adaptation_scores_as_it_should() {
    for (variant, mean) in [(Variant::FiveD, 68.3), (Variant::FiveT, 104.9)] {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let mut nrpa = NrpaRuns::new(&device, &board, NrpaSettings { level: 2, ..NrpaSettings::default() }).unwrap();
        nrpa.advance(100).unwrap();
        let finished = nrpa.finished().unwrap();
        let searches: u32 = finished.iter().sum();
        assert_eq!(searches, nrpa.settings().runs);
        let sum: f64 = (0..).zip(&finished).map(|(length, &count)| f64::from(length) * f64::from(count)).sum();
        let found = sum / f64::from(searches);
        assert!((found - mean).abs() < 0.6, "{variant}: {found}, not {mean}");
        assert!(board.certify(&nrpa.collect().unwrap().best).unwrap().terminal);
    }
}

fn machine(board: &Board, search: &str) -> Box<dyn Accelerator<Move>> {
    let weights: Weights = (0..4096).map(|code| (code, (code % 5) as f64)).collect();
    let files = Files { weights: [("w".to_owned(), weights.into())].into(), ..Files::default() };
    open(board, &search.parse().unwrap(), &files, 5).unwrap()
}

/// Several tries before each adapt give the processor's result.
#[test]
fn tries_score_as_on_the_processor() {
    for variant in [Variant::FiveD, Variant::FiveT] {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let settings = NrpaSettings { level: 1, iterations: 40, tries: 8, searches: 2_000, ..NrpaSettings::default() };
        let mut nrpa = NrpaRuns::new(&device, &board, settings).unwrap();
        while nrpa.collect().unwrap().searches < 2_000 {
            nrpa.advance(1).unwrap();
        }
        let finished = nrpa.finished().unwrap();
        let sum: f64 = (0..).zip(&finished).map(|(length, &count)| f64::from(length) * f64::from(count)).sum();
        let score = |seed| {
            let search = nestling::Search::nrpa(1).iterations(40).tries(8);
            nestling::Run::new(&board, search).seed(seed).start().unwrap().score().unwrap()
        };
        let expected = (0..1_000).map(score).sum::<f64>() / 1_000.0;
        let found = sum / 2_000.0;
        assert!((found - expected).abs() < 0.6, "{variant}: {found}, on the processor {expected}");
    }
}

/// A saved search continues on another machine as if nothing had happened. This holds for every kind of search.
#[test]
fn searches_are_taken_up_again() {
    if device(Variant::FiveD).is_none() {
        return;
    }
    let board = Board::new(Variant::FiveD);
    for search in [
        "repeat(nrpa(3, iterations=7))",
        "repeat(nrpa(3, iterations=4, tries=16))",
        "repeat(5000, nrpa(2, iterations=4))",
        "repeat(nrpa(1))",
        "repeat(playout)",
        "repeat(playout(weights=w))",
        "repeat(nested(1))",
        "repeat(60000, nested(1, memory=off, ties=random))",
        "repeat(nested(2))",
        "repeat(nested(3, ties=last))",
    ] {
        let machine = || machine(&board, search);
        let (mut whole, mut other) = (machine(), machine());
        for _ in 0..3 {
            whole.round(u64::MAX).unwrap();
        }
        other.restore(&whole.save().unwrap()).unwrap();
        for _ in 0..3 {
            let told = [&mut whole, &mut other].map(|machine| {
                let round = machine.round(u64::MAX).unwrap();
                // Of equally good games the one may have kept an older one; the driver knows which came first.
                (round.playouts, round.moves, round.best.map(|(score, _)| score), round.finished)
            });
            assert_eq!(told[0], told[1], "{search}");
        }
        assert!(whole.save().unwrap() == other.save().unwrap(), "{search}: other states");
    }
}

/// A counted number of searches is made, no more and no less, and a budget ends them early.
#[test]
fn searches_are_counted() {
    if device(Variant::FiveD).is_none() {
        return;
    }
    let board = Board::new(Variant::FiveD);
    assert_eq!(whole(&board, "repeat(5000, nrpa(2, iterations=10))").0, 500_000);
    for search in ["repeat(playout)", "repeat(playout(weights=w))", "repeat(nested(2))"] {
        assert_eq!(machine(&board, search).round(1234).unwrap().playouts, 1234);
    }
}

/// The playouts of a whole search, and its result.
fn whole(board: &Board, search: &str) -> (u64, Vec<Move>) {
    let (mut machine, mut playouts) = (machine(board, search), 0);
    loop {
        let round = machine.round(u64::MAX).unwrap();
        playouts += round.playouts;
        let best = round.best.unwrap();
        assert_eq!(board.certify(&best.1).unwrap().score, best.0);
        if round.finished {
            let (score, game) = machine.result().unwrap().unwrap_or_else(|| best.clone());
            assert_eq!(board.certify(&game).unwrap().score, score);
            assert!(score <= best.0);
            return (playouts, game);
        }
    }
}

/// Searches end, also if nothing or little is left to play.
#[test]
fn searches_end() {
    if device(Variant::FiveD).is_none() {
        return;
    }
    let mut board = Board::new(Variant::FiveD);
    let (_, game) = whole(&board, "repeat(5000, nested(1))");
    assert!((65..80).contains(&game.len()), "{}", game.len());
    game[..game.len() - 8].iter().for_each(|&played| board.play(played));
    for search in ["repeat(100, nested(3))", "repeat(100, nested(4, memory=off))"] {
        assert!(whole(&board, search).1.len() >= 8, "{search}");
    }
    game[game.len() - 8..].iter().for_each(|&played| board.play(played));
    for search in ["nested(1)", "repeat(nested(2))", "repeat(nested(1, memory=off))"] {
        assert_eq!(whole(&board, search), (0, Vec::new()), "{search}");
    }
    for search in ["nrpa(1)", "repeat(nrpa(2, iterations=10))", "repeat(nrpa(2, iterations=10, tries=4))"] {
        assert_eq!(whole(&board, search).1, [], "{search}");
    }
}

/// However the playouts are divided into rounds, the searches are the same.
#[test]
fn rounds_make_no_difference() {
    let Some(device) = device(Variant::FiveD) else { return };
    let board = Board::new(Variant::FiveD);
    let nesting = Nesting { level: 2, ties: Ties::Random, runs: 1000, ..Nesting::default() };
    let finish = |rounds: &[u64], ends: &[u32]| {
        let (mut all, mut first) = (Vec::new(), 0);
        for &end in ends {
            let mut part = NestedRuns::part(&device, &board, nesting, first..end).unwrap();
            first = end;
            for &playouts in rounds {
                part.advance(playouts).unwrap();
            }
            all.push(part.collect().unwrap().clone());
        }
        let longest = all.iter().map(|found| found.best.len()).max();
        (
            all.iter().map(|found| found.playouts).sum::<u64>(),
            all.iter().map(|found| found.played).sum::<u64>(),
            longest,
        )
    };
    let whole = finish(&[2_000_000], &[1000]);
    assert_eq!(whole.0, 2_000_000);
    assert_eq!(finish(&[700_000, 3_000, 1_297_000], &[1000]), whole);
    assert_eq!(finish(&[2_000_000], &[300, 1000]), whole);
}

/// Runs that are divided among devices make the searches that they make on one.
#[test]
fn devices_divide_the_runs() {
    let Some(device) = device(Variant::FiveD) else { return };
    let board = Board::new(Variant::FiveD);
    let settings = NrpaSettings { level: 2, iterations: 10, runs: 1000, ..NrpaSettings::default() };
    let finished = |ends: &[u32]| {
        let (mut sum, mut first) = (vec![0; 256], 0);
        for &end in ends {
            let mut part = NrpaRuns::part(&device, &board, settings, first..end).unwrap();
            first = end;
            part.advance(20).unwrap();
            sum.iter_mut().zip(part.finished().unwrap()).for_each(|(sum, count)| *sum += count);
        }
        sum
    };
    assert_eq!(finished(&[1000]), finished(&[300, 1000]));
}
