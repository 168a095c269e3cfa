//! The rules of a model as CEL's own interpreter understands them. It shares nothing with [`evaluate`](super::evaluate) but the trees of
//! the expressions, and verifies games.

use std::sync::Arc;

use cel::{Context, ExecutionError, Value};
use nestling::{Certificate, Illegal};

use super::definition::{Rule, State};
use super::evaluate::{Data, Fault, LARGEST, WIDEST, whole};
use super::language;
use super::{ModelDefinition, WORST};

/// A game that is replayed.
struct PlainReplay<'m> {
    definition: &'m ModelDefinition,
    context: Context<'m, 'm>,
    state: Vec<f64>,
    played: Vec<u16>,
}

/// Replays moves after `played`, where the values are `state`.
pub(super) fn certify(
    definition: &ModelDefinition,
    state: &[f64],
    played: &[u16],
    moves: &[u16],
) -> Result<Certificate, Illegal> {
    language::with_large_stack(|| replay(definition, state, played, moves))
}

fn replay(definition: &ModelDefinition, state: &[f64], played: &[u16], moves: &[u16]) -> Result<Certificate, Illegal> {
    let mut replay =
        PlainReplay { definition, context: context(definition), state: state.to_vec(), played: played.to_vec() };
    replay.show();
    let worst = definition.goal.value(WORST);
    for (index, &choice) in moves.iter().enumerate() {
        if let Some(reason) = replay.refusal(choice) {
            return Err(Illegal { index, reason });
        }
        // A change without a value ends the game.
        if let Err(reason) = replay.play(choice) {
            let is_last = index + 1 == moves.len();
            let refused = || Illegal { index: index + 1, reason: format!("the game is over: {reason}") };
            return is_last.then_some(Certificate { score: worst, terminal: true }).ok_or_else(refused);
        }
    }
    let score = replay.number(&definition.score).unwrap_or(worst);
    let terminal = (0..definition.choices.len() as u16).all(|choice| replay.refusal(choice).is_some());
    Ok(Certificate { score, terminal })
}

impl PlainReplay<'_> {
    /// Why a choice is not legal now.
    fn refusal(&mut self, choice: u16) -> Option<String> {
        let definition = self.definition;
        let Some(name) = definition.choices.get(usize::from(choice)) else {
            return Some(format!("there is no choice {choice}; there are {}", definition.choices.len()));
        };
        if self.played.len() >= definition.length {
            return Some(format!("{name} comes after the end of the game, which has {} moves", definition.length));
        }
        if !definition.repeat && self.played.contains(&choice) {
            return Some(format!("{name} was played before, and repeat = false"));
        }
        if let Some(done) = &definition.done {
            match self.truth(done) {
                Ok(false) => {}
                Ok(true) => return Some(format!("{name} comes after the end of the game: `done` is true")),
                Err(reason) => return Some(reason),
            }
        }
        self.context.add_variable_from_value("choice", f64::from(choice));
        let legal = definition.legal.as_ref().map_or(Ok(true), |legal| self.truth(legal));
        match legal {
            Ok(true) => None,
            Ok(false) => Some(format!("{name} breaks the rule `legal`")),
            Err(reason) => Some(reason),
        }
    }

    /// Plays a legal choice; the reason if a change has no value.
    fn play(&mut self, choice: u16) -> Result<(), String> {
        let mut after = self.state.clone();
        for State { variable, next, at, .. } in &self.definition.state {
            let Some(next) = next else { continue };
            let index = match at {
                Some(at) => whole(self.number(at)?).map_err(|fault| at.without_value(&fault.reason()))?,
                None => 0,
            };
            if index >= variable.size.unwrap_or(1) {
                return Err(at
                    .as_ref()
                    .map_or(String::new(), |at| at.without_value("an index is outside of its list")));
            }
            after[variable.place + index] = self.number(next)?;
        }
        self.state = after;
        self.played.push(choice);
        self.show();
        Ok(())
    }

    /// Tells the interpreter the values of the state.
    fn show(&mut self) {
        for State { variable, .. } in &self.definition.state {
            let value = match variable.size {
                None => Value::Float(self.state[variable.place]),
                Some(size) => list(self.state[variable.place..variable.place + size].iter().copied()),
            };
            self.context.add_variable_from_value(&variable.name, value);
        }
        self.context.add_variable_from_value("step", self.played.len() as f64);
        self.context.add_variable_from_value("played", list(self.played.iter().map(|&choice| choice.into())));
    }

    fn value(&self, rule: &Rule) -> Result<Value, String> {
        Value::resolve(&rule.tree, &self.context).map_err(|error| rule.without_value(&reason(&error)))
    }

    fn number(&self, rule: &Rule) -> Result<f64, String> {
        match self.value(rule)? {
            Value::Float(number) if number.abs() <= LARGEST => Ok(number),
            _ => Err(rule.without_value(&Fault::Infinite.reason())),
        }
    }

    fn truth(&self, rule: &Rule) -> Result<bool, String> {
        match self.value(rule)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(rule.without_value("the value is neither true nor false")),
        }
    }
}

fn reason(error: &ExecutionError) -> String {
    match error {
        ExecutionError::FunctionError { message, .. } => message.clone(),
        ExecutionError::IndexOutOfBounds(_) => "an index is outside of its list".to_owned(),
        other => other.to_string().lines().next().unwrap_or_default().to_owned(),
    }
}

fn list(numbers: impl Iterator<Item = f64>) -> Value {
    Value::List(Arc::new(numbers.map(Value::Float).collect()))
}

fn value(data: &Data) -> Value {
    match data {
        Data::Number(number) => Value::Float(*number),
        Data::Numbers(numbers) => list(numbers.iter().copied()),
        Data::Lists(lists) => Value::List(Arc::new(lists.iter().map(value).collect())),
    }
}

fn failed<T>(function: &str, message: &str) -> Result<T, ExecutionError> {
    Err(ExecutionError::function_error(function, message))
}

/// The data and functions of a model.
fn context<'m>(definition: &ModelDefinition) -> Context<'m, 'm> {
    let mut context = Context::with_env(Arc::new(language::environment()));
    for (name, data) in &definition.data {
        context.add_variable_from_value(name, value(data));
    }
    context.add_variable_from_value("length", definition.length as f64);
    let added = [
        context.add_function("@abs", f64::abs as fn(f64) -> f64),
        context.add_function("@ceil", f64::ceil as fn(f64) -> f64),
        context.add_function("@floor", f64::floor as fn(f64) -> f64),
        context.add_function("@max", f64::max as fn(f64, f64) -> f64),
        context.add_function("@min", f64::min as fn(f64, f64) -> f64),
        context.add_function("@sqrt", |number: f64| {
            if number < 0.0 { failed("sqrt", "a square root of a negative number") } else { Ok(number.sqrt()) }
        }),
        context.add_function("@divide", |left: f64, right: f64| {
            if right == 0.0 { failed("/", "a division by zero") } else { Ok(left / right) }
        }),
        context.add_function("@remainder", |left: f64, right: f64| {
            if right == 0.0 { failed("%", "a division by zero") } else { Ok(left.rem_euclid(right)) }
        }),
        context.add_function("@index", |index: f64| match whole(index) {
            Ok(index) => Ok(index as i64),
            Err(_) => failed("[]", "an index is outside of its list"),
        }),
        context.add_function("@range", |end: f64| match whole(end).ok().filter(|&end| end <= WIDEST) {
            Some(end) => Ok(list((0..end).map(|index| index as f64))),
            None => failed("range", &format!("range() takes a whole number from 0 to {WIDEST}")),
        }),
    ];
    assert!(added.iter().all(Result::is_ok), "no name of a model is one of CEL");
    context
}
