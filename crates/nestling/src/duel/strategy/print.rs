//! Printing strategies: one canonical text for each, which parses back to the same.

use std::fmt::{Display, Formatter, Result};

use super::{
    Budget, DEFAULT_DRAW, DEFAULT_MEMORY, DEFAULT_TREES, DEFAULT_WALK, DEFAULT_WEIGHT, Final, Kind, Strategy, Turns,
    Uct, Walk,
};
use crate::expression::print::{Arguments, Name, Number};

impl Display for Strategy {
    /// The canonical text: options only where they differ from the default, in a fixed order.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let name = match &self.kind {
            Kind::Policy(name) => name,
            Kind::Uct(_) => "uct",
            Kind::AlphaBeta { .. } => "alphabeta",
            Kind::Exact => "exact",
        };
        formatter.write_str(name)?;
        let mut arguments = Arguments::new(formatter);
        match &self.kind {
            Kind::Uct(options) => uct(&mut arguments, options)?,
            Kind::AlphaBeta { depth } => arguments.positional(depth)?,
            Kind::Policy(_) | Kind::Exact => {}
        }
        arguments.unless(0, "from", self.from)?;
        if let Some(before) = &self.before {
            arguments.option("before", before)?;
        }
        arguments.close()
    }
}

fn uct(arguments: &mut Arguments<'_, '_>, uct: &Uct) -> Result {
    match uct.budget {
        Budget::Simulations(count) => arguments.positional(count)?,
        Budget::Time(time) if time.subsec_millis() == 0 => {
            arguments.option("time", format_args!("{}s", time.as_secs()))?;
        }
        Budget::Time(time) => arguments.option("time", format_args!("{}ms", time.as_millis()))?,
    }
    arguments.unless(Turns::Split.name(), "turn", uct.turn.name())?;
    arguments.unless(Number(DEFAULT_DRAW), "draw", Number(uct.draw))?;
    arguments.unless(Final::Visits.name(), "final", uct.last.name())?;
    match uct.walk {
        walk if walk == DEFAULT_WALK => {}
        Walk::Bound { c } => arguments.option("c", Number(c))?,
        Walk::Greedy { epsilon } => arguments.option("epsilon", Number(epsilon))?,
    }
    if let Some(policy) = &uct.policy {
        arguments.option("policy", Name(policy))?;
    }
    arguments.unless("off", "transpositions", switch(uct.transpositions))?;
    arguments.unless("off", "symmetry", switch(uct.symmetry))?;
    arguments.unless("on", "proof", switch(uct.proof))?;
    if let Some(stage) = uct.exact {
        arguments.option("exact", stage)?;
    }
    if let Some(games) = &uct.games {
        arguments.option("games", Name(games))?;
    }
    arguments.unless(Number(DEFAULT_WEIGHT), "weight", Number(uct.weight))?;
    arguments.unless(DEFAULT_TREES, "trees", uct.trees)?;
    arguments.unless(DEFAULT_MEMORY, "memory", uct.memory)
}

fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

impl Turns {
    /// The word the choice is written with.
    pub fn name(self) -> &'static str {
        match self {
            Turns::Split => "split",
            Turns::Joined => "joined",
        }
    }
}

impl Final {
    /// The word the choice is written with.
    pub fn name(self) -> &'static str {
        match self {
            Final::Visits => "visits",
            Final::Value => "value",
        }
    }
}
