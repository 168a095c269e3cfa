//! Simulated annealing: change the ending of one game again and again, and accept worse games too while it is hot.

use nestling::search::{Algorithm, Argument, Form, FrameCheck, Menu, Plan, PlanError, Planned, Planner, ScoredMoves};
use nestling::search::{Profile, SearchProgress, SearchReport, Task};
use nestling::{Estimate, Move, Problem, Search, Stream, engine};
use serde::{Deserialize, Serialize};

/// `anneal(n, heat=1)`: n games, each of which begins like the last accepted one.
pub struct Anneal;

impl Algorithm for Anneal {
    const FORM: Form = Form {
        name: "anneal",
        example: "anneal(10000)",
        about: "plays n games, each with a new ending; accepts worse games too while it is hot",
        arguments: &[Argument::integer("steps", 1, u64::MAX).symbol("n").about("games to play")],
        options: &[Argument::positive("heat")
            .default_number(1.0)
            .about("the loss that is accepted with probability 1/e at first")],
        menu: Some(Menu {
            title: "Simulated annealing",
            about: "Changes the ending of its game again and again; at first it accepts worse games too.",
            choice: "Games",
            choices: &["1000", "10000", "100000"],
            usual: "10000",
        }),
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let (steps, heat, policy) = (search.integer("steps"), search.number("heat"), planner.policy(search)?);
        planner.ready(search, Annealing { steps, heat, policy })
    }
}

struct Annealing {
    steps: u64,
    heat: f64,
    policy: engine::PlayoutPolicy,
}

/// The state of a search: its progress, and the last accepted game.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct Walk<M> {
    tally: SearchProgress<M>,
    kept: Option<ScoredMoves<M>>,
}

impl<P: Problem> Plan<P> for Annealing {
    type Frame = Walk<P::Move>;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Walk<P::Move>>,
    ) -> SearchReport<P::Move, Walk<P::Move>> {
        let mut this = frame.unwrap_or(Walk { tally: SearchProgress::default(), kept: None });
        while this.tally.counts.playouts < self.steps {
            if let Some(reason) = task.stop(&this.tally) {
                return this.tally.clone().cut(reason, this);
            }
            // Every step has a stream of its own, so that it does not matter where the search was interrupted.
            let step = this.tally.counts.playouts;
            let mut rng = stream.child(step).own().rng();
            let before = this.kept.as_ref().map_or(&[][..], |kept| &kept.moves);
            let beginning = &before[..rng.below(before.len().max(1))];
            let game = match task.playout(&self.policy, state, beginning, stream.child(step)) {
                Ok(game) => game,
                Err(reason) => return this.tally.clone().cut(reason, this),
            };
            this.tally.count(task, 1, (game.moves.len() - beginning.len()) as u64, Some((game.score, &game.moves)));
            let heat = self.heat * (1.0 - step as f64 / self.steps as f64);
            let is_kept = this.kept.as_ref().is_none_or(|kept| {
                let loss = task.goal().value(kept.score) - task.goal().value(game.score);
                loss <= 0.0 || rng.unit() < engine::math::exp(-loss / heat)
            });
            if is_kept {
                this.kept = Some(game);
            }
        }
        let best = this.tally.seen.clone().expect("at least one game was played");
        this.tally.clone().ended(task, best, |_| this)
    }

    fn check_frame(&self, state: &P, walk: &Walk<P::Move>) -> FrameCheck {
        let is_legal = |game: &ScoredMoves<P::Move>| state.certify(&game.moves).is_ok();
        if walk.kept.as_ref().is_none_or(is_legal) { Ok(()) } else { Err("its game is not legal") }
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.playouts(self.steps as f64, profile.seconds_per_move(&self.policy) / 2.0)
    }
}
