//! Open problems: the laws, known optima and what the certificate refuses, and that searches find small optima.

use nestling::search::{Beam, Dfs, Lookahead, Nested, Nrpa, Playout, Pool, Portfolio, Repeat, Step};
use nestling::{Allowance, Illegal, Outcome, Problem, Run, Search, Stop, conformance};
use nestling_presentation::{Canvas, Picture, Presentation};
use nestling_puzzles::golomb::SHORTEST;
use nestling_puzzles::{CapSet, Golomb, NoThreeInLine, SidonSet, Snake, WeakSchur};

const CANVAS: Canvas = Canvas { width: 80, color: false, ascii: true };

#[test]
fn conform() {
    for dimensions in [1, 2, 5, 7] {
        conformance::check(&Snake::in_dimension(dimensions), 30).unwrap();
    }
    for dimensions in [2, 3, 6, 7] {
        conformance::check(&Snake::coil_in_dimension(dimensions), 30).unwrap();
    }
    conformance::check_rules(&Snake::in_dimension(10), 2).unwrap();
    conformance::check_rules(&Snake::coil_in_dimension(9), 2).unwrap();
    for sets in [1, 3, 5] {
        conformance::check(&WeakSchur::with_sets(sets), 20).unwrap();
    }
    for dimension in [1, 3, 4] {
        conformance::check(&CapSet::in_dimension(dimension), 20).unwrap();
    }
    for side in [1, 2, 7] {
        conformance::check(&NoThreeInLine::on_grid(side), 20).unwrap();
    }
    for largest in [1, 30] {
        conformance::check(&SidonSet::up_to(largest), 20).unwrap();
    }
    for marks in [2, 6] {
        conformance::check(&Golomb::with_marks(marks), 20).unwrap();
    }
}

/// Replays a game written as texts: its score by the rules and by the engine, which must agree.
#[track_caller]
fn verified<P: Presentation>(problem: &P, texts: &str) -> Result<f64, Illegal> {
    let words: Vec<&str> = texts.split_whitespace().collect();
    let moves = problem.parse(&words)?;
    let certificate = problem.certify(&moves)?;
    assert!(certificate.terminal, "{texts} is not a whole game");
    assert_eq!(nestling::state_after(problem, &moves).score(), certificate.score);
    assert!(problem.draw(&moves, CANVAS).lines().count() > 0);
    assert!(problem.picture(&moves, &Picture::default()).unwrap().ends_with("</svg>\n"));
    Ok(certificate.score)
}

/// A known optimum is accepted with its score; with one move changed it is refused with a message that contains the words.
#[track_caller]
fn accepted_and_refused<P: Presentation>(problem: &P, texts: &str, changed: (usize, &str), words: &str) {
    assert_eq!(verified(problem, texts).unwrap(), problem.bound().unwrap());
    let mut wrong: Vec<&str> = texts.split_whitespace().collect();
    wrong[changed.0] = changed.1;
    let moves = problem.parse(&wrong).unwrap();
    let message = problem.certify(&moves).unwrap_err().to_string();
    assert!(message.contains(words), "{message}");
}

#[test]
fn golomb_rulers_are_certified() {
    accepted_and_refused(
        &Golomb::with_marks(8),
        "1 4 9 15 22 32 34",
        (3, "14"),
        "move 4: with 14 the distance 5 occurs twice",
    );
    let unfinished = Golomb::with_marks(3);
    assert_eq!(verified(&unfinished, "9").unwrap(), 18.0);
    assert_eq!(unfinished.worth(18.0, true), "score 18, marks missing: 1");
    assert!(Golomb::with_marks(4).certify(&[3, 3]).is_err() && Golomb::with_marks(4).certify(&[17]).is_err());
}

#[test]
fn snakes_are_certified() {
    let snake = Snake::in_dimension(6);
    let longest = "0 1 2 3 1 0 4 3 0 5 4 0 1 3 4 0 2 4 1 0 4 3 1 5 3 4";
    accepted_and_refused(&snake, longest, (9, "2"), "move 10: vertex 17 is next to an earlier part of the path");
    accepted_and_refused(&snake, longest, (3, "4"), "move 4: dimension 4 may not be used before dimension 3");
    let longest = "0 1 2 0 3 1 0 4 2 1 0 3 5 0 1 2 4 0 6 5 0 4 2 0 3 4 0 1 2 4 0 3 5 0 4 2 0 3 4 0 1 2 0 6 1 0 4 2 1 0";
    accepted_and_refused(&Snake::in_dimension(7), longest, (49, "1"), "move 50");
    assert!(snake.certify(&[0, 6]).is_err() && snake.certify(&[0, 0]).is_err() && snake.certify(&[200]).is_err());
}

#[test]
fn coils_are_certified() {
    let coil = Snake::coil_in_dimension(6);
    let longest = "0 1 2 3 4 1 3 5 2 1 3 4 1 2 0 4 2 5 1 3 2 5 4 2 1";
    accepted_and_refused(&coil, longest, (24, "4"), "move 25: vertex 50 is next");
    let parsed = coil.parse(&longest.split(' ').chain(["3"]).collect::<Vec<_>>()).unwrap();
    assert!(coil.certify(&parsed).unwrap_err().to_string().contains("the coil is closed already"));
    let longest = "0 1 2 3 4 2 1 5 4 2 3 4 5 0 3 5 6 0 5 4 2 1 5 2 3 4 5 2 1 5 4 0 2 5 1 3 4 2 5 3 6 2 4 3 2 5 1";
    accepted_and_refused(&Snake::coil_in_dimension(7), longest, (20, "3"), "move 22: vertex 71 is next");
    let lost = Snake::coil_in_dimension(4).certify(&[0, 1, 2, 0, 3, 1, 0]).unwrap_err();
    assert_eq!(lost.to_string(), "move 7: after it the path cannot return to its start");
}

#[test]
fn weak_schur_partitions_are_certified() {
    let best = "1 1 2 1 2 2 2 1 3 3 1 3 3 3 3 3 3 3 2 3 2 1 2 4 1 4 4 4 4 4 4 4 4 4 1 2 2 2 4 4 4 4 4 4 4 4 4 4 4 1 2 2 2 3 3 3 3 3 \
                3 3 3 3 1 2 2 2";
    accepted_and_refused(&WeakSchur::with_sets(4), best, (2, "1"), "move 3: 3 = 1 + 2, which are in set 1 too");
    accepted_and_refused(&WeakSchur::with_sets(4), best, (8, "4"), "move 9: 9 begins set 4, but set 3 is still empty");
    assert!(WeakSchur::with_sets(4).certify(&[9]).is_err());
}

#[test]
fn cap_sets_and_points_on_grids_are_certified() {
    let cap = "1202 1021 2222 0202 0011 1001 1002 1012 0100 1201 1220 0101 0021 2101 0002 0121 0122 0022 1222 1121";
    accepted_and_refused(&CapSet::in_dimension(4), cap, (19, "1120"), "move 20: 1120 is on a line with");
    accepted_and_refused(&CapSet::in_dimension(4), cap, (19, "1202"), "1202 is in the set already");
    let grid = "1,7 3,8 5,2 4,3 2,2 6,7 7,3 7,5 2,4 8,6 6,5 8,8 1,4 4,1 3,6 5,1";
    accepted_and_refused(&NoThreeInLine::on_grid(8), grid, (15, "6,1"), "move 16: 6,1 is in line with 5,2 and 4,3");
    assert!(NoThreeInLine::on_grid(8).certify(&[64]).is_err());
}

/// The searches that the defaults are made of: no others are compiled for these problems.
type Defaults = (Playout, Repeat, Step, Lookahead, Nested, Nrpa, Dfs, Beam, Pool, Portfolio);

/// The default search finds a game as good as the bound.
#[track_caller]
fn finds_the_best<P: Problem>(problem: &P) {
    let search = problem.default_search(Allowance::Unknown).search;
    let outcome = Run::of::<Defaults>(problem, search).seed(1).playouts(3_000_000).start().unwrap();
    assert_eq!((outcome.stop, outcome.score()), (Stop::Bound, problem.bound()));
}

#[test]
fn default_searches_find_the_best() {
    for dimensions in 2..=7 {
        finds_the_best(&Snake::in_dimension(dimensions));
        finds_the_best(&Snake::coil_in_dimension(dimensions));
    }
    (1..=4).for_each(|sets| finds_the_best(&WeakSchur::with_sets(sets)));
    (1..=4).for_each(|dimension| finds_the_best(&CapSet::in_dimension(dimension)));
    (2..=8).for_each(|marks| finds_the_best(&Golomb::with_marks(marks)));
    (1..=10).for_each(|side| finds_the_best(&NoThreeInLine::on_grid(side)));
    finds_the_best(&SidonSet::up_to(100));
}

/// The outlook is the number of free vertices that can be reached; a neighbour of the start of a coil is free.
#[test]
fn the_outlook_of_a_snake_counts_free_vertices() {
    let after = |mut snake: Snake, moves: &[u8]| {
        moves.iter().for_each(|&played| snake.play(played));
        snake.outlook()
    };
    assert_eq!(after(Snake::in_dimension(3), &[]), Some(7.0));
    assert_eq!(after(Snake::in_dimension(3), &[0]), Some(4.0), "3, 5, 7 and 6");
    assert_eq!(after(Snake::in_dimension(3), &[0, 1, 2]), Some(1.0), "only 6");
    assert_eq!(after(Snake::coil_in_dimension(3), &[0]), Some(6.0), "2 and 4 too");
    assert_eq!(after(Snake::in_dimension(9), &[0]), Some((512 - 2 - 8) as f64));
    assert_eq!(after(Snake::in_dimension(11), &[0]), Some((2048 - 2 - 10) as f64));
}

/// By the definition, and by the shortest rulers.
#[test]
fn sidon_sets_are_golomb_rulers() {
    accepted_and_refused(&SidonSet::up_to(35), "1 2 5 10 16 23 33 35", (4, "15"), "repeats a sum");
    let sizes: Vec<f64> = (1..=8).map(|largest| SidonSet::up_to(largest).bound().unwrap()).collect();
    assert_eq!(sizes, [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0]);
    assert_eq!(SidonSet::up_to(586).bound(), None);
}

/// Tries every game of a problem.
fn all_tried<P: Problem>(problem: P) -> Outcome<P::Move> {
    Run::of::<(Dfs,)>(&Unbounded(problem), Search::dfs()).start().unwrap()
}

/// Depth-first search agrees with the published values where it can try everything.
#[test]
fn small_values_are_proven_by_trying_everything() {
    let proven = |outcome: Outcome<u16>| (outcome.score().unwrap(), outcome.proven);
    for largest in 1..=12 {
        let set = SidonSet::up_to(largest);
        assert_eq!(proven(all_tried(set.clone())), (set.bound().unwrap(), true), "up to {largest}");
    }
    for marks in 2..=5_u16 {
        let found = proven(all_tried(Golomb::with_marks(marks)));
        assert_eq!(found, (SHORTEST[usize::from(marks) - 1].into(), true), "{marks} marks");
    }
    for (dimension, size) in [(1, 2.0), (2, 4.0)] {
        assert_eq!(proven(all_tried(CapSet::in_dimension(dimension))), (size, true));
    }
    assert_eq!(proven(all_tried(NoThreeInLine::on_grid(3))), (6.0, true));
}

/// The same for paths and partitions: the lengths of A099155 and A000937, and the first weak Schur numbers.
#[test]
fn small_paths_are_proven_by_trying_everything() {
    for (dimensions, length) in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 7.0), (5, 13.0)] {
        let outcome = all_tried(Snake::in_dimension(dimensions));
        assert_eq!((outcome.score(), outcome.proven), (Some(length), true), "snake in dimension {dimensions}");
    }
    for (dimensions, length) in [(2, 4.0), (3, 6.0), (4, 8.0), (5, 14.0)] {
        let outcome = all_tried(Snake::coil_in_dimension(dimensions));
        assert_eq!((outcome.score(), outcome.proven), (Some(length), true), "coil in dimension {dimensions}");
    }
    for (sets, last) in [(1, 2.0), (2, 8.0), (3, 23.0)] {
        let outcome = all_tried(WeakSchur::with_sets(sets));
        assert_eq!((outcome.score(), outcome.proven), (Some(last), true), "{sets} sets");
    }
}

/// A problem that does not say how good a game can be.
#[derive(Clone)]
struct Unbounded<P>(P);

impl<P: Problem> Problem for Unbounded<P> {
    type Move = P::Move;

    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, played: P::Move) {
        self.0.play(played);
    }

    fn score(&self) -> f64 {
        self.0.score()
    }

    fn goal(&self) -> nestling::Goal {
        self.0.goal()
    }

    fn code(&self, played: P::Move) -> u64 {
        self.0.code(played)
    }

    fn certify(&self, moves: &[P::Move]) -> Result<nestling::Certificate, Illegal> {
        self.0.certify(moves)
    }
}
