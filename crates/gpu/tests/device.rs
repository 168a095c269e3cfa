//! The kernels compile where NVRTC is, and play the games of the rules where a GPU is.

use nestling::Problem;
use nestling_gpu::{Device, GpuError, Nrpa, Playouts, Settings, compile};
use nestling_morpion::{Board, Variant};

/// A device, or nothing where there is none; any other reason is a failure.
fn device(variant: Variant) -> Option<Device> {
    match Device::open(0, variant) {
        Ok(device) => Some(device),
        Err(missing @ (GpuError::NoDriver | GpuError::NoCompiler)) => {
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
            Ok(ptx) => assert!(["playouts", "replay", "nrpa"].iter().all(|name| ptx.to_src().contains(name))),
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
        assert!(board.certify(&nrpa.best().unwrap()).unwrap().terminal);
    }
}
