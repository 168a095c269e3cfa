//! `replay`: known games, as the start of another search.

use std::sync::Arc;

use super::playout::one_game;
use super::{Algorithm, Argument, Form, Plan, PlanError, Planned, Planner, Profile, SearchReport, Task};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::PlayoutPolicy;
use crate::problem::Problem;
use crate::stream::Stream;

/// `replay(FILE)`: a game of a file.
pub struct Replay;

impl Algorithm for Replay {
    const FORM: Form = Form {
        name: "replay",
        example: "replay(games.psol)",
        about: "replays a random game of the file; if the game is not complete, finishes it with random moves",
        arguments: &[Argument::games("games").symbol("FILE").about("a file with one game or several")],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let file = search.file("games").expect("the form asks for one");
        planner.ready(search, Known { games: planner.games(file)?, policy: planner.policy(search)? })
    }
}

/// Known games.
///
/// ```
/// use nestling::Search;
/// let search = Search::pool(1_000_000).first(Search::replay("games.psol"));
/// assert_eq!(search.to_string(), "pool(1000000, first=replay(games.psol))");
/// ```
impl Search {
    /// A game of a file, whose games are given by [`Run::games`](crate::Run::games).
    pub fn replay(file: impl Into<String>) -> Search {
        Search::of::<Replay>().with("games", file.into())
    }
}

struct Known<M> {
    games: Arc<[Vec<M>]>,
    policy: PlayoutPolicy,
}

impl<P: Problem> Plan<P> for Known<P::Move> {
    type Frame = ();

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        _: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let game = &self.games[stream.child(0).own().rng().below(self.games.len())];
        one_game(task, &self.policy, state, &legal_part(state, game), stream, |_| ())
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.playouts(1.0, profile.seconds_per_move(&self.policy))
    }

    fn is_light(&self) -> bool {
        true
    }
}

/// Plays the moves of a game in order, and leaves out those that are not legal. From the beginning of the problem all are legal; for a
/// search that starts after some moves, those that were played or have become impossible are left out.
pub fn legal_part<P: Problem>(state: &P, game: &[P::Move]) -> Vec<P::Move> {
    let (mut state, mut legal, mut kept) = (state.clone(), Vec::new(), Vec::new());
    for &next in game {
        state.legal_moves(&mut legal);
        if legal.contains(&next) {
            state.play(next);
            kept.push(next);
        }
    }
    kept
}
