//! Pools of games on a GPU, where there is one.

use nestling::Problem;
use nestling::engine::Accelerator;
use nestling_gpu::morpion::Pools;
use nestling_gpu::pool::Pooling;
use nestling_gpu::{Gpu, Machine, Part};
use nestling_morpion::{Board, Variant};

use crate::morpion::device;

/// Few games between two orders and small pools, so that everything happens often.
const SMALL: Pooling = Pooling {
    games: u64::MAX,
    window: 20.0,
    cycle: 1_280_000,
    changes: 10,
    skew: 10,
    ends: 0.08,
    size: 3_000,
    patience: 2,
    starts: 100,
    runs: 24,
    searches: u64::MAX,
    seed: 5,
};

/// The scores of so many searches of so many games.
fn results(device: &Gpu, board: &Board, pooling: Pooling) -> Vec<u32> {
    let mut pools = Pools::new(device, board, pooling).unwrap();
    while pools.collect().unwrap().searches < pooling.searches {
        pools.advance(u64::MAX).unwrap();
    }
    let progress = pools.collect().unwrap();
    assert_eq!(progress.playouts, pooling.searches * pooling.games);
    assert!(board.certify(&progress.best).unwrap().terminal);
    let finished = pools.finished().unwrap();
    assert_eq!(finished.iter().rposition(|&count| count > 0), Some(pools.collect().unwrap().best.len()));
    finished
}

fn mean(results: &[u32]) -> f64 {
    let sum: f64 = (0..).zip(results).map(|(score, &count)| f64::from(score) * f64::from(count)).sum();
    sum / f64::from(results.iter().sum::<u32>())
}

/// Every game of a pool is a game, and no two have the same dots.
#[test]
fn pools_have_complete_and_different_games() {
    for variant in Variant::ALL {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let mut pools = Pools::new(&device, &board, Pooling { runs: 3, ..SMALL }).unwrap();
        for _ in 0..5 {
            pools.advance(u64::MAX).unwrap();
        }
        let best = pools.collect().unwrap().best.len();
        for run in 0..3 {
            let games = pools.games(run).unwrap();
            assert!((1_000..=3_000).contains(&games.len()) || variant == Variant::FourD, "{variant}: {}", games.len());
            let mut dots = std::collections::HashSet::new();
            for game in &games {
                assert!(board.certify(game).unwrap().terminal, "{variant}");
                assert!(game.len() <= best);
                let mut of_game: Vec<_> = game.iter().map(|played| (played.dot().x, played.dot().y)).collect();
                of_game.sort_unstable();
                assert!(dots.insert(of_game), "{variant}: two games with the same dots");
            }
        }
    }
}

/// Searches of 50,000 games have the scores of the processor, over 1,000 of them: its means of 200 searches are 71.52 ± 0.18 and
/// 112.89 ± 0.64.
#[test]
fn pools_score_as_on_the_processor() {
    for (variant, expected, slack) in [(Variant::FiveD, 71.52, 0.8), (Variant::FiveT, 112.89, 2.6)] {
        let Some(device) = device(variant) else { return };
        let pooling = Pooling { games: 50_000, cycle: 256_000, size: 2_000, searches: 1_000, ..Pooling::default() };
        let found = mean(&results(&device, &Board::new(variant), pooling));
        assert!((found - expected).abs() < slack, "{variant}: {found}, not {expected}");
    }
}

/// The same seed gives the same searches, however they are divided into launches and among devices.
#[test]
fn the_same_seed_gives_the_same_searches() {
    let Some(device) = device(Variant::FiveT) else { return };
    let board = Board::new(Variant::FiveT);
    let play = |rounds: &[u64], ends: &[u32]| {
        let (mut states, mut first) = (Vec::new(), 0);
        for &end in ends {
            let mut part = Pools::part(&device, &board, SMALL, first..end).unwrap();
            first = end;
            for &games in rounds {
                part.advance(games * 24).unwrap();
            }
            states.extend(part.save().unwrap());
        }
        states
    };
    let whole = play(&[2_048 * 60], &[24]);
    assert!(whole == play(&[2_048 * 60], &[24]), "the same launch");
    assert!(whole == play(&[2_048 * 60], &[7, 24]), "two devices");
    let other = Pools::part(&device, &board, Pooling { seed: 6, ..SMALL }, 0..24);
    let mut other = other.unwrap();
    other.advance(2_048 * 60 * 24).unwrap();
    assert!(whole != other.save().unwrap(), "another seed");
}

/// Pools that begin with a known game have it at once, and every search begins with it again; one that was saved too.
#[test]
fn pools_begin_with_known_games() {
    let Some(device) = device(Variant::FiveT) else { return };
    let board = Board::new(Variant::FiveT);
    let mut published = nestling_morpion::published().into_iter();
    let known = published.find(|record| record.id == "rosin178").unwrap().reading.game.moves;
    let pooling = Pooling { cycle: 128_000, patience: 1, games: 2_148, ..SMALL };
    let machine = || Machine::<Pools>::new(vec![device.clone()], &board, pooling).unwrap();
    let mut begun = machine().beginning_with(vec![known.clone(), known[..100].to_vec()]).unwrap();
    let round = begun.round(u64::MAX).unwrap();
    assert_eq!(round.best.map(|(score, _)| score), Some(178.0));
    let mut pools = Pools::new(&device, &board, pooling).unwrap();
    pools.begin_with(&[known]).unwrap();
    pools.advance(u64::MAX).unwrap();
    let finished = pools.finished().unwrap();
    assert!(finished[178] > 24 && finished.iter().sum::<u32>() == finished[178], "every search has it");
}

/// A saved search continues on another machine as if nothing had happened.
#[test]
fn pools_are_taken_up_again() {
    let Some(device) = device(Variant::FiveT) else { return };
    let board = Board::new(Variant::FiveT);
    let pooling = Pooling { cycle: 128_000, ..SMALL };
    let machine = || Machine::<Pools>::new(vec![device.clone()], &board, pooling).unwrap();
    let (mut whole, mut other) = (machine(), machine());
    for _ in 0..5 {
        whole.round(u64::MAX).unwrap();
    }
    other.restore(&whole.save().unwrap()).unwrap();
    for _ in 0..5 {
        let told = [&mut whole, &mut other].map(|machine| {
            let round = machine.round(u64::MAX).unwrap();
            (round.playouts, round.moves, round.best.map(|(score, _)| score), round.finished)
        });
        assert_eq!(told[0], told[1]);
    }
    let saved = whole.save().unwrap();
    assert!(saved == other.save().unwrap(), "other states");
    for end in [0, 10, saved.len() / 2, saved.len() - 1] {
        assert!(machine().restore(&saved[..end]).is_err());
    }
}

/// A budget ends searches after the generations in which it is used up; a counted number of searches is made.
#[test]
fn searches_are_counted_and_end() {
    let Some(device) = device(Variant::FiveD) else { return };
    let mut board = Board::new(Variant::FiveD);
    let pooling = Pooling { games: 20_000, searches: 50, ..SMALL };
    let mut machine = Machine::<Pools>::new(vec![device.clone()], &board, pooling).unwrap();
    let played = machine.round(50 * 5_000).unwrap().playouts;
    assert!((50 * 5_000..50 * (5_000 + 2_048)).contains(&played), "{played}");
    let results = results(&device, &board, pooling);
    assert_eq!(results.iter().sum::<u32>(), 50);
    // A search that finds nothing better gives up.
    let impatient = Pooling { cycle: 12_800, patience: 1, runs: 4, searches: 4, ..SMALL };
    let mut machine = Machine::<Pools>::new(vec![device.clone()], &board, impatient).unwrap();
    let mut round = machine.round(u64::MAX).unwrap();
    while !round.finished {
        round = machine.round(u64::MAX).unwrap();
    }
    let (score, game) = round.best.unwrap();
    assert_eq!(board.certify(&game).unwrap().score, score);
    game.iter().for_each(|&played| board.play(played));
    let mut machine = Machine::<Pools>::new(vec![device], &board, SMALL).unwrap();
    let round = machine.round(u64::MAX).unwrap();
    assert!(round.finished);
    assert_eq!(round.best.unwrap().1, []);
}

/// Good games are reported once, and the best of every search.
#[test]
fn good_games_are_told_of_once() {
    let Some(device) = device(Variant::FiveD) else { return };
    let board = Board::new(Variant::FiveD);
    let mut pools = Pools::new(&device, &board, SMALL).unwrap();
    let (mut keys, mut searches, mut again) = (std::collections::HashSet::new(), std::collections::HashMap::new(), 0);
    for _ in 0..60 {
        pools.advance(u64::MAX).unwrap();
        pools.collect().unwrap();
        for found in pools.finds(68.0).unwrap() {
            assert!(found.score >= 68.0 && found.score == found.moves.len() as f64);
            assert!(board.certify(&found.moves).unwrap().terminal);
            let best = searches.entry(found.search).or_insert(0.0_f64);
            let is_better = found.score > *best;
            *best = best.max(found.score);
            let is_new = keys.insert(board.key(&found.moves));
            assert!(is_new || is_better, "told of twice, and not the best of its search");
            again += u32::from(!is_new);
        }
    }
    assert!(keys.len() > 1_000 && searches.len() >= 20, "{} games, {} searches", keys.len(), searches.len());
    println!("{} games of {} searches, {again} of them found by two", keys.len(), searches.len());
}
