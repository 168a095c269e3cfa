//! The conformance suite for searches: ours pass, and each law catches a search that breaks it.

use std::sync::atomic::{AtomicU64, Ordering};

use nestling::engine::PlayoutPolicy;
use nestling::search::{
    Algorithm, And, Argument, Catalogue, Form, Found, Plan, PlanError, Planned, Planner, ScoredMoves,
};
use nestling::search::{Reason, SearchProgress, SearchReport, Standard, Task};
use nestling::{Goal, Problem, Search, Stream, conformance};

use crate::common::Maze;

#[test]
fn our_searches_keep_the_laws() {
    let maze = Maze::new(9, 9, Goal::Min);
    for text in [
        "playout",
        "repeat(150, playout)",
        "repeat(playout(mobility))",
        "mean(30, playout)",
        "step(lookahead(playout))",
        "step(repeat(4, playout), memory=off)",
        "lookahead(nested(1), ties=random)",
        "nested(2, memory=off, ties=last)",
        "lazy(3, samples=2, ratio=0.3)",
        "promising(nested(1), samples=70, ties=random)",
        "reflexive(5, 3)",
        "nrpa(2, iterations=12)",
        "nrpa(1, iterations=20, tries=3)",
        "uct(150)",
        "uct(60, trees=3)",
        "dfs",
        "beam(5)",
        "beam(5, by=outlook)",
        "repeat(beam(2, by=outlook))",
        "pool(250, cycle=5000, starts=9)",
        "pool(cycle=128, starts=3, patience=1, size=16)",
        "repeat(pool(100, starts=5, first=nrpa(1, iterations=4)))",
        "portfolio(dfs, repeat(nested(1)))",
        "repeat(nrpa(1, iterations=15))",
        "repeat(6, uct(30))",
    ] {
        conformance::search::<Standard, _>(&maze, &text.parse().unwrap(), 300)
            .unwrap_or_else(|broken| panic!("{broken}"));
    }
}

/// What a search of the tests does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Draws from something that is not its stream.
    Stray,
    /// Plays on when its playouts are spent.
    Spends,
    /// Forgets in its frame what it has seen.
    Forgets,
    /// Says that its game is worth more than it is.
    Boasts,
    /// Ends without a look at the target.
    Passes,
    /// Does not ask whether it should stop.
    Deaf,
    /// Returns a game without moves.
    Empty,
    /// Ends with nothing at all.
    Silent,
}

/// Plays games, and does something wrong.
struct Games<const FAULT: usize>;

const FAULTS: [Fault; 9] = [
    Fault::None,
    Fault::Stray,
    Fault::Spends,
    Fault::Forgets,
    Fault::Boasts,
    Fault::Passes,
    Fault::Deaf,
    Fault::Empty,
    Fault::Silent,
];

impl<const FAULT: usize> Algorithm for Games<FAULT> {
    const FORM: Form = Form {
        name: "games",
        example: "games(10)",
        about: "plays n games",
        arguments: &[Argument::integer("count", 1, 1000).symbol("n")],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let (count, policy) = (search.integer("count"), planner.policy(search)?);
        planner.ready(search, Playing { count, policy, fault: FAULTS[FAULT] })
    }
}

struct Playing {
    count: u64,
    policy: PlayoutPolicy,
    fault: Fault,
}

static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

impl<P: Problem> Plan<P> for Playing {
    type Frame = SearchProgress<P::Move>;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<SearchProgress<P::Move>>,
    ) -> SearchReport<P::Move, SearchProgress<P::Move>> {
        let mut tally = frame.unwrap_or_default();
        while tally.counts.playouts < self.count {
            let stop = match task.stop(&tally) {
                Some(Reason::Playouts) if self.fault == Fault::Spends && tally.counts.playouts % 2 == 1 => None,
                _ if self.fault == Fault::Deaf => None,
                stop => stop,
            };
            if let Some(reason) = stop {
                let mut frame = tally.clone();
                frame.seen = frame.seen.filter(|_| self.fault != Fault::Forgets);
                return tally.cut(reason, frame);
            }
            let elsewhere = if self.fault == Fault::Stray { ELSEWHERE.fetch_add(1, Ordering::Relaxed) } else { 0 };
            let game = task.playout(&self.policy, state, &[], stream.child(tally.counts.playouts + elsewhere));
            let Ok(ScoredMoves { score, moves }) = game else { return tally.clone().cut(Reason::Cancel, tally) };
            let claimed = if self.fault == Fault::Boasts { score + 1.0 } else { score };
            tally.count(task, 1, moves.len() as u64, Some((claimed, &moves)));
        }
        let best = tally.seen.clone().expect("at least one game was played");
        match self.fault {
            Fault::Passes => tally.finished(Found::Game(best)),
            Fault::Empty => tally.finished(Found::Game(ScoredMoves::new(best.score, Vec::new()))),
            Fault::Silent => SearchReport { result: None, ..tally.finished(Found::Game(best)) },
            _ => tally.clone().ended(task, best, |_| tally),
        }
    }
}

/// The law that a fault breaks.
fn broken<const FAULT: usize>(text: &str) -> Option<String> {
    type Set<const FAULT: usize> = And<(Games<FAULT>,), Standard>;
    let search = Catalogue::of::<Set<FAULT>>().parse(text).unwrap();
    let verdict = conformance::search::<Set<FAULT>, _>(&Maze::new(9, 9, Goal::Min), &search, 60);
    verdict.err().map(|violation| violation.law.to_owned())
}

#[test]
fn faults_are_caught() {
    for text in ["games(40)", "repeat(5, games(10))", "step(games(3))"] {
        assert_eq!(broken::<0>(text), None, "{text}");
    }
    let caught = [
        (broken::<1>("games(40)"), "the same seed"),
        (broken::<2>("games(40)"), "a budget"),
        (broken::<3>("games(40)"), "interrupted"),
        (broken::<4>("games(40)"), "claims only"),
        (broken::<5>("repeat(5, games(1))"), "target"),
        (broken::<6>("games(40)"), "a budget"),
        (broken::<7>("games(40)"), "a game its moves"),
        (broken::<7>("step(games(3))"), "a game its moves"),
        (broken::<8>("repeat(5, games(1))"), "has a result"),
    ];
    for (law, wanted) in caught {
        assert!(law.as_ref().is_some_and(|law| law.contains(wanted)), "{law:?} rather than {wanted}");
    }
}

/// `restarts(l)`: only another way to write a search that never ends by itself.
struct Restarts;

impl Algorithm for Restarts {
    const FORM: Form = Form {
        name: "restarts",
        example: "restarts(2)",
        about: "begins nrpa(l) anew until the budget ends",
        arguments: &[Argument::integer("level", 1, 8).symbol("l")],
        ..Form::EMPTY
    };

    fn meaning(search: &Search) -> Option<Search> {
        let level = u32::try_from(search.integer("level")).expect("the form allows 8");
        Some(Search::nrpa(level).played_by(search.games.clone()).forever())
    }
}

/// `guess(n, s)`: only another way to write an estimate.
struct Guess;

impl Algorithm for Guess {
    const FORM: Form = Form {
        name: "guess",
        example: "guess(playout)",
        about: "averages ten results of s",
        arguments: &[Argument::search("search")],
        ..Form::EMPTY
    };

    fn meaning(search: &Search) -> Option<Search> {
        Some(search.inner()[0].clone().mean(10))
    }
}

type Meant = And<(Restarts, Guess), Standard>;

/// What holds for the search that another one stands for holds for that one too.
#[test]
fn a_search_is_what_it_means() {
    let searches = Catalogue::of::<Meant>();
    let restarts = searches.parse("restarts(1, playout=mobility)").unwrap();
    assert!(restarts.is_endless() && !restarts.is_estimate());
    assert_eq!(restarts.expand().to_string(), "repeat(nrpa(1, playout=mobility))");
    conformance::search::<Meant, _>(&Maze::new(9, 9, Goal::Min), &restarts, 250).unwrap();
    assert!(searches.parse("guess(playout)").unwrap().is_estimate());
    let error = searches.parse("step(guess(playout))").unwrap_err();
    assert!(error.message.contains("step needs a search that returns moves, found guess"), "{error}");
    let lacking = Search::of::<Restarts>().repeat(3);
    assert_eq!(lacking.check().unwrap_err().to_string(), "expected the level of restarts, found nothing");
}
