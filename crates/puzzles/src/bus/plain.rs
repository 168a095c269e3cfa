//! The same days minute by minute, with every passenger counted: what the quick simulator is compared with.

use nestling::{Problem, Stream};

use super::{Bus, BusLine, PARKED};

/// A bus, by where it is.
#[derive(Clone, Copy)]
enum BusPlace {
    /// At a terminal since a minute.
    Parked(u16, u16),
    /// At a stop until a minute.
    Stopped(u16, u16),
    /// On the way to a stop until a minute.
    Riding(u16, u16),
}

/// The cost of a day on which the waits are decided in this order.
fn cost(day: &Bus, waits: &mut impl Iterator<Item = u8>) -> f64 {
    let (line, world) = (&*day.line, &*day.world);
    let terminal = |stop: u16| stop == 0 || stop == line.stops / 2;
    let mut buses: Vec<BusPlace> =
        (0..line.buses).map(|bus| BusPlace::Parked(if bus % 2 == 0 { 0 } else { line.stops / 2 }, 0)).collect();
    let mut waiting = vec![0; usize::from(line.stops)];
    let mut cost = 0;
    let ride = |stop: u16, minute: u16| BusPlace::Riding((stop + 1) % line.stops, minute + world.ride(stop, minute));
    for minute in 0..line.end {
        for bus in &mut buses {
            if let BusPlace::Stopped(stop, until) = *bus
                && until == minute
            {
                *bus = ride(stop, minute);
            }
            if let BusPlace::Riding(stop, until) = *bus
                && until == minute
            {
                let mut wait = || if minute < line.begin { 1 } else { waits.next().unwrap() };
                *bus = if terminal(stop) {
                    BusPlace::Parked(stop, minute)
                } else {
                    BusPlace::Stopped(stop, minute + u16::from(wait()))
                };
            }
        }
        if minute % line.interval == 0 {
            for terminal in [0, line.stops / 2] {
                let parked = |bus: &&mut BusPlace| matches!(bus, BusPlace::Parked(stop, _) if *stop == terminal);
                let since = |bus: &&mut BusPlace| if let BusPlace::Parked(_, since) = **bus { since } else { PARKED };
                if let Some(bus) = buses.iter_mut().filter(parked).min_by_key(since) {
                    *bus = ride(terminal, minute);
                }
            }
        }
        for stop in (0..line.stops).filter(|&stop| !terminal(stop)) {
            let waiting: &mut u32 = &mut waiting[usize::from(stop)];
            if buses.iter().any(|bus| matches!(bus, BusPlace::Stopped(at, _) if *at == stop)) {
                *waiting = 0;
                continue;
            }
            cost += if minute >= line.begin { u64::from(*waiting) } else { 0 };
            *waiting += world.came(stop, minute + 1) - world.came(stop, minute);
        }
    }
    assert!(waits.next().is_none(), "all decisions are made");
    cost as f64 / 1000.0
}

#[test]
fn the_quick_simulator_counts_as_the_plain_one() {
    let small = BusLine { stops: 8, buses: 5, interval: 3, travel: (1, 2), begin: 30, end: 60, ..BusLine::default() };
    let crowded = BusLine { buses: 40, interval: 2, longest_wait: 9, passengers: 1, ..BusLine::default() };
    let later = BusLine { stops: 70, buses: 20, interval: 20, travel: (2, 15), end: 500, ..BusLine::default() };
    for line in [BusLine::default(), small, crowded, later, BusLine { begin: 0, ..BusLine::default() }] {
        for seed in 0..20 {
            let start = Bus::new(line.clone(), seed).unwrap();
            let (mut day, mut moves, mut played) = (start.clone(), Vec::new(), Vec::new());
            let rng = &mut Stream::new(seed).child(1).rng();
            loop {
                day.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                played.push(moves[rng.below(moves.len())]);
                day.play(played[played.len() - 1]);
            }
            assert_eq!(day.score(), cost(&start, &mut played.iter().copied()), "{line:?}, seed {seed}");
        }
    }
}
