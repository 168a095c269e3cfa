//! Rounds in which contestants take turns.

use std::time::{Duration, Instant};

use anyhow::Result;
use cpu_time::ProcessTime;

/// Rounds at most; more would not make a median steadier.
const MOST: u64 = 401;

/// The subject of a measurement.
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
pub(super) struct RoundBudget {
    /// No round begins after this time, except the first `least`.
    pub time: Duration,
    /// The number of rounds that are always made.
    pub least: u64,
}

/// A contestant: does the work of a round with this seed, and returns the moves played.
pub(super) type Contestant<'a> = Box<dyn Fn(u64) -> Result<u64> + 'a>;

/// The result of a contestant.
pub(super) struct ContestantResult {
    /// Nanoseconds per move, the median of the rounds.
    pub time: f64,
    /// The first contestant's time over this one's.
    pub ratio: Ratio,
}

/// The median of the ratios of the rounds, with its 95 % confidence interval, for which six rounds are needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub median: f64,
    pub interval: Option<(f64, f64)>,
}

impl Ratio {
    fn of(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        let last = numbers.len() - 1;
        let interval = outside(numbers.len()).map(|outside| (numbers[outside], numbers[last - outside]));
        Ratio { median: median(numbers), interval }
    }

    /// The same, seen from the other side.
    pub fn inverse(self) -> Self {
        Ratio { median: 1.0 / self.median, interval: self.interval.map(|(low, high)| (1.0 / high, 1.0 / low)) }
    }
}

/// How many of n sorted numbers may be left out at each end, so that the others still contain the median of their distribution with a
/// probability of 95 %: with k left out, they do not with probability 2 P(B(n, 1/2) ≤ k). Of fewer than six numbers even all have a smaller
/// probability.
fn outside(count: usize) -> Option<usize> {
    let (mut place, mut probability, mut sum) = (0usize, 0.5f64.powi(i32::try_from(count).unwrap_or(i32::MAX)), 0.0);
    loop {
        sum += probability;
        if sum > 0.025 {
            return place.checked_sub(1);
        }
        place += 1;
        probability *= (count + 1 - place) as f64 / place as f64;
    }
}

/// Compares the contestants, all of them in every round: on a shared machine what disturbs one disturbs the others too, and
/// their ratio is steadier than their times. Another one begins each round, so that none falls into step with the system. `round` hears of every round that begins.
pub(super) fn compare(
    clock: Clock,
    effort: RoundBudget,
    contestants: &[Contestant<'_>],
    round: impl Fn(u64),
) -> Result<Vec<ContestantResult>> {
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
    Ok(times.iter().map(|own| ContestantResult { time: median(own.clone()), ratio: Ratio::of(ratios(own)) }).collect())
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

    /// The ranks of the sign test, as tables of it have them: 1 of 6, 2 of 10, 6 of 20, 40 of 100.
    #[test]
    fn intervals_have_the_ranks_of_the_sign_test() {
        assert_eq!([1, 3, 5].map(outside), [None; 3]);
        assert_eq!([6, 8, 9, 10, 20, 100].map(outside), [0, 0, 1, 1, 5, 39].map(Some));
        let ratio = Ratio::of((1..=10).map(f64::from).collect());
        assert_eq!(ratio, Ratio { median: 5.5, interval: Some((2.0, 9.0)) });
        assert_eq!(ratio.inverse(), Ratio { median: 1.0 / 5.5, interval: Some((1.0 / 9.0, 0.5)) });
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
        let effort = RoundBudget { time: Duration::ZERO, least: 2 };
        let standings = compare(Clock::Processor, effort, &[contestant('a'), contestant('b')], |_| ()).unwrap();
        assert_eq!(*log.borrow(), [('a', 0), ('b', 0), ('b', 1), ('a', 1)]);
        assert_eq!((standings.len(), standings[0].ratio), (2, Ratio { median: 1.0, interval: None }));
    }
}
