//! Problems that misbehave and searches that ask for trouble: an error, a panic or an outcome, but never a hang.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::common::{EXPRESSIONS, LeftMove, Weather, best_score, in_time, parse, run};
use nestling::{Cancel, Certificate, Event, Illegal, ParseError, Problem, Run, RunError, Search, Stop};

/// Two games at once, of which the first presses the switch as it ends, when the second has played more than its turn
/// will leave it.
#[derive(Clone)]
struct Pressing<'a> {
    path: Vec<u8>,
    games: &'a [AtomicU64; 2],
    cancel: Cancel,
}

impl Problem for Pressing<'_> {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.path.len() < 4 {
            moves.extend([0, 1]);
        }
    }

    fn play(&mut self, played: u8) {
        self.path.push(played);
    }

    fn score(&self) -> f64 {
        let wait = |until: &dyn Fn() -> bool| {
            let began = Instant::now();
            while !until() && began.elapsed() < Duration::from_secs(60) {
                std::thread::yield_now();
            }
        };
        let Some(&first) = self.path.first() else { return 0.0 };
        let task = usize::from(first);
        match (task, self.games[task].fetch_add(1, Ordering::SeqCst) + 1) {
            (0, 50) => {
                wait(&|| self.games[1].load(Ordering::SeqCst) >= 41);
                self.cancel.cancel();
            }
            (1, 41) => wait(&|| self.cancel.is_cancelled()),
            _ => {}
        }
        f64::from(self.path.iter().sum::<u8>())
    }
}

/// A run that is cancelled never counts more playouts than its budget, whatever other threads had run ahead.
#[test]
fn a_cancelled_run_keeps_to_its_budget() {
    let games = [AtomicU64::new(0), AtomicU64::new(0)];
    let cancel = Cancel::new();
    let problem = Pressing { path: Vec::new(), games: &games, cancel: cancel.clone() };
    let outcome = run(&problem, "lookahead(uct(50))", 1).threads(2).playouts(80).cancel(cancel).start();
    let outcome = outcome.expect("the run is valid");
    assert_eq!(outcome.stop, Stop::Cancelled);
    assert!(outcome.counts.playouts <= 80, "{} playouts", outcome.counts.playouts);
}

/// Two moves a state; what goes wrong depends on `fault`.
#[derive(Clone)]
struct Faulty<'a> {
    fault: Fault,
    ply: u32,
    scored: &'a AtomicU64,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// The plain rules count one point less than the engine.
    Miscounts,
    /// The plain rules refuse the third move.
    Refuses,
    /// Asking for the hundredth score panics.
    Panics,
}

impl Problem for Faulty<'_> {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.ply < 6 {
            moves.extend([0, 1]);
        }
    }

    fn play(&mut self, _: u8) {
        self.ply += 1;
    }

    fn score(&self) -> f64 {
        let number = self.scored.fetch_add(1, Ordering::Relaxed);
        assert!(self.fault != Fault::Panics || number < 100, "the hundredth score");
        self.ply.into()
    }

    fn certify(&self, moves: &[u8]) -> Result<Certificate, Illegal> {
        match self.fault {
            Fault::Miscounts => Ok(Certificate { score: moves.len() as f64 - 1.0, terminal: moves.len() == 6 }),
            Fault::Refuses if moves.len() > 2 => Err(Illegal { index: 2, reason: "no".to_owned() }),
            _ => Ok(Certificate { score: moves.len() as f64, terminal: moves.len() == 6 }),
        }
    }
}

/// No result without a certificate: a game that the plain rules count otherwise, or refuse, is an error.
#[test]
fn uncertified_games_are_errors() {
    for fault in [Fault::Miscounts, Fault::Refuses] {
        for (threads, listens) in [(1, false), (1, true), (3, false), (3, true)] {
            let scored = AtomicU64::new(0);
            let problem = Faulty { fault, ply: 0, scored: &scored };
            let mut run = Run::new(&problem, parse("repeat(nested(1))")).threads(threads).playouts(100_000);
            if listens {
                run = run.on_event(|event| assert!(!matches!(event, Event::Improvement(_)), "nothing to announce"));
            }
            let error = run.start().expect_err("the rules refuse every game");
            assert!(matches!(error, RunError::Uncertified { score: 6.0, .. }), "{error}");
        }
    }
}

/// A problem that panics makes the run panic; it does not make it wait for ever.
#[test]
fn a_panic_is_not_swallowed() {
    for threads in [1, 3] {
        let panicked = in_time("a run that panics", move || {
            std::panic::catch_unwind(|| {
                let scored = AtomicU64::new(0);
                let problem = Faulty { fault: Fault::Panics, ply: 0, scored: &scored };
                Run::new(&problem, parse("repeat(10000, playout)")).threads(threads).start().is_ok()
            })
        });
        assert!(panicked.is_err(), "the panic was swallowed on {threads} threads");
    }
}

fn ends(search: &'static str, depth: u32) {
    let cancel = Cancel::new();
    // Should it not end, the search is not left running beside the other tests.
    let rescue = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(70));
        rescue.cancel();
    });
    let outcome = in_time(search, move || {
        run(&LeftMove::new(depth), search, 1).playouts(50).cancel(cancel).start().expect("the run is valid")
    });
    assert!(outcome.counts.playouts <= 50, "{search} at depth {depth}");
}

/// Every search of a game that is already over ends.
#[test]
fn a_start_that_is_an_end() {
    EXPRESSIONS.iter().for_each(|search| ends(search, 0));
}

/// `repeat` without a count ends by its budget in playouts even when its tasks play none.
#[test]
fn repetitions_without_playouts() {
    for search in ["repeat(lookahead(playout))", "repeat(nested(1))", "repeat(beam(2))"] {
        ends(search, 0);
    }
    ends("repeat(nested(2))", 1);
}

/// An estimate has no moves to follow: a `step` of one is refused or played somehow, but nothing panics or hangs.
#[test]
fn a_step_of_an_estimate() {
    for search in ["step(mean(3, playout))", "step(repeat(2, mean(3, playout)))"] {
        in_time(search, move || {
            let parsed: Result<Search, ParseError> = search.parse();
            parsed.is_ok_and(|search| Run::new(&Weather::new(1, 4), search).seed(1).start().is_ok())
        });
    }
}

/// A wild learning rate gives wild policies, not a panic.
#[test]
fn any_learning_rate() {
    for alpha in ["1e-300", "50", "1000", "1e300"] {
        let learned = in_time(&format!("alpha={alpha}"), move || {
            let search = format!("nrpa(2, iterations=30, alpha={alpha})");
            let outcome = run(&LeftMove::new(10), &search, 1).start().expect("the run is valid");
            outcome.learned.expect("it learned").to_string()
        });
        assert!(!learned.contains("NaN"), "alpha={alpha} learned {learned}");
    }
}

/// One move ends the game with 10 points; behind the other lies a left-move game of depth 4.
#[derive(Clone)]
enum Shortcut {
    Start,
    Taken,
    Behind(LeftMove),
}

impl Problem for Shortcut {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        moves.clear();
        match self {
            Shortcut::Start => moves.extend([true, false]),
            Shortcut::Taken => {}
            Shortcut::Behind(game) => game.legal_moves(moves),
        }
    }

    fn play(&mut self, played: bool) {
        match self {
            Shortcut::Start if played => *self = Shortcut::Taken,
            Shortcut::Start => *self = Shortcut::Behind(LeftMove::new(4)),
            Shortcut::Taken => panic!("the game is over"),
            Shortcut::Behind(game) => game.play(played),
        }
    }

    fn score(&self) -> f64 {
        match self {
            Shortcut::Start => 0.0,
            Shortcut::Taken => 10.0,
            Shortcut::Behind(game) => game.score(),
        }
    }
}

/// A game that ends with the move of a lookahead, so that no playout is left to play, is seen like any other: a cut run
/// returns it, and it reaches a target.
#[test]
fn a_game_without_a_playout_is_seen() {
    let cut = run(&Shortcut::Start, "nested(2)", 1).playouts(3).start().expect("the run is valid");
    assert_eq!(best_score(&cut), Some(10.0), "the cut run");
    let target = run(&Shortcut::Start, "nested(2)", 1).target(10.0).start().expect("the run is valid");
    assert_eq!((target.stop, target.counts.playouts), (Stop::Target, 0));
}

/// The game that a step plays by estimates is a real one: it is announced, and it reaches a target.
#[test]
fn a_game_played_by_estimates_is_seen() {
    let search = "repeat(5, step(lookahead(mean(2, playout))))";
    let problem = Weather::new(1, 4);
    let mut announced = None;
    let listened = run(&problem, search, 1).on_event(|event| {
        if let Event::Improvement(improvement) = event {
            announced = Some(improvement.score());
        }
    });
    let best = listened.start().expect("the run is valid").score().expect("a game");
    assert_eq!(announced, Some(best));
    let target = run(&problem, search, 1).target(best).start().expect("the run is valid");
    assert_eq!((target.stop, target.score()), (Stop::Target, Some(best)));
}
