//! The games of a generation: played while the pool is frozen, on one thread or several, and entered in the order of their numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::entries::Entries;
use super::{PoolSettings, PoolState};
use crate::playout::PlayoutPolicy;
use crate::priority::{Follower, Priorities};
use crate::problem::{Goal, Move, Problem};
use crate::search::{FrameCheck, ILLEGAL, Task, require};
use crate::stream::{Rng, Stream};
use crate::watch::Watch;

/// How many games a thread takes at a time.
const BLOCK: u64 = 16;

/// The results of games, in the order of their numbers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Finds<M> {
    games: Vec<GenerationGame>,
    /// The moves of those that are to be entered.
    moves: Vec<M>,
}

/// A game.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct GenerationGame {
    number: u64,
    /// The entry that it followed; none if it searched the ending of one.
    parent: Option<u32>,
    score: f64,
    length: u32,
    /// If it is to be entered: its key, and the number of its moves.
    entered: Option<(u64, u32)>,
}

impl<M> Default for Finds<M> {
    fn default() -> Self {
        Finds { games: Vec::new(), moves: Vec::new() }
    }
}

impl<M: Move> Finds<M> {
    fn clear(&mut self) {
        self.games.clear();
        self.moves.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Whether these can be games up to number `played` that follow entries of a pool of this size.
    pub fn check(&self, played: u64, entries: usize, is_game: impl Fn(&[M]) -> bool) -> FrameCheck {
        let follows = |game: &GenerationGame| game.parent.is_none_or(|parent| (parent as usize) < entries);
        let fit = |game: &GenerationGame| game.number < played && !game.score.is_nan() && follows(game);
        require(self.games.iter().all(fit), "the games of its generation are impossible")?;
        let moves_of = |game: &GenerationGame| {
            let moves = self.moves.get(game.entered?.1 as usize..)?;
            moves.get(..game.length as usize)
        };
        let is_legal = |game: &GenerationGame| game.entered.is_none() || moves_of(game).is_some_and(&is_game);
        require(self.games.iter().all(is_legal), ILLEGAL)
    }

    /// The key and the moves of a game that is to be entered.
    fn entered(&self, game: &GenerationGame) -> Option<(u64, &[M])> {
        game.entered.map(|(key, from)| (key, &self.moves[from as usize..][..game.length as usize]))
    }

    fn add(&mut self, game: &GenerationGame, entered: Option<(u64, &[M])>) {
        let entered = entered.map(|(key, moves)| {
            self.moves.extend_from_slice(moves);
            (key, (self.moves.len() - moves.len()) as u32)
        });
        self.games.push(GenerationGame { entered, ..*game });
    }
}

/// The state that all games of a generation share.
struct Frozen<'a, P: Problem> {
    plan: &'a PoolSettings<'a, P>,
    entries: &'a Entries<P::Move>,
    order: &'a [u32],
    targets: &'a [u32],
    stream: Stream,
    state: &'a P,
    goal: Goal,
    /// The worst score that is entered, on a scale where larger is better.
    worst: f64,
    watch: &'a Watch<'a>,
}

/// The threads that play.
pub(super) struct GenerationWorkers<'a, P: Problem> {
    state: &'a P,
    workers: Vec<Worker<'a, P>>,
}

struct Worker<'a, P: Problem> {
    follower: Follower<'a, P>,
    demoted: Vec<usize>,
    finds: Finds<P::Move>,
}

impl<'a, P: Problem> GenerationWorkers<'a, P> {
    pub fn new(state: &'a P, policy: &'a PlayoutPolicy, threads: usize) -> Self {
        let worker = || Worker { follower: Follower::new(state, policy), demoted: Vec::new(), finds: Finds::default() };
        GenerationWorkers { state, workers: std::iter::repeat_with(worker).take(threads.max(1)).collect() }
    }

    /// Plays the next `count` games, or fewer if the run is told to stop.
    pub fn play(
        &mut self,
        plan: &PoolSettings<'_, P>,
        task: &Task<'_, P::Move>,
        stream: Stream,
        this: &PoolState<P::Move>,
        count: u64,
    ) {
        let goal = task.goal();
        let frozen = Frozen {
            plan,
            entries: &this.entries,
            order: &this.order,
            targets: &this.targets,
            stream,
            state: self.state,
            goal,
            worst: this.entries.best(goal) - plan.window(this.played),
            watch: task.watch,
        };
        let (next, end) = (AtomicU64::new(this.played), this.played + count);
        match &mut self.workers[..] {
            [alone] => alone.work(&frozen, &next, end),
            several => rayon::scope(|scope| {
                for worker in several {
                    scope.spawn(|_| worker.work(&frozen, &next, end));
                }
            }),
        }
    }
}

impl<P: Problem> Worker<'_, P> {
    /// Plays blocks of games that no other thread has taken.
    fn work(&mut self, frozen: &Frozen<'_, P>, next: &AtomicU64, end: u64) {
        self.finds.clear();
        loop {
            let begin = next.fetch_add(BLOCK, Ordering::Relaxed);
            for number in begin..end.min(begin + BLOCK) {
                if frozen.watch.reason().is_some() || !self.one(frozen, number) {
                    return;
                }
            }
            if begin + BLOCK >= end {
                return;
            }
        }
    }

    /// Plays one game; false if it was stopped.
    fn one(&mut self, frozen: &Frozen<'_, P>, number: u64) -> bool {
        let stream = frozen.stream.child(number);
        let mut rng = stream.own().rng();
        self.demoted.clear();
        let (parent, kept) = frozen.choose(&mut rng);
        if parent.is_some() {
            let draws = 2 + rng.below(frozen.plan.changes - 1);
            self.demoted.extend((0..draws).map(|_| rng.below(kept.len())));
        }
        let priorities = Priorities { parent: kept, demoted: &self.demoted, stream };
        let Ok((score, length)) = self.follower.play(&priorities, Some(frozen.watch)) else { return false };
        let mut game = GenerationGame { number, parent, score, length: length as u32, entered: None };
        if frozen.goal.value(score) >= frozen.worst {
            let from = self.finds.moves.len();
            self.follower.moves(&mut self.finds.moves);
            game.entered = Some((frozen.state.key(&self.finds.moves[from..]), from as u32));
        }
        self.finds.games.push(game);
        true
    }
}

impl<P: Problem> Frozen<'_, P> {
    /// The entry to follow and its moves; or, with no entry, the beginning of a game whose ending is searched.
    fn choose(&self, rng: &mut Rng) -> (Option<u32>, &[P::Move]) {
        if rng.unit() < self.plan.ends && !self.targets.is_empty() {
            let moves = self.entries.moves(self.targets[rng.below(self.targets.len())]);
            let kept = moves.len() - 1 - rng.below((moves.len() / 4).max(1));
            return (None, &moves[..kept]);
        }
        let unit = rng.unit();
        let skewed = (0..self.plan.skew).fold(1.0, |power, _| power * unit);
        let place = (skewed * self.order.len() as f64) as usize;
        let parent = self.order[place.min(self.order.len() - 1)];
        (Some(parent), self.entries.moves(parent))
    }
}

impl<M: Move> PoolState<M> {
    /// Counts the games that were played, in their order, up to the first that is missing or reaches the target.
    pub(super) fn count<P: Problem<Move = M>>(
        &mut self,
        task: &Task<'_, M>,
        search: u64,
        workers: &mut GenerationWorkers<'_, P>,
    ) {
        let mut done = vec![0; workers.workers.len()];
        while let Some((worker, place)) = workers.workers.iter().zip(&mut done).find_map(|(worker, place)| {
            let next = worker.finds.games.get(*place)?;
            (next.number == self.played).then_some((worker, place))
        }) {
            let game = worker.finds.games[*place];
            *place += 1;
            let entered = worker.finds.entered(&game);
            let news = entered.filter(|_| self.tally.is_news(task.goal(), game.score));
            if news.is_some() {
                self.gained = self.played;
            }
            task.shared.show(game.score);
            self.tally.count(task, 1, game.length.into(), news.map(|(_, moves)| (game.score, moves)));
            self.finds.add(&game, entered);
            self.played += 1;
            if task.reached(game.score) {
                // It will not enter the pool any more, so it is reported here.
                entered.iter().for_each(|(_, moves)| task.find(search, game.score, moves));
                return;
            }
        }
    }

    /// Enters the results of a complete generation, and reports new games that are to be kept.
    pub(super) fn merge(&mut self, task: &Task<'_, M>, search: u64, size: usize) {
        let goal = task.goal();
        for game in &self.finds.games {
            if let Some(parent) = game.parent {
                self.entries.visit(parent);
            }
            if let Some((key, moves)) = self.finds.entered(game)
                && self.entries.enter(goal, key, game.score, moves)
            {
                task.find(search, game.score, moves);
                if let Some(parent) = game.parent {
                    self.entries.renew(parent);
                }
            }
        }
        self.finds.clear();
        if self.entries.len() > size {
            let moved = self.entries.shrink(goal, size - size / 8);
            for places in [&mut self.order, &mut self.targets] {
                *places = places.iter().filter_map(|&place| moved[place as usize]).collect();
            }
        }
    }
}
