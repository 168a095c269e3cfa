//! `replay`: games that are known already, as the beginning of another search.

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
        about: "replays a game of a file, drawn at random if there are several, and finishes it with random moves if it is not complete",
        arguments: &[Argument::games("games").about("a file with one game or several")],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let file = search.file("games").expect("the form asks for one");
        planner.ready(search, Known { games: planner.games(file)?, policy: planner.policy(search)? })
    }
}

/// Games that are known.
///
/// ```
/// use nestling::Search;
/// let search = Search::pool(1_000_000).first(Search::replay("games.psol"));
/// assert_eq!(search.to_string(), "pool(1000000, first=replay(games.psol))");
/// ```
impl Search {
    /// A game of a file; [`Run::games`](crate::Run::games) says what is in it.
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

/// The moves of a game that are legal one after the other. From the beginning of the problem these are all; a search that starts after some
/// moves leaves out those that have been played or have become impossible.
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
