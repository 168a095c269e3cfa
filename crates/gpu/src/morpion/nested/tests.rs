use nestling::Problem;
use nestling_morpion::Variant;
use nestling_testing::{Need, skip};

use super::*;
use crate::morpion::layout::Start;
use crate::morpion::program;

/// Legal moves are in the order that the library has them in, so that the first of equals is the same.
#[test]
fn moves_are_in_order() {
    for variant in Variant::ALL {
        let device = match Gpu::open(0, &program(variant)) {
            Ok(device) => device,
            Err(missing @ (GpuError::NoDriver | GpuError::NoDevice | GpuError::NoCompiler)) => {
                return skip(Need::Gpu, &missing.to_string());
            }
            Err(error) => panic!("{error}"),
        };
        let start = Board::new(variant);
        let mut nested =
            NestedRuns::new(&device, &start, Nesting { level: 2, runs: 500, ..Nesting::default() }).unwrap();
        nested.advance(u64::MAX).unwrap();
        nested.advance(u64::MAX).unwrap();
        let (levels, best) = (device.download(&nested.levels).unwrap(), device.download(&nested.best).unwrap());
        let positions = device.download(&nested.positions).unwrap();
        let (mut legal, mut longest) = (Vec::new(), 0);
        for (place, level) in levels.iter().enumerate().filter(|(_, level)| **level != IDLE) {
            let played = nested.tally.start.decode(&best[place * LONGEST..][..level.played as usize]);
            let mut board = start.clone();
            played.iter().for_each(|&played| board.play(played));
            board.legal_moves(&mut legal);
            let words = &positions[place * POSITION..][..POSITION];
            let listed: Vec<u32> =
                words[TRACKS..].iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
            assert_eq!(nested.tally.start.decode(&listed[..listed[SLOTS] as usize]), legal, "{variant}, {played:?}");
            assert_eq!(words[..TRACKS], Start::new(&board).unwrap().words, "{variant}, {played:?}");
            longest = longest.max(played.len());
        }
        assert!(longest > 15, "{variant}: {longest}");
    }
}
