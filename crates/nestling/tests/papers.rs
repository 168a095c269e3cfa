//! The papers' pseudo-code, written out plainly, finds the same games as the library, move for move.
//!
//! The plain versions share nothing with the library but the streams: sub-task i of a task draws from `child(i)`.

use crate::common::{LeftMove, Maze, Order, Weather, run};
use nestling::{Goal, Problem, Stream};

/// The score of a game, and its moves.
pub type Game<M> = (f64, Vec<M>);

/// The legal moves of a state.
pub fn legal<P: Problem>(state: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves
}

/// The state after a move.
pub fn after<P: Problem>(state: &P, played: P::Move) -> P {
    let mut next = state.clone();
    next.play(played);
    next
}

/// A playout that draws among the moves that `choose` leaves.
pub fn playout<P: Problem>(start: &P, stream: Stream, choose: impl Fn(&P) -> Vec<P::Move>) -> Game<P::Move> {
    let (mut state, mut game, mut rng) = (start.clone(), Vec::new(), stream.rng());
    loop {
        let moves = choose(&state);
        if moves.is_empty() {
            return (state.score(), game);
        }
        let played = moves[rng.below(moves.len())];
        state.play(played);
        game.push(played);
    }
}

fn most_mobile<P: Problem>(state: &P) -> Vec<P::Move> {
    let moves = legal(state);
    let mobility = |&played: &P::Move| legal(&after(state, played)).len();
    let most = moves.iter().map(mobility).max();
    moves.into_iter().filter(|played| Some(mobility(played)) == most).collect()
}

/// `nested` of *Nested Monte-Carlo Search*, with the memory and the rule for ties left open.
fn nested<P: Problem>(level: u32, memory: bool, ties: &str, start: &P, stream: Stream) -> Game<P::Move> {
    if level == 0 {
        return playout(start, stream, legal);
    }
    let goal = start.goal();
    let mut node = start.clone();
    let mut best: Option<Game<P::Move>> = None;
    let mut ply = 0;
    loop {
        let moves = legal(&node);
        if moves.is_empty() {
            return (node.score(), best.map_or(Vec::new(), |(_, sequence)| sequence));
        }
        let step = stream.child(ply as u64);
        let mut step_best: Option<Game<P::Move>> = None;
        let mut tied = 1;
        for (index, &played) in moves.iter().enumerate() {
            let (result, rest) = nested(level - 1, memory, ties, &after(&node, played), step.child(index as u64));
            let takes = match &step_best {
                None => true,
                Some((score, _)) if *score == result => {
                    tied += 1;
                    match ties {
                        "first" => false,
                        "last" => true,
                        _ => step.own().child(index as u64).rng().below(tied) == 0,
                    }
                }
                Some((score, _)) => goal.better(result, *score),
            };
            if step_best.as_ref().is_none_or(|(score, _)| goal.better(result, *score)) {
                tied = 1;
            }
            if takes {
                let sequence = best.as_ref().map_or(&[][..], |(_, sequence)| &sequence[..ply]);
                step_best = Some((result, [sequence, &[played], &rest].concat()));
            }
        }
        let step_best = step_best.expect("there is a move");
        if !memory || best.as_ref().is_none_or(|(score, _)| goal.better(step_best.0, *score)) {
            best = Some(step_best);
        }
        node.play(best.as_ref().expect("just set").1[ply]);
        ply += 1;
    }
}

#[track_caller]
fn agrees<P: Problem>(problem: &P, search: &str, plain: impl Fn(&P, Stream) -> Game<P::Move>) {
    for seed in 0..12 {
        let (score, moves) = plain(problem, Stream::new(seed));
        let outcome = run(problem, search, seed).start().expect("the run is valid");
        assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
    }
}

/// Nested search of levels 0 to 3 is the paper's, with and without memory, by each rule for ties.
#[test]
fn nested_is_the_papers() {
    for level in 0..=3 {
        for memory in [true, false] {
            for ties in ["first", "random", "last"] {
                let search = format!("nested({level}, memory={}, ties={ties})", if memory { "on" } else { "off" });
                let depth = if level == 3 { 7 } else { 11 };
                agrees(&Maze::new(5, depth, Goal::Max), &search, |p, s| nested(level, memory, ties, p, s));
                agrees(&Maze::new(6, depth, Goal::Min), &search, |p, s| nested(level, memory, ties, p, s));
                agrees(&LeftMove::new(6), &search, |p, s| nested(level, memory, ties, p, s));
            }
        }
    }
}

/// The program of *Reflexive Monte-Carlo Search*, its names and arrays, for a problem whose score is the game's length.
struct Paper<'a, P: Problem> {
    initial_board: &'a P,
    games: u64,
    meta_games: u64,
    prefix: Vec<P::Move>,
    previous_best_score: i64,
    best_variation: Vec<P::Move>,
    meta_prefix: Vec<P::Move>,
    previous_meta_best_score: i64,
    best_meta_variation: Vec<P::Move>,
}

impl<'a, P: Problem> Paper<'a, P> {
    fn new(initial_board: &'a P, games: u64, meta_games: u64) -> Self {
        Paper {
            initial_board,
            games,
            meta_games,
            prefix: Vec::new(),
            previous_best_score: 0,
            best_variation: Vec::new(),
            meta_prefix: Vec::new(),
            previous_meta_best_score: 0,
            best_meta_variation: Vec::new(),
        }
    }

    fn play_game(&self, board: &P, stream: Stream) -> (i64, Vec<P::Move>) {
        let (_, variation) = playout(board, stream, legal);
        (variation.len() as i64, variation)
    }

    fn find_best_move(&mut self, stream: Stream) -> Option<P::Move> {
        let mut best = self.previous_best_score - 1;
        if best > 0 {
            self.best_variation.remove(0);
        }
        let mut board = self.initial_board.clone();
        self.prefix.iter().for_each(|&played| board.play(played));
        if legal(&board).is_empty() {
            return None;
        }
        for number in 0..self.games {
            let (length, variation) = self.play_game(&board, stream.child(number));
            if length > best {
                best = length;
                self.best_variation = variation;
            }
        }
        self.previous_best_score = best;
        Some(self.best_variation[0])
    }

    fn play_meta_game(&mut self, stream: Stream) -> i64 {
        self.previous_best_score = 0;
        let begin = self.prefix.len();
        while let Some(played) = self.find_best_move(stream.child((self.prefix.len() - begin) as u64)) {
            self.prefix.push(played);
        }
        self.prefix.len() as i64
    }

    fn find_best_meta_move(&mut self, stream: Stream) -> Option<P::Move> {
        let mut best = self.previous_meta_best_score - 1;
        if best > 0 {
            self.best_meta_variation.remove(0);
        }
        for number in 0..self.meta_games {
            self.prefix = self.meta_prefix.clone();
            let length = self.play_meta_game(stream.child(number)) - self.meta_prefix.len() as i64;
            if length > best {
                best = length;
                self.best_meta_variation = self.prefix[self.meta_prefix.len()..].to_vec();
            }
        }
        self.previous_meta_best_score = best;
        if best <= 0 { None } else { Some(self.best_meta_variation[0]) }
    }

    fn play_meta_meta_game(&mut self, stream: Stream) -> Vec<P::Move> {
        while let Some(played) = self.find_best_meta_move(stream.child(self.meta_prefix.len() as u64)) {
            self.meta_prefix.push(played);
        }
        self.meta_prefix.clone()
    }
}

/// `reflexive(100, 10)` and the plain pseudo-code of the paper agree move for move; so do other counts.
#[test]
fn reflexive_is_the_papers() {
    for maze in [Maze::longest(3, 12), Maze::longest(4, 9)] {
        for (games, meta_games) in [(100, 10), (3, 7), (1, 1)] {
            agrees(&maze, &format!("reflexive({games}, {meta_games})"), |maze, stream| {
                let moves = Paper::new(maze, games, meta_games).play_meta_meta_game(stream);
                (moves.len() as f64, moves)
            });
        }
        for games in [1, 10, 200] {
            agrees(&maze, &format!("reflexive({games})"), |maze, stream| {
                let mut paper = Paper::new(maze, games, 0);
                (paper.play_meta_game(stream) as f64, paper.prefix)
            });
        }
    }
}

/// The same for any number of levels and any score: "all the meta-levels above the ground level use a very similar code".
fn meta_game<P: Problem>(counts: &[u64], start: &P, stream: Stream) -> Game<P::Move> {
    let Some((&count, below)) = counts.split_last() else { return playout(start, stream, legal) };
    let (mut state, mut prefix) = (start.clone(), Vec::new());
    let mut memory: Option<Game<P::Move>> = None;
    while !legal(&state).is_empty() {
        let step = stream.child(prefix.len() as u64);
        for number in 0..count {
            let game = meta_game(below, &state, step.child(number));
            if memory.as_ref().is_none_or(|(best, _)| state.goal().better(game.0, *best)) {
                memory = Some(game);
            }
        }
        let played = memory.as_mut().expect("a game was played").1.remove(0);
        state.play(played);
        prefix.push(played);
    }
    (state.score(), prefix)
}

/// Three levels of reflexive search, on scores to be maximised and minimised, are three levels of the same code.
#[test]
fn reflexive_has_any_number_of_levels() {
    for counts in [&[3, 4, 5][..], &[2, 1, 3], &[2, 2, 2, 2]] {
        let search = format!("reflexive({})", counts.iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
        agrees(&Maze::longest(8, 7), &search, |maze, stream| meta_game(counts, maze, stream));
        agrees(&Maze::new(8, 7, Goal::Min), &search, |maze, stream| meta_game(counts, maze, stream));
        agrees(&LeftMove::new(5), &search, |problem, stream| meta_game(counts, problem, stream));
    }
}

/// A mobility playout draws among the moves that lead to the most moves.
#[test]
fn mobility_keeps_the_most_mobile_moves() {
    agrees(&Maze::new(2, 12, Goal::Max), "playout(mobility)", |maze, stream| playout(maze, stream, most_mobile));
    agrees(&Maze::longest(9, 12), "step(repeat(4, playout), playout=mobility)", |maze, stream| {
        let mut state = maze.clone();
        let mut memory = (f64::NEG_INFINITY, Vec::new());
        let mut game = Vec::new();
        while !legal(&state).is_empty() {
            for number in 0..4 {
                let found = playout(&state, stream.child(game.len() as u64).child(number), most_mobile);
                if found.0 > memory.0 {
                    memory = found;
                }
            }
            game.push(memory.1.remove(0));
            state.play(game[game.len() - 1]);
        }
        (state.score(), game)
    });
}

/// `mean` redraws before every game and decides by the average; without memory each step follows its own decision.
#[test]
fn mean_averages_over_redrawn_worlds() {
    agrees(&Weather::new(3, 8), "step(lookahead(mean(6, playout)), memory=off)", |weather, stream| {
        let (mut state, mut game) = (weather.clone(), Vec::new());
        while !legal(&state).is_empty() {
            let mut best = (f64::INFINITY, 0);
            for (index, played) in legal(&state).into_iter().enumerate() {
                let estimate = (0..6).map(|number| {
                    let stream = stream.child(game.len() as u64).child(index as u64).child(number);
                    let mut redrawn = after(&state, played);
                    redrawn.redraw(&mut stream.own().rng());
                    playout(&redrawn, stream, legal).0
                });
                let mean = estimate.sum::<f64>() / 6.0;
                if mean < best.0 {
                    best = (mean, played);
                }
            }
            state.play(best.1);
            game.push(best.1);
        }
        (state.score(), game)
    });
}

/// `dfs` is plain recursion over all games: the first of the best, every game counted, and proven.
#[test]
fn dfs_looks_at_every_game() {
    fn games<P: Problem>(state: &P, path: &mut Vec<P::Move>, all: &mut Vec<Game<P::Move>>) {
        let moves = legal(state);
        if moves.is_empty() {
            all.push((state.score(), path.clone()));
        }
        for played in moves {
            path.push(played);
            games(&after(state, played), path, all);
            path.pop();
        }
    }
    for goal in [Goal::Max, Goal::Min] {
        for seed in 0..8 {
            let maze = Maze::new(seed, 9, goal);
            let mut all = Vec::new();
            games(&maze, &mut Vec::new(), &mut all);
            let best = all.iter().fold(&all[0], |best, game| if goal.better(game.0, best.0) { game } else { best });
            let outcome = run(&maze, "dfs", 0).start().expect("the run is valid");
            assert_eq!((outcome.score(), outcome.moves()), (Some(best.0), &best.1[..]), "maze {seed}");
            assert_eq!(outcome.counts.playouts, all.len() as u64, "maze {seed}");
            assert!(outcome.proven);
        }
    }
}

/// `beam(w, samples=k)` keeps the w states of each depth with the best mean of k playouts; it returns the best playout.
#[test]
fn beam_keeps_the_best_means() {
    fn beam<P: Problem>(width: usize, samples: u64, start: &P, stream: Stream) -> Game<P::Move> {
        let goal = start.goal();
        let mut best: Option<Game<P::Move>> = None;
        let mut kept = vec![(start.clone(), Vec::new())];
        for depth in 0.. {
            let mut candidates = Vec::new();
            for (state, path) in &kept {
                for played in legal(state) {
                    let (next, path) = (after(state, played), [path.as_slice(), &[played]].concat());
                    let stream = stream.child(depth).child(candidates.len() as u64);
                    let mut sum = 0.0;
                    for number in 0..samples {
                        let (score, rest) = playout(&next, stream.child(number), legal);
                        sum += score;
                        if best.as_ref().is_none_or(|(best, _)| goal.better(score, *best)) {
                            best = Some((score, [path.as_slice(), &rest].concat()));
                        }
                    }
                    candidates.push((sum / samples as f64, next, path));
                }
            }
            if candidates.is_empty() {
                break;
            }
            candidates.sort_by(|a, b| goal.value(b.0).total_cmp(&goal.value(a.0)));
            kept = candidates.into_iter().take(width).map(|(_, state, path)| (state, path)).collect();
        }
        best.expect("the start is not an end")
    }
    for (width, samples) in [(1, 1), (3, 4), (40, 2), (2, 100)] {
        let search = format!("beam({width}, samples={samples})");
        agrees(&Maze::new(4, 10, Goal::Max), &search, |p, s| beam(width, samples, p, s));
        agrees(&Order::new(), &search, |p, s| beam(width, samples, p, s));
    }
}

/// `beam(w, by=outlook)` keeps the w states of each depth with the best outlook, equal ones by lot; it returns the best of the games that are
/// over and of one playout from the best state of every depth.
#[test]
fn beam_keeps_the_best_outlooks() {
    fn beam<P: Problem>(width: usize, start: &P, stream: Stream) -> Game<P::Move> {
        let goal = start.goal();
        let mut best: Option<Game<P::Move>> = None;
        let mut offer = |score: f64, game: Vec<P::Move>| {
            if best.as_ref().is_none_or(|(best, _)| goal.better(score, *best)) {
                best = Some((score, game));
            }
        };
        let mut kept = vec![(start.clone(), Vec::new())];
        for depth in 0.. {
            let stream = stream.child(depth);
            let Some((state, path)) = kept.first() else { break };
            let (score, rest) = playout(state, stream.child(0), legal);
            offer(score, [path.as_slice(), &rest].concat());
            let mut candidates = Vec::new();
            for ((state, path), parent) in kept.iter().zip(1..) {
                for (number, played) in (0..).zip(legal(state)) {
                    let (next, path) = (after(state, played), [path.as_slice(), &[played]].concat());
                    if legal(&next).is_empty() {
                        offer(next.score(), path);
                    } else {
                        let lot = stream.child(parent).child(number).seed();
                        candidates.push((next.outlook().expect("it has one"), lot, next, path));
                    }
                }
            }
            candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            kept = candidates.into_iter().take(width).map(|(_, _, state, path)| (state, path)).collect();
        }
        best.expect("the start is not an end")
    }
    for width in [1, 3, 40] {
        let search = format!("beam({width}, by=outlook)");
        agrees(&Maze::new(4, 10, Goal::Max), &search, |p, s| beam(width, p, s));
        agrees(&Maze::new(9, 10, Goal::Min), &search, |p, s| beam(width, p, s));
    }
}

#[test]
fn a_beam_by_outlook_needs_outlooks() {
    let refused = |problem: &Order, search: &str| run(problem, search, 1).start().unwrap_err().to_string();
    let message = refused(&Order::new(), "beam(3, by=outlook)");
    assert!(message.contains("by=outlook: this problem cannot estimate the outlook of a state"), "{message}");
    let message =
        run(&Maze::new(4, 5, Goal::Max), "beam(3, by=outlook, samples=9)", 1).start().unwrap_err().to_string();
    assert!(message.contains("by= cannot be used together with samples="), "{message}");
}
