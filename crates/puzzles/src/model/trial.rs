//! Random games of a new model, to find expressions without a value.

use nestling::{Problem, Stream};

use super::definition::Rule;
use super::evaluate::whole;
use super::read::ReadError;
use super::{Fault, Model};

/// How many random games are played, and for how many steps of computing expressions in all.
const TRIALS: u64 = 20;
const TRIAL_STEPS: f64 = 2e7;

impl Model {
    /// Plays random games, and refuses the model if an expression has no value in one of them.
    pub(super) fn try_out(&self) -> Result<(), ReadError> {
        let (mut legal, mut left) = (Vec::new(), TRIAL_STEPS);
        let steps = self.definition.steps();
        for game in 0..TRIALS {
            if left <= 0.0 {
                break;
            }
            let (mut state, mut rng) = (self.clone(), Stream::new(game).rng());
            loop {
                state.check_values()?;
                state.legal_moves(&mut legal);
                if legal.is_empty() || left <= 0.0 {
                    break;
                }
                left -= steps;
                state.play(legal[rng.below(legal.len())]);
            }
            if legal.is_empty() && state.played.is_empty() {
                let rule = self.definition.legal.as_ref().or(self.definition.done.as_ref());
                let line = rule.map_or(1, |rule| rule.line);
                return Err(ReadError {
                    line,
                    reason: "no choice is legal at the start; check `legal` and `done`".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Computes every expression of this state, for every choice.
    fn check_values(&self) -> Result<(), ReadError> {
        let definition = &*self.definition;
        let refuse = |rule: &Rule, choice: Option<u16>, fault: Fault| {
            let before: Vec<&str> =
                self.played.iter().map(|&choice| &definition.choices[usize::from(choice)][..]).collect();
            let choice = choice.map_or(String::new(), |choice| format!(", with choice {choice}"));
            let game =
                if before.is_empty() { "at the start".to_owned() } else { format!("after {}", before.join(", ")) };
            let game = nestling_presentation::shown(&game, 60);
            let reason = format!("{}: it has no value {game}{choice}: {}", rule.key, fault.reason());
            Err(ReadError { line: rule.line, reason })
        };
        for rule in definition.done.iter().chain([&definition.score]) {
            // Only the score of a finished game is needed, but a rule with a value everywhere is easier to trust.
            if let Err(fault) = rule.value(self.scene(0)) {
                return refuse(rule, None, fault);
            }
        }
        if self.is_over() {
            return Ok(());
        }
        for choice in (0..definition.choices.len() as u16)
            .filter(|&choice| definition.repeat || !self.is_played[usize::from(choice)])
        {
            let legal = definition.legal.iter().map(|rule| (rule, rule.value(self.scene(choice))));
            for (rule, value) in legal {
                if let Err(fault) = value {
                    return refuse(rule, Some(choice), fault);
                }
            }
            if self.is_legal(choice) {
                for state in &definition.state {
                    for rule in state.next.iter().chain(&state.at) {
                        if let Err(fault) = rule.value(self.scene(choice)) {
                            return refuse(rule, Some(choice), fault);
                        }
                    }
                    let index = state.at.as_ref().map(|at| (at, at.value(self.scene(choice)).and_then(whole)));
                    if let Some((at, index)) = index
                        && index.is_ok_and(|index| index >= state.variable.size.unwrap_or(1)) | index.is_err()
                    {
                        return refuse(at, Some(choice), Fault::Index);
                    }
                }
            }
        }
        Ok(())
    }
}
