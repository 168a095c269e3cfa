//! Problems described in a file: sequences of choices, with rules and a score written as expressions.
//!
//! [`Model::read`] reads the file (TOML) and compiles its expressions; a [`Model`] is then a problem like any other. The language of the
//! expressions is CEL, which has no endless loops and cannot read files. Searches use the compiled expressions; every game that is shown
//! is verified with the interpreter of the crate `cel`. `docs/GUIDE.md` describes the file.

mod compile;
mod definition;
mod evaluate;
mod language;
mod plain;
mod presentation;
mod read;
mod trial;

use std::sync::Arc;

use nestling::{Certificate, Goal, Illegal, Problem};

pub use definition::ModelDefinition;
pub use read::ReadError;

use definition::Codes;
use evaluate::{Fault, LARGEST, Scene};

/// The score of a game in which an expression has no value, if it is maximised; and minus that, if it is minimised.
const WORST: f64 = -LARGEST;

/// The most policy codes that are stored as an array.
const MOST_CODES: usize = 1 << 20;

/// A model, and at the same time one state of it: the choices so far.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::model::Model;
/// let model = Model::read(
///     "choices = [\"tent\", \"stove\", \"rope\"]\n\
///      repeat = false\n\
///      legal = \"(played.sum(c, weight[c])) + weight[choice] <= 8\"\n\
///      score = \"played.sum(c, value[c])\"\n\
///      data = { weight = [6, 3, 2], value = [30, 14, 16] }",
/// )?;
/// let outcome = Run::new(&model, "dfs".parse()?).start()?;
/// assert_eq!((outcome.score(), outcome.moves()), (Some(46.0), &[0, 2][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Model {
    definition: Arc<ModelDefinition>,
    /// The numbers of the state, one variable after another.
    state: Vec<f64>,
    played: Vec<u16>,
    is_played: Vec<bool>,
    /// The changes of a move while it is played.
    changes: Vec<(usize, f64)>,
    fault: Option<Fault>,
}

clone_state!(Model: shared [definition], owned [state, played, is_played, changes], plain [fault]);

impl Model {
    fn new(definition: ModelDefinition) -> Model {
        Model {
            state: definition.state.iter().flat_map(|state| state.start.clone()).collect(),
            played: Vec::with_capacity(definition.length),
            is_played: vec![false; definition.choices.len()],
            changes: Vec::with_capacity(definition.state.len()),
            fault: None,
            definition: Arc::new(definition),
        }
    }

    /// The name of the model, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.definition.name.as_deref()
    }

    /// The values that change during a game, by their names: a number each, or the numbers of a list.
    pub fn values(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.definition.state.iter().map(|state| {
            let variable = &state.variable;
            (&variable.name[..], &self.state[variable.place..variable.place + variable.size.unwrap_or(1)])
        })
    }

    fn scene(&self, choice: u16) -> Scene<'_> {
        Scene { data: &self.definition.data, state: &self.state, played: &self.played, choice }
    }

    fn is_over(&self) -> bool {
        let done = || self.definition.done.as_ref().is_some_and(|done| done.value(self.scene(0)) != Ok(0.0));
        self.fault.is_some() || self.played.len() >= self.definition.length || done()
    }

    fn is_legal(&self, choice: u16) -> bool {
        let legal = self.definition.legal.as_ref();
        (self.definition.repeat || !self.is_played[usize::from(choice)])
            && legal.is_none_or(|legal| legal.value(self.scene(choice)) == Ok(1.0))
    }

    /// Computes the changes of a move.
    fn change(&mut self, choice: u16) -> Result<(), Fault> {
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        let mut computed = Ok(());
        for state in &self.definition.state {
            let Some(next) = &state.next else { continue };
            let scene = self.scene(choice);
            let index = state.at.as_ref().map_or(Ok(0), |at| evaluate::whole(at.value(scene)?));
            let inside = index
                .and_then(|index| if index < state.variable.size.unwrap_or(1) { Ok(index) } else { Err(Fault::Index) });
            match inside.and_then(|index| Ok((state.variable.place + index, next.value(scene)?))) {
                Ok(change) => changes.push(change),
                Err(fault) => computed = computed.and(Err(fault)),
            }
        }
        self.changes = changes;
        computed
    }
}

impl Problem for Model {
    type Move = u16;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        if !self.is_over() {
            moves.extend((0..self.definition.choices.len() as u16).filter(|&choice| self.is_legal(choice)));
        }
    }

    fn play(&mut self, choice: u16) {
        match self.change(choice) {
            Ok(()) => self.changes.iter().for_each(|&(place, value)| self.state[place] = value),
            Err(fault) => self.fault = Some(fault),
        }
        self.played.push(choice);
        self.is_played[usize::from(choice)] = true;
    }

    fn score(&self) -> f64 {
        let score = self.fault.map_or_else(|| self.definition.score.value(self.scene(0)), Err);
        score.unwrap_or(self.goal().value(WORST))
    }

    fn goal(&self) -> Goal {
        self.definition.goal
    }

    fn code(&self, choice: u16) -> u64 {
        let (choices, choice) = (self.definition.choices.len() as u64, u64::from(choice));
        match self.definition.codes {
            Codes::Choice => choice,
            Codes::Step => self.played.len() as u64 * choices + choice,
            Codes::Previous => self.played.last().map_or(choices, |&last| last.into()) * choices + choice,
        }
    }

    fn dense_codes(&self) -> usize {
        let choices = self.definition.choices.len();
        let codes = match self.definition.codes {
            Codes::Choice => choices,
            Codes::Step => self.definition.length * choices,
            Codes::Previous => (choices + 1) * choices,
        };
        if codes <= MOST_CODES { codes } else { 0 }
    }

    fn bound(&self) -> Option<f64> {
        self.definition.bound
    }

    fn move_text(&self, choice: u16) -> String {
        self.definition.choices[usize::from(choice)].clone()
    }

    fn certify(&self, moves: &[u16]) -> Result<Certificate, Illegal> {
        plain::certify(&self.definition, &self.state, &self.played, moves)
    }
}
