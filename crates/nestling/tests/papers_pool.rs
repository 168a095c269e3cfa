//! Pool search, written out plainly, one game after the other, finds the same games as the library.

use crate::common::{Checkpoints, LeftMove, Maze, NEVER, Order, assert_same, run};
use crate::papers::legal;
use nestling::{Event, Problem, Run, RunError, Stream};

struct Entry<M> {
    moves: Vec<M>,
    score: f64,
    key: u64,
    visits: u32,
    searched: bool,
}

/// What the tests vary.
struct Options {
    games: u64,
    window: f64,
    cycle: u64,
    changes: usize,
    skew: i32,
    ends: f64,
    size: usize,
    starts: u64,
}

/// A game that plays the first of the ranked codes that is possible, or else the code with the largest number of a stream's child.
fn follow<P: Problem>(start: &P, ranked: &[u64], stream: Stream) -> (f64, Vec<P::Move>) {
    let (mut state, mut game) = (start.clone(), Vec::new());
    loop {
        let moves = legal(&state);
        let codes: Vec<u64> = moves.iter().map(|&played| state.code(played)).collect();
        let first = ranked.iter().find_map(|code| codes.iter().position(|other| other == code));
        // Of equals the first: the last of the reversed.
        let other = (0..moves.len()).rev().max_by_key(|&index| stream.child(codes[index]).seed());
        let Some(index) = first.or(other) else { return (state.score(), game) };
        state.play(moves[index]);
        game.push(moves[index]);
    }
}

fn codes_of<P: Problem>(start: &P, moves: &[P::Move]) -> Vec<u64> {
    let mut state = start.clone();
    let mut code = |&played: &P::Move| {
        let code = state.code(played);
        state.play(played);
        code
    };
    moves.iter().map(&mut code).collect()
}

fn pool<P: Problem>(start: &P, options: &Options, stream: Stream) -> (f64, Vec<P::Move>) {
    let goal = start.goal();
    let mut entries: Vec<Entry<P::Move>> = Vec::new();
    let mut best: Option<(f64, Vec<P::Move>)> = None;
    let mut see = |score: f64, moves: &[P::Move]| {
        if best.as_ref().is_none_or(|(best, _)| goal.better(score, *best)) {
            best = Some((score, moves.to_vec()));
        }
    };
    for index in 0..options.starts.min(options.games) {
        let (mut state, mut moves, mut rng) = (start.clone(), Vec::new(), stream.child(0).child(index).rng());
        while let moves_here @ [_, ..] = &legal(&state)[..] {
            let played = moves_here[rng.below(moves_here.len())];
            state.play(played);
            moves.push(played);
        }
        see(state.score(), &moves);
        enter(start, &mut entries, state.score(), moves);
    }
    let step = options.cycle / 128;
    let (mut order, mut targets, mut finds) = (Vec::new(), Vec::new(), Vec::new());
    let top = |entries: &[Entry<P::Move>]| entries.iter().map(|e| goal.value(e.score)).fold(f64::MIN, f64::max);
    for game in 0..options.games.saturating_sub(options.starts) {
        let window = options.window * ((128 - game / step % 128) as f64 / 128.0);
        let worst = top(&entries) - window;
        if game % step == 0 {
            order = (0..entries.len()).filter(|&place| goal.value(entries[place].score) >= worst).collect();
            // The newest first; stable sorts keep that order among equals.
            order.reverse();
            order.sort_by(|&a: &usize, &b| goal.value(entries[b].score).total_cmp(&goal.value(entries[a].score)));
            order.sort_by_key(|&place| entries[place].visits);
            targets = (0..entries.len()).filter(|&place| !entries[place].searched).collect();
            targets.sort_by(|&a: &usize, &b| goal.value(entries[b].score).total_cmp(&goal.value(entries[a].score)));
            targets.truncate(4);
            targets.iter().for_each(|&place| entries[place].searched = true);
        }
        let own = stream.child(1).child(game);
        let mut rng = own.own().rng();
        let is_end = rng.unit() < options.ends && !targets.is_empty();
        let (parent, ranked) = if is_end {
            let target = &entries[targets[rng.below(targets.len())]];
            let kept = target.moves.len() - 1 - rng.below((target.moves.len() / 4).max(1));
            (None, codes_of(start, &target.moves[..kept]))
        } else {
            let unit = rng.unit();
            let share = (0..options.skew).map(|_| unit).product::<f64>();
            let parent = order[(share * order.len() as f64) as usize];
            let mut codes: Vec<Option<u64>> = codes_of(start, &entries[parent].moves).into_iter().map(Some).collect();
            for _ in 0..2 + rng.below(options.changes - 1) {
                let place = rng.below(codes.len());
                codes[place] = None;
            }
            (Some(parent), codes.into_iter().flatten().collect())
        };
        let (score, moves) = follow(start, &ranked, own);
        see(score, &moves);
        finds.push((parent, score, moves, goal.value(score) >= worst));
        if (game + 1) % 2_048 != 0 && (game + 1) % step != 0 {
            continue;
        }
        for (parent, score, moves, is_entered) in finds.drain(..) {
            parent.into_iter().for_each(|parent: usize| entries[parent].visits += 1);
            if is_entered && enter(start, &mut entries, score, moves) {
                parent.into_iter().for_each(|parent| entries[parent].visits = 0);
            }
        }
        if entries.len() > options.size {
            let mut places: Vec<usize> = (0..entries.len()).collect();
            places.sort_by(|&a, &b| goal.value(entries[a].score).total_cmp(&goal.value(entries[b].score)));
            let mut kept = places.split_off(entries.len() - (options.size - options.size / 8));
            kept.sort_unstable();
            let place_of = |old: &usize| kept.iter().position(|place| place == old);
            order = order.iter().filter_map(place_of).collect();
            targets = targets.iter().filter_map(place_of).collect();
            let mut place = 0;
            entries.retain(|_| (kept.contains(&place), place += 1).0);
        }
    }
    best.expect("a game was played")
}

/// Whether the key is new.
fn enter<P: Problem>(start: &P, entries: &mut Vec<Entry<P::Move>>, score: f64, moves: Vec<P::Move>) -> bool {
    let key = start.key(&moves);
    if let Some(entry) = entries.iter_mut().find(|entry| entry.key == key) {
        if !start.goal().better(entry.score, score) {
            (entry.score, entry.moves) = (score, moves);
        }
        return false;
    }
    entries.push(Entry { moves, score, key, visits: 0, searched: false });
    true
}

fn agrees<P: Problem>(problem: &P, options: &Options) {
    let Options { games, window, cycle, changes, skew, ends, size, starts } = options;
    let search = format!(
        "pool({games}, window={window}, cycle={cycle}, changes={changes}, skew={skew}, ends={ends}, size={size}, starts={starts}, patience=0)"
    );
    for seed in 0..4 {
        let (score, moves) = pool(problem, options, Stream::new(seed));
        let outcome = run(problem, &search, seed).start().expect("the run is valid");
        assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
    }
}

/// Small pools that overflow, large ones, short and long steps, a share of end searches.
#[test]
fn pool_search_is_the_plain_one() {
    let usual =
        Options { games: 3_000, window: 5.0, cycle: 25_600, changes: 4, skew: 10, ends: 0.08, size: 4_000, starts: 30 };
    let maze = Maze::new(4, 24, nestling::Goal::Max);
    agrees(&maze, &usual);
    agrees(&maze, &Options { games: 20, ..usual });
    agrees(&maze, &Options { size: 40, ends: 0.5, ..usual });
    agrees(&maze, &Options { cycle: 1_280_000, skew: 2, changes: 10, ..usual });
    agrees(&Order::new(), &Options { games: 1_000, window: 2.0, ..usual });
    agrees(&Maze::new(7, 12, nestling::Goal::Min), &usual);
}

/// `Run::keep` reports all good games that enter the pool, each once, and does not change the search.
#[test]
fn good_games_are_told_of() {
    let problem = LeftMove::new(12);
    let search = "repeat(3, pool(3000, size=64))";
    let alone = run(&problem, search, 5).start().unwrap();
    for threads in [1, 2] {
        let mut finds = Vec::new();
        let kept = run(&problem, search, 5).threads(threads).keep(10.0).on_event(|event| {
            if let Event::Find(find) = event {
                finds.push((find.search, find.found.texts().to_vec(), find.found.score()));
            }
        });
        assert_same(&alone, &kept.start().unwrap(), "with and without keeping");
        let searches: std::collections::BTreeSet<u64> = finds.iter().map(|find| find.0).collect();
        assert_eq!(searches.len(), 3, "every search has good games");
        assert!(finds.len() > 3 && finds.iter().all(|find| find.2 >= 10.0), "{}", finds.len());
    }
    // The game that reaches the target is one of them, in the middle of a generation or while the pool begins.
    for search in ["pool(3000, size=64)", "pool(first=nested(1))"] {
        let mut best = 0.0_f64;
        let kept = run(&problem, search, 5).target(12.0).keep(12.0).on_event(|event| {
            if let Event::Find(find) = event {
                best = best.max(find.found.score());
            }
        });
        kept.start().unwrap();
        assert_eq!(best, 12.0, "{search}");
    }
}

/// A pool may begin with known games: it then never has a worse one, on any number of threads, and continues after an interruption.
#[test]
fn pools_begin_with_known_games() {
    let problem = Maze::new(4, 24, nestling::Goal::Max);
    let good = run(&problem, "pool(20000, cycle=25600)", 9).start().unwrap();
    let games = vec![good.moves().to_vec(), good.moves()[..5].to_vec()];
    fn begun<'a>(problem: &'a Maze, games: &[Vec<<Maze as Problem>::Move>]) -> Run<'a, Maze> {
        let search = "repeat(2, pool(400, cycle=2560, starts=8, first=replay(known)))";
        run(problem, search, 3).games("known", games.to_vec())
    }
    let whole = begun(&problem, &games).start().unwrap();
    assert!(whole.score() >= good.score(), "{:?}", whole.score());
    assert_same(&whole, &begun(&problem, &games).threads(3).start().unwrap(), "on three threads");
    let mut kept = Checkpoints::default();
    begun(&problem, &games).playouts(5).journal(&mut kept, NEVER).start().unwrap();
    let kept = kept.0.last().unwrap();
    assert_same(&whole, &begun(&problem, &games).resume(kept.clone()).start().unwrap(), "resumed");
    let other = begun(&problem, &games[..1]).resume(kept.clone()).start();
    assert!(matches!(other, Err(RunError::Checkpoint(_))), "other games are another search");
    // Each of the games is drawn.
    let replays = "mean(100, replay(known))";
    let mean = run(&problem, replays, 1).games("known", games.clone()).start().unwrap().score().unwrap();
    let first = run(&problem, replays, 1).games("known", games[..1].to_vec()).start().unwrap().score().unwrap();
    assert!(mean < first && first == good.score().unwrap(), "{mean} {first}");
}

/// After some moves of a game, what is left of a known game is replayed.
#[test]
fn known_games_are_replayed_from_where_the_search_starts() {
    let problem = LeftMove::new(12);
    let game: Vec<_> = run(&problem, "nested(2)", 1).start().unwrap().moves().to_vec();
    let replayed = run(&problem, "replay(known)", 1).games("known", vec![game.clone()]).start().unwrap();
    assert_eq!(replayed.moves(), game);
}

#[test]
fn games_that_are_missing_or_illegal_are_refused() {
    let problem = Order::new();
    let search = "replay(known)";
    let message = |run: Run<'_, Order>| run.start().unwrap_err().to_string();
    assert!(message(run(&problem, search, 1)).contains("known"));
    assert!(message(run(&problem, search, 1).games("known", Vec::new())).contains("no game"));
    let twice = vec![legal(&problem)[0]; 2];
    let illegal = message(run(&problem, search, 1).games("known", vec![Vec::new(), twice]));
    assert!(illegal.contains("known: game 2 is illegal"), "{illegal}");
}
