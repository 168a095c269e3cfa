//! Rounds in which contestants take turns.

use std::time::{Duration, Instant};

use anyhow::Result;
use cpu_time::ProcessTime;

/// Rounds at most; more would not make a median steadier.
const MOST: u64 = 401;

/// What is measured.
#[derive(Clone, Copy)]
pub(super) enum Clock {
    /// The time this program had a processor: other programs do not count.
    Processor,
    /// The time on the wall, for work on several threads.
    Wall,
}

impl Clock {
    /// Nanoseconds per move of a round.
    fn time(self, contestant: &Contestant<'_>, seed: u64) -> Result<f64> {
        let (wall, processor) = (Instant::now(), ProcessTime::try_now()?);
        let moves = contestant(seed)?;
        let time = match self {
            Clock::Processor => processor.try_elapsed()?,
            Clock::Wall => wall.elapsed(),
        };
        Ok(time.as_secs_f64() * 1e9 / moves.max(1) as f64)
    }
}

/// How long contestants are compared.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// No round begins after this time …
    pub time: Duration,
    /// … but for the first few.
    pub least: u64,
}

/// One who does the work of a round, whose seed it gets; the moves played.
pub(super) type Contestant<'a> = Box<dyn Fn(u64) -> Result<u64> + 'a>;

/// What a contestant came to.
pub(super) struct Standing {
    /// Nanoseconds per move, the median of the rounds.
    pub time: f64,
    /// The first contestant's time over this one's, the median of the rounds.
    pub ratio: f64,
}

/// Compares the contestants, all of them in every round: on a shared machine what disturbs one disturbs the others too, and
/// their ratio is steadier than their times. Another one begins each round, so that none falls into step with the system. `round` hears of every round that begins.
pub(super) fn compare(
    clock: Clock,
    effort: Effort,
    contestants: &[Contestant<'_>],
    round: impl Fn(u64),
) -> Result<Vec<Standing>> {
    let began = Instant::now();
    let mut times = vec![Vec::new(); contestants.len()];
    for seed in 0..MOST {
        if seed >= effort.least && began.elapsed() >= effort.time {
            break;
        }
        round(seed + 1);
        for turn in 0..contestants.len() {
            let index = (seed as usize + turn) % contestants.len();
            times[index].push(clock.time(&contestants[index], seed)?);
        }
    }
    let ratios = |own: &[f64]| times[0].iter().zip(own).map(|(first, own)| first / own).collect();
    Ok(times.iter().map(|own| Standing { time: median(own.clone()), ratio: median(ratios(own)) }).collect())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let (low, high) = (numbers[(numbers.len() - 1) / 2], numbers[numbers.len() / 2]);
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_rounds() {
        assert_eq!(median(vec![3.0, 1.0, 9.0]), 3.0);
        assert_eq!(median(vec![3.0, 1.0, 9.0, 4.0]), 3.5);
    }

    #[test]
    fn contestants_take_turns_with_the_same_seeds() {
        let log = std::cell::RefCell::new(Vec::new());
        let contestant = |name: char| -> Contestant<'_> {
            let log = &log;
            Box::new(move |seed| {
                log.borrow_mut().push((name, seed));
                Ok(1)
            })
        };
        let effort = Effort { time: Duration::ZERO, least: 2 };
        let standings = compare(Clock::Processor, effort, &[contestant('a'), contestant('b')], |_| ()).unwrap();
        assert_eq!(*log.borrow(), [('a', 0), ('b', 0), ('b', 1), ('a', 1)]);
        assert_eq!((standings.len(), standings[0].ratio), (2, 1.0));
    }
}
