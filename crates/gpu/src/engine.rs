//! Search expressions on all GPUs of a machine, for the driver.

use nestling::{Accelerator, Kind, Problem, Round, Search, Weights};
use nestling_morpion::{Board, Move};

use crate::device::{Device, GpuError, TRIES, available};
use crate::machine::Machine;
use crate::nested::{Nested, Nesting};
use crate::nrpa::{Nrpa, Settings};
use crate::playouts::Playouts;

/// Games of a device in a round.
const GAMES: u64 = 1 << 22;

/// The highest level; each of NRPA needs 24 KB for every run.
const HIGHEST: u32 = 8;

/// What GPUs can make of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Plan {
    Playouts { games: u64, weights: Option<String> },
    Nested(Nesting),
    Nrpa(Settings),
}

/// Whether GPUs can make a search.
///
/// ```
/// assert!(nestling_gpu::check(&"repeat(nrpa(3, alpha=0.5))".parse()?).is_ok());
/// assert!(nestling_gpu::check(&"repeat(nested(2, memory=off))".parse()?).is_ok());
/// assert!(nestling_gpu::check(&"uct(1000)".parse()?).unwrap_err().starts_with("a GPU cannot make uct(1000)"));
/// # Ok::<(), nestling::ParseError>(())
/// ```
///
/// # Errors
///
/// When they cannot: what they can make, in words.
pub fn check(search: &Search) -> Result<(), String> {
    plan(search).map(drop).ok_or_else(|| {
        format!(
            "a GPU cannot make {search}; it can make nrpa(level) with iterations=, alpha= and tries= up to {TRIES}, nested(level) with memory= and \
             ties=, both up to level {HIGHEST}, and playout, also with weights=; once or as repeat(search) or repeat(n, search)"
        )
    })
}

fn plan(search: &Search) -> Option<Plan> {
    let (times, inner) = match &search.kind {
        // What is inside is then complete in itself.
        Kind::Repeat { .. } => match search.core().kind {
            Kind::Repeat { times, search } => (times.unwrap_or(u64::MAX), *search),
            _ => return None,
        },
        _ => (1, search.clone()),
    };
    if inner.games.policy.as_deref().is_some_and(|name| name != "uniform") {
        return None;
    }
    match &inner.kind {
        Kind::Playout => Some(Plan::Playouts { games: times, weights: inner.games.weights }),
        _ if inner.games.weights.is_some() => None,
        &Kind::Nested { level, memory, ties } if (1..=HIGHEST).contains(&level) => {
            Some(Plan::Nested(Nesting { level, memory, ties, searches: times, ..Nesting::default() }))
        }
        &Kind::Nrpa { level, iterations, alpha, tries, warm: None } if (1..=HIGHEST).contains(&level) => {
            let iterations = u32::try_from(iterations).ok()?;
            let tries = u32::try_from(tries).ok().filter(|tries| *tries <= TRIES)?;
            Some(Plan::Nrpa(Settings {
                level,
                iterations,
                alpha: alpha as f32,
                tries,
                searches: times,
                ..Settings::default()
            }))
        }
        _ => None,
    }
}

/// Opens all GPUs for a search from a position, with the weights that it mentions.
///
/// # Errors
///
/// When the search is none that [`check`] allows, weights are missing or too large, or the devices cannot be used.
pub fn open(
    board: &Board,
    search: &Search,
    weights: &[(String, Weights)],
    seed: u64,
) -> Result<Box<dyn Accelerator<Move>>, GpuError> {
    let plan = plan(search).ok_or_else(|| GpuError::Search(search.to_string()))?;
    let devices =
        (0..available()?).map(|number| Device::open(number, board.variant())).collect::<Result<Vec<_>, _>>()?;
    Ok(match plan {
        Plan::Playouts { games, weights: None } => {
            Box::new(Games::new(&devices, board, &Weights::default(), games, seed)?)
        }
        Plan::Playouts { games, weights: Some(name) } => {
            let given = weights.iter().find(|(given, _)| *given == name);
            let (_, weights) = given.ok_or(GpuError::MissingWeights(name))?;
            Box::new(Games::new(&devices, board, weights, games, seed)?)
        }
        Plan::Nested(nesting) => Box::new(Machine::<Nested>::new(devices, board, Nesting { seed, ..nesting })?),
        Plan::Nrpa(settings) => Box::new(Machine::<Nrpa>::new(devices, board, Settings { seed, ..settings })?),
    })
}

/// Playouts.
struct Games {
    parts: Vec<Playouts>,
    games: u64,
    seed: u64,
    score: f64,
    next: u64,
}

impl Games {
    fn new(devices: &[Device], board: &Board, weights: &Weights, games: u64, seed: u64) -> Result<Self, GpuError> {
        let parts =
            devices.iter().map(|device| Playouts::weighted(device, board, weights)).collect::<Result<_, _>>()?;
        Ok(Games { parts, games, seed, score: board.score(), next: 0 })
    }
}

impl Accelerator<Move> for Games {
    fn round(&mut self, left: u64) -> Result<Round<Move>, String> {
        let mut round = Round { playouts: 0, moves: 0, best: None, finished: false };
        for part in &mut self.parts {
            let games = (left - round.playouts).min(self.games - self.next).min(GAMES);
            if games == 0 {
                break;
            }
            let sample = part.play(self.seed, self.next, games as u32).map_err(|error| error.to_string())?;
            self.next += games;
            round.playouts += games;
            round.moves += sample.moves();
            let score = self.score + sample.best.len() as f64;
            if round.best.as_ref().is_none_or(|(best, _)| score > *best) {
                round.best = Some((score, sample.best));
            }
        }
        round.finished = self.next == self.games;
        Ok(round)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.next.to_le_bytes().to_vec())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let next = state.try_into().ok().map(u64::from_le_bytes).filter(|next| *next <= self.games);
        self.next = next.ok_or_else(|| GpuError::State("it is of another search".to_owned()).to_string())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use nestling::Ties;

    use super::*;

    fn playouts(games: u64, weights: Option<&str>) -> Plan {
        Plan::Playouts { games, weights: weights.map(str::to_owned) }
    }

    #[test]
    fn expressions_are_understood() {
        let of = |text: &str| plan(&text.parse().unwrap());
        let nrpa = Settings { level: 4, ..Settings::default() };
        assert_eq!(of("repeat(nrpa(4))"), Some(Plan::Nrpa(nrpa)));
        let small = Settings { level: 2, iterations: 30, alpha: 0.5, searches: 7, ..Settings::default() };
        assert_eq!(of("repeat(7, nrpa(2, iterations=30, alpha=0.5))"), Some(Plan::Nrpa(small)));
        let trying = Settings { level: 4, tries: 16, ..Settings::default() };
        assert_eq!(of("repeat(nrpa(4, tries=16))"), Some(Plan::Nrpa(trying)));
        assert_eq!(of("nrpa(4)"), Some(Plan::Nrpa(Settings { searches: 1, ..nrpa })));
        assert_eq!(of("repeat(playout(uniform))"), Some(playouts(u64::MAX, None)));
        assert_eq!(of("repeat(1000, playout)"), Some(playouts(1000, None)));
        assert_eq!(of("repeat(playout(weights=a))"), Some(playouts(u64::MAX, Some("a"))));
        assert_eq!(of("repeat(7, playout, weights=a)"), Some(playouts(7, Some("a"))));
        assert_eq!(of("repeat(playout(weights=a), weights=b)"), Some(playouts(u64::MAX, Some("a"))));
        let nesting = Nesting { level: 2, memory: false, ties: Ties::Last, searches: 3, ..Nesting::default() };
        assert_eq!(of("repeat(3, nested(2, memory=off, ties=last))"), Some(Plan::Nested(nesting)));
        assert_eq!(of("nested(1)"), Some(Plan::Nested(Nesting { level: 1, searches: 1, ..Nesting::default() })));
        for other in [
            "nested(0)",
            "nested(9)",
            "nested(1, weights=a)",
            "repeat(nested(1), playout=mobility)",
            "repeat(2, repeat(3, nested(1)))",
            "nrpa(0)",
            "nrpa(9)",
            "nrpa(2, tries=17)",
            "nrpa(2, warm=a)",
            "nrpa(2, weights=a)",
            "repeat(playout(mobility))",
            "uct(100)",
        ] {
            assert_eq!(of(other), None, "{other}");
            assert!(check(&other.parse().unwrap()).unwrap_err().contains(other));
        }
    }
}
