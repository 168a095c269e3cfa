//! Lazy nested search, written out plainly from its definition, finds the same games as the library.

use crate::common::{LeftMove, Maze, Order, Weather, run};
use crate::papers::{Game, after, legal, playout};
use nestling::{Goal, Problem, Stream};

#[derive(Clone, Copy, Debug)]
struct Lazy {
    samples: u64,
    ratio: f64,
    memory: bool,
    ties: &'static str,
}

impl Lazy {
    /// A whole game; before each move the step's best result, which must be better than the best sequence so far to replace it.
    fn game<P: Problem>(&self, level: u32, start: &P, stream: Stream) -> Game<P::Move> {
        if level == 0 {
            return playout(start, stream, legal);
        }
        let (mut state, mut played) = (start.clone(), Vec::new());
        let mut best: Option<Game<P::Move>> = None;
        while !legal(&state).is_empty() {
            let found = self.step(level, &state, stream.child(played.len() as u64));
            best = match best {
                Some(best) if self.memory && !state.goal().better(found.0, best.0) => Some(best),
                _ => Some(found),
            };
            let next = best.as_mut().expect("just set").1.remove(0);
            state.play(next);
            played.push(next);
        }
        (state.score(), played)
    }

    fn step<P: Problem>(&self, level: u32, state: &P, stream: Stream) -> Game<P::Move> {
        let (goal, moves) = (state.goal(), legal(state));
        let mut results = Vec::new();
        let mut means = Vec::new();
        for (place, &played) in moves.iter().enumerate() {
            let (samples, own) = (self.samples, stream.child(place as u64));
            let games: Vec<_> = match level {
                1 => vec![playout(&after(state, played), own, legal)],
                _ => (0..samples).map(|number| playout(&after(state, played), own.child(number), legal)).collect(),
            };
            means.push(games.iter().map(|game| game.0).sum::<f64>() / games.len() as f64);
            results.push(games.into_iter().reduce(|best, game| if goal.better(game.0, best.0) { game } else { best }));
        }
        let mut results: Vec<Game<P::Move>> = results.into_iter().flatten().collect();
        let average = means.iter().sum::<f64>() / means.len() as f64;
        let best = means.iter().copied().reduce(|a, b| goal.best(a, b)).expect("there is a move");
        let wanted = average + self.ratio * (best - average);
        let is_promising = |place: &usize| goal.reaches(means[*place], wanted) || means[*place] == best;
        let promising = (0..moves.len()).filter(is_promising).filter(|_| level > 1);
        for (number, place) in promising.enumerate() {
            let own = stream.child((moves.len() + number) as u64);
            let game = self.game(level - 1, &after(state, moves[place]), own);
            if goal.better(game.0, results[place].0) {
                results[place] = game;
            }
        }
        let place = self.taken(&results, goal, stream);
        let (score, rest) = &results[place];
        (*score, [&[moves[place]], &rest[..]].concat())
    }

    /// The place of the best result, by the rule for ties.
    fn taken<M>(&self, results: &[Game<M>], goal: Goal, stream: Stream) -> usize {
        let best = results.iter().map(|game| game.0).reduce(|a, b| goal.best(a, b)).expect("there is a result");
        let mut equal = results.iter().enumerate().filter(|(_, game)| game.0 == best).map(|(place, _)| place);
        match self.ties {
            "first" => equal.next().expect("one is the best"),
            "last" => equal.next_back().expect("one is the best"),
            _ => {
                let is_taken = |place: u64, tied| tied == 1 || stream.own().child(place).rng().below(tied) == 0;
                let taken = equal.zip(1..).filter(|&(place, tied)| is_taken(place as u64, tied)).last();
                taken.expect("the first is taken").0
            }
        }
    }
}

#[track_caller]
fn agrees<P: Problem>(problem: &P, level: u32, lazy: Lazy) {
    let Lazy { samples, ratio, memory, ties } = lazy;
    let memory = if memory { "on" } else { "off" };
    let search = format!("lazy({level}, samples={samples}, ratio={ratio}, memory={memory}, ties={ties})");
    for seed in 0..10 {
        let (score, moves) = lazy.game(level, problem, Stream::new(seed));
        let outcome = run(problem, &search, seed).start().expect("the run is valid");
        assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
    }
}

/// Levels 0 to 3, with and without memory, by each rule for ties, for scores to be maximised and minimised.
#[test]
fn lazy_is_its_definition() {
    for level in 0..=3 {
        let depth = if level == 3 { 7 } else { 10 };
        for (samples, ratio) in [(1, 0.0), (4, 0.0), (3, 0.4), (2, 1.0), (70, 0.2)] {
            for (memory, ties) in [(true, "first"), (false, "last"), (true, "random")] {
                let lazy = Lazy { samples, ratio, memory, ties };
                agrees(&Maze::new(5, depth, Goal::Max), level, lazy);
                agrees(&Maze::new(6, depth, Goal::Min), level, lazy);
                agrees(&LeftMove::new(6), level, lazy);
            }
        }
    }
}

/// Level 1 is that of `nested`.
#[test]
fn level_1_is_nested() {
    for seed in 0..10 {
        let moves = |search| run(&Order::new(), search, seed).start().expect("the run is valid").moves().to_vec();
        assert_eq!(moves("lazy(1, playout=both)"), moves("nested(1, playout=both)"));
    }
}

/// With a ratio of 1 only the best is searched, unless several are equally good; with 0 about half of the moves.
#[test]
fn the_ratio_decides_how_much_is_searched() {
    let playouts = |search: &str| run(&Maze::new(3, 12, Goal::Max), search, 1).start().expect("valid").counts.playouts;
    let nested = playouts("nested(3)");
    let (all, half, one) = (playouts("lazy(3, ratio=0)"), playouts("lazy(3, ratio=0.5)"), playouts("lazy(3, ratio=1)"));
    assert!(one < half && half < all && all < nested, "{one}, {half}, {all}, {nested}");
}

/// A search that estimates decides among the promising moves alone: a lucky game of their playouts is no estimate.
#[test]
fn estimates_are_not_compared_with_games() {
    let weather = Weather::new(3, 8);
    for seed in 0..10 {
        let own = Stream::new(seed);
        let outcome = run(&weather, "step(promising(mean(6, playout), ratio=1), memory=off)", seed).start();
        let first = outcome.expect("the run is valid").moves()[0];
        let mean = |place: usize| -> f64 {
            let (next, stream) = (after(&weather, place as u8), own.child(0).child(place as u64));
            (0..4).map(|number| playout(&next, stream.child(number), legal).0).sum()
        };
        let best = (0..3).min_by(|&a, &b| mean(a).total_cmp(&mean(b))).expect("three moves");
        assert_eq!(usize::from(first), best, "seed {seed}");
    }
}
