//! What the driver makes of a machine beside the processor: budgets, interruptions, failures, lies.

use crate::common::{LeftMove, assert_same, interrupt};
use nestling::engine::{Accelerator, KeptGame, Round};
use nestling::{CheckpointError, Event, Problem, Run, RunError, Stop, Stream};

const SEARCH: &str = "repeat(playout)";

/// A machine that plays on the processor, three games a round; game k draws from child k of the seed's stream.
pub struct Fake {
    problem: LeftMove,
    seed: u64,
    next: u64,
    games: u64,
    fails_at: u64,
}

impl Fake {
    pub fn new(problem: &LeftMove, seed: u64) -> Self {
        Fake { problem: problem.clone(), seed, next: 0, games: u64::MAX, fails_at: u64::MAX }
    }

    fn play(&mut self) -> (f64, Vec<bool>) {
        let (mut state, mut rng, mut legal) =
            (self.problem.clone(), Stream::new(self.seed).child(self.next).rng(), Vec::new());
        self.next += 1;
        let mut game = Vec::new();
        loop {
            state.legal_moves(&mut legal);
            if legal.is_empty() {
                return (state.score(), game);
            }
            let played = legal[rng.below(legal.len())];
            state.play(played);
            game.push(played);
        }
    }
}

impl Accelerator<bool> for Fake {
    fn round(&mut self, left: u64) -> Result<Round<bool>, String> {
        if self.next >= self.fails_at {
            return Err("the cable is out".to_owned());
        }
        let mut round = Round { playouts: 0, moves: 0, best: None, finished: false };
        for _ in 0..left.min(3).min(self.games - self.next) {
            let (score, game) = self.play();
            round.playouts += 1;
            round.moves += game.len() as u64;
            if round.best.as_ref().is_none_or(|(best, _)| score > *best) {
                round.best = Some((score, game));
            }
        }
        round.finished = self.next == self.games;
        Ok(round)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.next.to_le_bytes().to_vec())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.next = u64::from_le_bytes(state.try_into().map_err(|_| "that is no number")?);
        Ok(())
    }
}

fn run<'a>(problem: &'a LeftMove, seed: u64) -> Run<'a, LeftMove> {
    Run::new(problem, SEARCH.parse().unwrap()).seed(seed).accelerator(Box::new(Fake::new(problem, seed)))
}

/// Cut anywhere and resumed, a run has the outcome of the uninterrupted one.
#[test]
fn an_interruption_changes_nothing() {
    let problem = LeftMove::new(30);
    for seed in 0..20 {
        let end = 100 + seed;
        let whole = run(&problem, seed).playouts(end).start().unwrap();
        assert_eq!((whole.counts.playouts, whole.stop), (end, Stop::Playouts));
        assert_eq!(whole.counts.moves, end * 30);
        for cut in [0, 1, 2, 3, 40, 99] {
            let (_, checkpoint) = interrupt(&problem, SEARCH, seed, None, |run| {
                run.playouts(cut).accelerator(Box::new(Fake::new(&problem, seed)))
            });
            let other = run(&problem, seed).playouts(end).resume(checkpoint.unwrap()).start().unwrap();
            assert_same(&whole, &other, &format!("seed {seed}, cut at {cut} of {end}"));
        }
    }
}

/// If checkpoints are kept, the run continues from each as if it had not been interrupted.
#[test]
fn pauses_change_nothing() {
    struct Counting(u32);
    impl nestling::Journal for Counting {
        fn improvement(&mut self, _: &nestling::Improvement) -> Result<(), String> {
            Ok(())
        }
        fn checkpoint(&mut self, _: &[u8], _: nestling::Spent) -> Result<(), String> {
            self.0 += 1;
            Ok(())
        }
    }
    let problem = LeftMove::new(30);
    let whole = run(&problem, 5).playouts(300_000).start().unwrap();
    let mut journal = Counting(0);
    let kept = run(&problem, 5).playouts(300_000).journal(&mut journal, std::time::Duration::from_micros(1));
    assert_same(&whole, &kept.start().unwrap(), "with checkpoints");
    assert!(journal.0 >= 1);
}

/// A search that ends by itself, and one that reaches its target, say so; the result is the first of the best games.
#[test]
fn ends_are_told_apart() {
    let problem = LeftMove::new(8);
    let finite = Fake { games: 50, ..Fake::new(&problem, 3) };
    let outcome = Run::new(&problem, "repeat(50, playout)".parse().unwrap()).seed(3).accelerator(Box::new(finite));
    let outcome = outcome.start().unwrap();
    assert_eq!((outcome.stop, outcome.counts.playouts), (Stop::Finished, 50));
    let outcome = run(&problem, 3).target(7.0).start().unwrap();
    assert_eq!(outcome.stop, Stop::Target);
    assert!(outcome.game().is_some_and(|game| game.score() >= 7.0 && game.is_over()));
}

/// A machine that fails ends the run; its best game is kept, and an event reports the failure.
#[test]
fn a_failure_keeps_the_best() {
    let problem = LeftMove::new(30);
    let mut told = Vec::new();
    let weak = Fake { fails_at: 60, ..Fake::new(&problem, 9) };
    let broken = Run::new(&problem, SEARCH.parse().unwrap()).seed(9).playouts(1_000).accelerator(Box::new(weak));
    let outcome = broken.on_event(|event| told.push(event.clone())).start().unwrap();
    assert_eq!((outcome.stop, outcome.counts.playouts), (Stop::Failed, 60));
    let whole = run(&problem, 9).playouts(60).start().unwrap();
    assert_eq!(outcome.answer, whole.answer);
    assert!(told.contains(&Event::Failed("the cable is out".to_owned())), "{told:?}");
}

/// Every game is verified by the rules before it is announced.
#[test]
fn lies_are_found_out() {
    struct Liar;
    impl Accelerator<bool> for Liar {
        fn round(&mut self, _: u64) -> Result<Round<bool>, String> {
            Ok(Round { playouts: 1, moves: 4, best: Some((4.0, vec![true, true, false, true])), finished: true })
        }
        fn save(&mut self) -> Result<Vec<u8>, String> {
            Ok(Vec::new())
        }
        fn restore(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
    }
    let problem = LeftMove::new(4);
    let mut told = Vec::new();
    let run = Run::new(&problem, SEARCH.parse().unwrap()).playouts(10).accelerator(Box::new(Liar));
    let outcome = run.on_event(|event| told.push(event.clone())).start();
    assert!(matches!(outcome, Err(RunError::Uncertified { .. })), "{outcome:?}");
    assert!(!told.iter().any(|event| matches!(event, Event::Improvement(_))), "{told:?}");
}

/// A search that forgets has another result than the best game that it saw.
#[test]
fn results_can_be_worse_than_the_best() {
    struct Forgetful;
    impl Accelerator<bool> for Forgetful {
        fn round(&mut self, _: u64) -> Result<Round<bool>, String> {
            Ok(Round { playouts: 1, moves: 2, best: Some((2.0, vec![true, true])), finished: true })
        }
        fn result(&mut self) -> Result<Option<(f64, Vec<bool>)>, String> {
            Ok(Some((1.0, vec![false, true])))
        }
        fn save(&mut self) -> Result<Vec<u8>, String> {
            Ok(Vec::new())
        }
        fn restore(&mut self, _: &[u8]) -> Result<(), String> {
            Ok(())
        }
    }
    let problem = LeftMove::new(2);
    let run = Run::new(&problem, "nested(1, memory=off)".parse().unwrap()).accelerator(Box::new(Forgetful));
    let outcome = run.start().unwrap();
    assert_eq!((outcome.stop, outcome.score(), outcome.moves()), (Stop::Finished, Some(1.0), &[false, true][..]));
    assert_eq!(outcome.best_seen.unwrap().moves(), [true, true]);
}

/// The processor does not continue from a machine's checkpoint, nor the other way round; damaged states are refused.
#[test]
fn checkpoints_belong_to_their_device() {
    let problem = LeftMove::new(30);
    let (_, own) =
        interrupt(&problem, SEARCH, 1, None, |run| run.playouts(10).accelerator(Box::new(Fake::new(&problem, 1))));
    let (_, processor) = interrupt(&problem, SEARCH, 1, None, |run| run.playouts(10));
    let on_processor = Run::new(&problem, SEARCH.parse().unwrap()).seed(1).playouts(20).resume(own.unwrap()).start();
    let on_machine = run(&problem, 1).playouts(20).resume(processor.unwrap()).start();
    for outcome in [on_processor, on_machine] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, RunError::Checkpoint(CheckpointError::OtherRun { what: "device", .. })), "{error}");
    }
}

/// The games that a machine has found worth keeping reach the driver, certified; one that is none ends the run.
#[test]
fn good_games_are_told_of() {
    struct Generous(Fake);
    impl Accelerator<bool> for Generous {
        fn round(&mut self, left: u64) -> Result<Round<bool>, String> {
            self.0.round(left)
        }
        fn finds(&mut self, least: f64) -> Result<Vec<KeptGame<bool>>, String> {
            Ok(vec![KeptGame { search: self.0.next, score: least, moves: vec![true; least as usize] }])
        }
        fn save(&mut self) -> Result<Vec<u8>, String> {
            self.0.save()
        }
        fn restore(&mut self, state: &[u8]) -> Result<(), String> {
            self.0.restore(state)
        }
    }
    let problem = LeftMove::new(8);
    let finds = std::cell::RefCell::new(Vec::new());
    let machine = || Box::new(Generous(Fake::new(&problem, 4)));
    let hunt = || Run::new(&problem, SEARCH.parse().unwrap()).seed(4).playouts(30).accelerator(machine());
    let outcome = hunt().keep(8.0).on_event(|event| {
        if let Event::Find(find) = event {
            finds.borrow_mut().push((find.search, find.found.score()));
        }
    });
    outcome.start().unwrap();
    let expected: Vec<_> = (1..=10).map(|round| (3 * round, 8.0)).collect();
    assert_eq!(*finds.borrow(), expected);
    let error = hunt().keep(5.0).on_event(|_| {}).start().unwrap_err();
    assert!(matches!(error, RunError::Uncertified { .. }), "{error}");
}
