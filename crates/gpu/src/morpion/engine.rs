//! Which search expressions the kernels make, and the accelerator for each.

use nestling::engine::{Accelerator, Round};
use nestling::search::{self, Files, Playout, Repeat, Replay};
use nestling::{Search, Suggestion, Ties, Weights};
use nestling_morpion::{Board, Move};

use super::{NestedRuns, Nesting, NrpaRuns, NrpaSettings, Playouts, Pools, TRIES, program, score};
use crate::pool::Pooling;
use crate::{Gpu, GpuError, Kernels, Machine, Program};

/// Games of a device in a round.
const GAMES: u64 = 1 << 22;

/// The highest level; each of NRPA needs 24 KB for every run.
const HIGHEST: u32 = 8;

/// An expression as the kernels search it.
#[derive(Clone, Debug, PartialEq)]
enum KernelPlan {
    Playouts {
        games: u64,
        weights: Option<String>,
    },
    Nested(Nesting),
    Nrpa(NrpaSettings),
    /// With the file of games that every pool begins with.
    Pool(Pooling, Option<String>),
}

fn plan(search: &Search) -> Option<KernelPlan> {
    let (times, inner) = match search.is_of::<Repeat>() {
        // What is inside is then complete in itself.
        true => (search.optional_integer("count").unwrap_or(u64::MAX), search.core().inner()[0].clone()),
        false => (1, search.clone()),
    };
    if inner.games.policy.as_deref().is_some_and(|name| name != "uniform") {
        return None;
    }
    if inner.is_of::<Playout>() {
        return Some(KernelPlan::Playouts { games: times, weights: inner.games.weights });
    }
    if inner.games.weights.is_some() {
        return None;
    }
    if inner.is_of::<search::Pool>() {
        return pooling(&inner).map(|(pooling, games)| KernelPlan::Pool(Pooling { searches: times, ..pooling }, games));
    }
    let level = || u32::try_from(inner.integer("level")).ok().filter(|level| (1..=HIGHEST).contains(level));
    // An option that the kernels do not know is refused, not ignored: `known` has all they know.
    if inner.is_of::<search::Nested>() {
        let (level, memory, ties) = (level()?, inner.is_on("memory"), Ties::of(&inner));
        let known = Search::nested(level).memory(memory).ties(ties).played_by(inner.games.clone());
        if inner != known {
            return None;
        }
        return Some(KernelPlan::Nested(Nesting { level, memory, ties, searches: times, ..Nesting::default() }));
    }
    if inner.is_of::<search::Nrpa>() {
        let [iterations, tries] = ["iterations", "tries"].map(|name| u32::try_from(inner.integer(name)).ok());
        let (level, iterations, tries) = (level()?, iterations?, tries.filter(|tries| *tries <= TRIES)?);
        let alpha = inner.number("alpha");
        let known = Search::nrpa(level).iterations(iterations.into()).alpha(alpha).tries(tries.into());
        if inner != known.played_by(inner.games.clone()) {
            return None;
        }
        return Some(KernelPlan::Nrpa(NrpaSettings {
            level,
            iterations,
            alpha: alpha as f32,
            tries,
            searches: times,
            ..NrpaSettings::default()
        }));
    }
    None
}

/// The options of a `pool` that begins with random games, or with those of a file.
fn pooling(search: &Search) -> Option<(Pooling, Option<String>)> {
    let is_uniform = |first: &Search| {
        let policy = first.games.policy.as_deref();
        first.games.weights.is_none() && policy.is_none_or(|name| name == "uniform")
    };
    let games = match search.inner().first() {
        None => None,
        Some(first) if first.is_of::<Playout>() && is_uniform(first) => None,
        Some(first) if first.is_of::<Replay>() && is_uniform(first) => first.file("games").map(str::to_owned),
        Some(_) => return None,
    };
    let small = |name: &str| u32::try_from(search.integer(name)).ok();
    let pooling = Pooling {
        games: search.optional_integer("games").unwrap_or(u64::MAX),
        window: search.number("window"),
        cycle: search.integer("cycle"),
        changes: small("changes")?,
        skew: small("skew")?,
        ends: search.number("ends"),
        size: small("size")?,
        patience: search.integer("patience"),
        starts: search.integer("starts"),
        ..Pooling::default()
    };
    Some((pooling, games))
}

impl Kernels for Board {
    fn program(&self) -> Program {
        program(self.variant())
    }

    fn default_gpu_search() -> Suggestion {
        let reason =
            "as many pools at once as the GPU holds; sooner at 82 moves of 5D and at long games of 5T than NRPA";
        Suggestion::new(Search::of::<search::Pool>().forever(), reason)
    }

    fn supports(search: &Search) -> Result<(), String> {
        plan(search).map(drop).ok_or_else(|| {
            format!(
                "GPUs do not support {search}; they support nrpa(level) with iterations=, alpha= and tries= up to {TRIES}, nested(level) with memory= and \
                 ties=, both up to level {HIGHEST}, pool(n) without first= or with first=replay(FILE), and playout, also with weights=; once or as repeat(search) or \
                 repeat(n, search)"
            )
        })
    }

    fn start(
        &self,
        devices: Vec<Gpu>,
        search: &Search,
        files: &Files<Move>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<Move>>, GpuError> {
        Ok(match plan(search).ok_or_else(|| GpuError::Search(search.to_string()))? {
            KernelPlan::Playouts { games, weights: None } => {
                Box::new(PlayoutRounds::new(&devices, self, &Weights::default(), games, seed)?)
            }
            KernelPlan::Playouts { games, weights: Some(name) } => {
                let weights = files.weights.get(&name).ok_or_else(|| GpuError::MissingWeights(name.clone()))?;
                if weights.network().is_some() {
                    return Err(GpuError::Network(name));
                }
                Box::new(PlayoutRounds::new(&devices, self, weights, games, seed)?)
            }
            KernelPlan::Nested(nesting) => {
                Box::new(Machine::<NestedRuns>::new(devices, self, Nesting { seed, ..nesting })?)
            }
            KernelPlan::Pool(pooling, file) => {
                let games = file.map(|name| files.games.get(&name).ok_or(GpuError::MissingGames(name))).transpose()?;
                let machine = Machine::<Pools>::new(devices, self, Pooling { seed, ..pooling })?;
                Box::new(machine.beginning_with(games.map_or_else(Vec::new, |games| games.to_vec()))?)
            }
            KernelPlan::Nrpa(settings) => {
                Box::new(Machine::<NrpaRuns>::new(devices, self, NrpaSettings { seed, ..settings })?)
            }
        })
    }
}

/// Playouts.
struct PlayoutRounds {
    parts: Vec<Playouts>,
    games: u64,
    seed: u64,
    start: Board,
    next: u64,
}

impl PlayoutRounds {
    fn new(devices: &[Gpu], board: &Board, weights: &Weights, games: u64, seed: u64) -> Result<Self, GpuError> {
        let parts =
            devices.iter().map(|device| Playouts::weighted(device, board, weights)).collect::<Result<_, _>>()?;
        Ok(PlayoutRounds { parts, games, seed, start: board.clone(), next: 0 })
    }
}

impl Accelerator<Move> for PlayoutRounds {
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
            let score = score(&self.start, &sample.best);
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
        self.next = next.ok_or_else(|| GpuError::State("it belongs to another search".to_owned()).to_string())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playouts(games: u64, weights: Option<&str>) -> KernelPlan {
        KernelPlan::Playouts { games, weights: weights.map(str::to_owned) }
    }

    #[test]
    fn expressions_are_understood() {
        let of = |text: &str| plan(&text.parse().unwrap());
        let nrpa = NrpaSettings { level: 4, ..NrpaSettings::default() };
        assert_eq!(of("repeat(nrpa(4))"), Some(KernelPlan::Nrpa(nrpa)));
        let small = NrpaSettings { level: 2, iterations: 30, alpha: 0.5, searches: 7, ..NrpaSettings::default() };
        assert_eq!(of("repeat(7, nrpa(2, iterations=30, alpha=0.5))"), Some(KernelPlan::Nrpa(small)));
        let trying = NrpaSettings { level: 4, tries: 16, ..NrpaSettings::default() };
        assert_eq!(of("repeat(nrpa(4, tries=16))"), Some(KernelPlan::Nrpa(trying)));
        assert_eq!(of("nrpa(4)"), Some(KernelPlan::Nrpa(NrpaSettings { searches: 1, ..nrpa })));
        assert_eq!(of("repeat(playout(uniform))"), Some(playouts(u64::MAX, None)));
        assert_eq!(of("repeat(1000, playout)"), Some(playouts(1000, None)));
        assert_eq!(of("repeat(playout(weights=a))"), Some(playouts(u64::MAX, Some("a"))));
        assert_eq!(of("repeat(7, playout, weights=a)"), Some(playouts(7, Some("a"))));
        assert_eq!(of("repeat(playout(weights=a), weights=b)"), Some(playouts(u64::MAX, Some("a"))));
        let nesting = Nesting { level: 2, memory: false, ties: Ties::Last, searches: 3, ..Nesting::default() };
        assert_eq!(of("repeat(3, nested(2, memory=off, ties=last))"), Some(KernelPlan::Nested(nesting)));
        assert_eq!(of("nested(1)"), Some(KernelPlan::Nested(Nesting { level: 1, searches: 1, ..Nesting::default() })));
        assert_eq!(of("repeat(pool)"), Some(KernelPlan::Pool(Pooling::default(), None)));
        let small = Pooling { games: 5_000, window: 7.5, size: 100, searches: 1, ..Pooling::default() };
        assert_eq!(of("pool(5000, window=7.5, size=100, first=playout)"), Some(KernelPlan::Pool(small, None)));
        assert_eq!(
            of("repeat(pool(first=replay(a.psol)))"),
            Some(KernelPlan::Pool(Pooling::default(), Some("a.psol".to_owned())))
        );
        for other in [
            "pool(first=nrpa(2))",
            "pool(first=playout(weights=a))",
            "pool(10, weights=a)",
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
            assert!(Board::supports(&other.parse().unwrap()).unwrap_err().contains(other));
        }
    }
}
