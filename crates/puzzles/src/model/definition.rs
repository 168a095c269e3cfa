//! What a model says, compiled.

use cel::common::ast::IdedExpr;
use nestling::Goal;

use super::compile::Variable;
use super::evaluate::{Data, Fault, LARGEST, Node, Scene};

/// A model.
#[derive(Debug)]
pub struct ModelDefinition {
    pub(super) name: Option<String>,
    pub(super) goal: Goal,
    /// The names of the choices.
    pub(super) choices: Vec<String>,
    /// Whether a choice may be played more than once.
    pub(super) repeat: bool,
    /// The most moves of a game.
    pub(super) length: usize,
    pub(super) codes: Codes,
    pub(super) bound: Option<f64>,
    pub(super) data: Vec<(String, Data)>,
    pub(super) state: Vec<State>,
    pub(super) legal: Option<Rule>,
    pub(super) done: Option<Rule>,
    pub(super) score: Rule,
}

impl ModelDefinition {
    /// The most steps that computing one state and its choices takes.
    pub(super) fn steps(&self) -> f64 {
        let changes = self.state.iter().flat_map(|state| state.next.iter().chain(&state.at));
        let each: f64 = self.legal.iter().chain(changes).map(|rule| rule.steps).sum();
        let once: f64 = self.done.iter().chain([&self.score]).map(|rule| rule.steps).sum();
        once + self.choices.len() as f64 * (1.0 + each)
    }
}

/// When a learning search takes two moves for the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codes {
    /// The same choice at the same step.
    Step,
    /// The same choice.
    Choice,
    /// The same choice after the same choice.
    Previous,
}

impl Codes {
    pub const ALL: [(&str, Codes); 3] =
        [("step", Codes::Step), ("choice", Codes::Choice), ("previous", Codes::Previous)];
}

/// An expression of a model.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its key, such as `legal` or `state.load.next`.
    pub key: String,
    pub line: usize,
    pub tree: IdedExpr,
    pub node: Node,
    /// The most steps that computing it takes.
    pub steps: f64,
}

impl Rule {
    /// The message for an expression that has no value.
    pub fn without_value(&self, reason: &str) -> String {
        format!("line {}: {} has no value here: {reason}", self.line, self.key)
    }

    pub fn value(&self, scene: Scene<'_>) -> Result<f64, Fault> {
        let value = self.node.value(scene)?;
        if value.abs() <= LARGEST { Ok(value) } else { Err(Fault::Infinite) }
    }
}

/// A value that changes during a game.
#[derive(Debug)]
pub(super) struct State {
    pub variable: Variable,
    /// The numbers at the start.
    pub start: Vec<f64>,
    /// The value after a move; of a list, that of one element.
    pub next: Option<Rule>,
    /// Which element of a list changes.
    pub at: Option<Rule>,
}
