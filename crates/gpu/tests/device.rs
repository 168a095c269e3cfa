//! The kernels compile where NVRTC is, and play the games of the rules where a GPU is.

use nestling::Problem;
use nestling_gpu::{Device, GpuError, Nrpa, Playouts, Settings, compile, open};
use nestling_morpion::{Board, Variant};

/// A device, or nothing where there is none; any other reason is a failure.
fn device(variant: Variant) -> Option<Device> {
    match Device::open(0, variant) {
        Ok(device) => Some(device),
        Err(missing @ (GpuError::NoDriver | GpuError::NoDevice | GpuError::NoCompiler)) => {
            eprintln!("skipped: {missing}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_kernels_compile() {
    for variant in Variant::ALL {
        match compile(variant, (9, 0)) {
            Ok(ptx) => {
                assert!(["playouts", "replay", "nrpa", "inherit"].iter().all(|name| ptx.to_src().contains(name)))
            }
            Err(GpuError::NoCompiler) => return eprintln!("skipped: {}", GpuError::NoCompiler),
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

/// Mean scores of level 2 with a hundred iterations, over some thousand searches: 68.3 (5D) and 104.9 (5T).
#[test]
fn policy_adaptation_scores_as_it_should() {
    for (variant, mean) in [(Variant::FiveD, 68.3), (Variant::FiveT, 104.9)] {
        let Some(device) = device(variant) else { return };
        let board = Board::new(variant);
        let mut nrpa = Nrpa::new(&device, &board, Settings { level: 2, ..Settings::default() }).unwrap();
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

/// A search that was saved goes on elsewhere as if nothing had happened, whatever it is.
#[test]
fn searches_are_taken_up_again() {
    if device(Variant::FiveD).is_none() {
        return;
    }
    let board = Board::new(Variant::FiveD);
    for search in
        ["repeat(nrpa(3, iterations=7))", "repeat(5000, nrpa(2, iterations=4))", "repeat(nrpa(1))", "repeat(playout)"]
    {
        let machine = || open(&board, &search.parse().unwrap(), 5).unwrap();
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
    let mut machine = open(&board, &"repeat(5000, nrpa(2, iterations=10))".parse().unwrap(), 5).unwrap();
    let mut playouts = 0;
    loop {
        let round = machine.round(u64::MAX).unwrap();
        playouts += round.playouts;
        let (score, game) = round.best.unwrap();
        assert_eq!(board.certify(&game).unwrap().score, score);
        if round.finished {
            break;
        }
    }
    assert_eq!(playouts, 500_000);
    let mut machine = open(&board, &"repeat(playout)".parse().unwrap(), 5).unwrap();
    assert_eq!(machine.round(1234).unwrap().playouts, 1234);
}

/// Runs that are divided among devices make the searches that they make on one.
#[test]
fn devices_divide_the_runs() {
    let Some(device) = device(Variant::FiveD) else { return };
    let board = Board::new(Variant::FiveD);
    let settings = Settings { level: 2, iterations: 10, runs: 1000, ..Settings::default() };
    let finished = |ends: &[u32]| {
        let (mut sum, mut first) = (vec![0; 256], 0);
        for &end in ends {
            let mut part = Nrpa::part(&device, &board, settings, first..end).unwrap();
            first = end;
            part.advance(20).unwrap();
            sum.iter_mut().zip(part.finished().unwrap()).for_each(|(sum, count)| *sum += count);
        }
        sum
    };
    assert_eq!(finished(&[1000]), finished(&[300, 1000]));
}
