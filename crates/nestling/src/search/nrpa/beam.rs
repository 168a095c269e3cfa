//! Beam NRPA: a level keeps several games, each with a policy of its own.
//!
//! Cazenave and Teytaud, *Beam Nested Rollout Policy Adaptation*, 2012; with different games only, Edelkamp and Cazenave, *Improved Diversity in Nested
//! Rollout Policy Adaptation*, 2016.

use serde::{Deserialize, Serialize};

use super::Adaptation;
use super::searching::{FrameCodes, Searching};
use crate::codes::Codes;
use crate::estimate::{Estimate, Profile};
use crate::expression::Search;
use crate::learner::Trace;
use crate::problem::{Move, Problem, is_over};
use crate::search::{FrameCheck, Plan, PlanError, Reason, SearchProgress, SearchReport, Task, require};
use crate::stream::Stream;
use crate::weights::Weights;

/// NRPA with a beam of `size` games on every level.
pub(super) struct BeamAdaptation {
    adaptation: Adaptation,
    size: usize,
    /// Whether the games of a beam lead to different final states.
    diverse: bool,
}

impl BeamAdaptation {
    pub fn new(adaptation: Adaptation, search: &Search, size: usize) -> Result<Self, PlanError> {
        let rules = &adaptation.rules;
        let excluded = [
            ("tries", rules.tries > 1),
            ("repetitions", rules.repetitions.is_some()),
            ("stopping", rules.stopping.is_some()),
            ("adapt", rules.only_after_improvement),
            ("explore", adaptation.explore),
            ("learn_bias", adaptation.learns_biases),
        ];
        if let Some((other, _)) = excluded.into_iter().find(|(_, is_given)| *is_given) {
            return Err(PlanError::Excluded { search: "nrpa", one: "beam", other });
        }
        Ok(BeamAdaptation { adaptation, size, diverse: search.is_on("diverse") })
    }
}

/// All that a search knows: `levels[l - 1]` is where level l stands.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct BeamLearning<M> {
    tally: SearchProgress<M>,
    levels: Vec<BeamLevel<M>>,
    /// The codes by number.
    codes: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct BeamLevel<M> {
    /// Whether the level is in the middle of its iterations.
    active: bool,
    iteration: u64,
    /// The best first; one without a game before the first iteration.
    beam: Vec<BeamPolicy<M>>,
    /// How many members have called the level below in this iteration, and what these calls have found.
    called: usize,
    found: Vec<BeamGame<M>>,
}

/// A policy, and the game that it was adapted to.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct BeamPolicy<M> {
    policy: Vec<f64>,
    game: Trace<M>,
    /// The key of the final state, where final states must differ.
    key: u64,
}

/// A game that was found with the policy of the member number `parent`.
#[derive(Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct BeamGame<M> {
    parent: usize,
    game: Trace<M>,
    key: u64,
}

impl<M> Default for BeamLevel<M> {
    fn default() -> Self {
        BeamLevel { active: false, iteration: 0, beam: Vec::new(), called: 0, found: Vec::new() }
    }
}

impl<P: Problem> Plan<P> for BeamAdaptation {
    type Frame = BeamLearning<P::Move>;

    const FRAME_VERSION: u32 = 3;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || BeamLearning { tally: SearchProgress::default(), levels: Vec::new(), codes: Vec::new() };
        let BeamLearning { tally, mut levels, codes } = frame.unwrap_or_else(new);
        // From the end of a game there is nothing to learn.
        let level = if is_over(state) { 0 } else { self.adaptation.level };
        levels.resize_with(level as usize, BeamLevel::default);
        let searching = Searching::new(&self.adaptation, task, state, tally, codes);
        let mut search = Beaming { plan: self, start: state, searching };
        let start_policy = search.searching.codes.start().to_vec();
        let ended = search.level(&mut levels, &start_policy, stream);
        let Beaming { searching, .. } = search;
        let learned = task.is_root().then(|| self.learned(&searching.codes, &levels));
        let best = if ended.is_ok() { levels.pop().map(|mut level| level.beam.swap_remove(0).game) } else { None };
        let report = searching.report(ended, best, |tally, codes| BeamLearning { tally, levels, codes });
        SearchReport { learned, ..report }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        let BeamLearning { tally, levels, codes } = frame;
        let codes = FrameCodes::of(&self.adaptation, state, codes)?;
        require(levels.len() <= self.adaptation.level as usize, "it has too many levels")?;
        levels.iter().filter(|level| level.active).try_for_each(|level| {
            let BeamLevel { iteration, beam, called, found, .. } = level;
            require(*iteration <= tally.counts.playouts, "its iterations do not match its count")?;
            require((1..=self.size).contains(&beam.len()) && *called <= beam.len(), "its beam is impossible")?;
            require(*iteration > 0 || *called == 0 || !found.is_empty(), "it has called a level that found nothing")?;
            require(found.iter().all(|found| found.parent < beam.len()), "a game has a policy that does not exist")?;
            beam.iter().try_for_each(|member| codes.check_policy(&member.policy))?;
            let kept = beam.iter().map(|member| &member.game).filter(|_| *iteration > 0);
            kept.chain(found.iter().map(|found| &found.game)).try_for_each(|game| codes.check_game(game))
        })
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        // In its first iteration a level has one member.
        let calls = 1.0 + (self.adaptation.rules.iterations as f64 - 1.0) * self.size as f64;
        self.adaptation.cost_of(profile, calls.powi(self.adaptation.level as i32))
    }
}

impl BeamAdaptation {
    /// The policy of the best member of the highest level that has learned anything, as weights; none if no level has.
    fn learned<M>(&self, codes: &Codes, levels: &[BeamLevel<M>]) -> Weights {
        let policies = levels.iter().rev().filter_map(|level| level.beam.first()).map(|member| &member.policy);
        let mut changed = policies.filter(|policy| policy.iter().zip(codes.start()).any(|(now, start)| now != start));
        changed.next().map_or_else(Weights::default, |policy| self.adaptation.weights(codes, policy))
    }
}

struct Beaming<'a, P: Problem> {
    plan: &'a BeamAdaptation,
    start: &'a P,
    searching: Searching<'a, P>,
}

impl<P: Problem> Beaming<'_, P> {
    /// Runs the level that `levels` has room for, starting from a copy of `policy`; its beam is in its last place afterwards.
    fn level(&mut self, levels: &mut [BeamLevel<P::Move>], policy: &[f64], stream: Stream) -> Result<(), Reason> {
        let Some((level, below)) = levels.split_last_mut() else { return self.searching.playout(policy, stream) };
        if !level.active {
            let mut policy = policy.to_vec();
            self.searching.extend(&mut policy);
            let alone = BeamPolicy { policy, game: Trace::default(), key: 0 };
            *level = BeamLevel { active: true, beam: vec![alone], ..BeamLevel::default() };
        }
        while level.iteration < self.plan.adaptation.rules.iterations {
            while let Some(member) = level.beam.get(level.called) {
                let number = level.iteration * self.plan.size as u64 + level.called as u64;
                self.level(below, &member.policy, stream.child(number))?;
                self.collect(level, below);
                level.called += 1;
            }
            self.choose(level);
            for member in &mut level.beam {
                self.searching.adapt(&mut member.policy, &member.game);
            }
            level.iteration += 1;
        }
        level.active = false;
        Ok(())
    }

    /// Adds what the level below has just found to what this iteration has found.
    fn collect(&mut self, level: &mut BeamLevel<P::Move>, below: &mut [BeamLevel<P::Move>]) {
        let parent = level.called;
        if let Some(below) = below.last_mut() {
            let members = below.beam.drain(..);
            level.found.extend(members.map(|BeamPolicy { game, key, .. }| BeamGame { parent, game, key }));
            return;
        }
        let (score, goal) = (self.searching.played.score, self.searching.task.goal());
        let kept = if level.iteration > 0 { &level.beam[..] } else { &[] };
        let known = level.found.iter().map(|found| &found.game).chain(kept.iter().map(|member| &member.game));
        let better = known.filter(|game| goal.better(game.score, score)).count();
        if self.plan.diverse || better < self.plan.size {
            let game = std::mem::take(self.searching.record());
            let key = if self.plan.diverse { self.start.key(&game.moves) } else { 0 };
            level.found.push(BeamGame { parent, game, key });
        }
    }

    /// Makes the best of what was found and of the beam the next beam. Of equals, what was found goes first, in its order: so NRPA with one member
    /// replaces its game by an equal one.
    fn choose(&mut self, level: &mut BeamLevel<P::Move>) {
        let goal = self.searching.task.goal();
        let (mut policies, mut candidates) = (Vec::new(), std::mem::take(&mut level.found));
        for (parent, BeamPolicy { policy, game, key }) in level.beam.drain(..).enumerate() {
            policies.push(policy);
            if level.iteration > 0 {
                candidates.push(BeamGame { parent, game, key });
            }
        }
        candidates.sort_by(|one, other| goal.value(other.game.score).total_cmp(&goal.value(one.game.score)));
        for BeamGame { parent, game, key } in candidates {
            let is_new = !self.plan.diverse || level.beam.iter().all(|member| member.key != key);
            if is_new && level.beam.len() < self.plan.size {
                level.beam.push(BeamPolicy { policy: policies[parent].clone(), game, key });
            }
        }
        // Whatever else the levels below have met matters no longer: no policy above has a place for it.
        let count = policies.iter().map(Vec::len).max().unwrap_or(0);
        self.searching.codes.forget_beyond(count, level.beam.iter_mut().map(|member| &mut member.game));
        level.called = 0;
    }
}
