//! The searches, and the types to write one.
//!
//! Each file has one [`Algorithm`]: the form of its expressions, how it is planned for a problem, its cost, its state when it is
//! interrupted, and how it runs. A new one is a file here and a line below; outside of this crate it is a type in a [set](Searches) of your
//! own. CONTRIBUTING.md explains an example.

/// Makes modules of files with one algorithm each, and a set of all of them.
macro_rules! algorithms {
    ($($file:ident::$name:ident,)*) => {
        $(mod $file; pub use $file::$name;)*

        /// Nestling's own searches, in the order that lists show.
        pub type Standard = ($($name,)*);
    };
}

// A new algorithm is a file and a line here. (rustfmt does not find files behind macros: scripts/test names them.)
algorithms! {
    playout::Playout,
    replay::Replay,
    repeat::Repeat,
    mean::Mean,
    step::Step,
    lookahead::Lookahead,
    nested::Nested,
    promising::Promising,
    lazy::Lazy,
    reflexive::Reflexive,
    nrpa::Nrpa,
    uct::Uct,
    dfs::Dfs,
    cdcl::Cdcl,
    beam::Beam,
    pool::Pool,
    improve::Improve,
    portfolio::Portfolio,
}

pub(crate) mod accelerated;
mod algorithm;
pub(crate) mod found;
mod frame;
pub(crate) mod old;
mod order;
pub(crate) mod plan;
pub(crate) mod planner;
pub(crate) mod played;
pub(crate) mod remote;
pub(crate) mod report;
mod split;
pub(crate) mod task;

pub use crate::estimate::Profile;
pub use crate::expression::form::{Argument, DefaultValue, Form, Menu, Type};
pub use crate::expression::{Catalogue, Value};
pub use crate::watch::Reason;
pub(crate) use algorithm::nature_of;
pub use algorithm::{Algorithm, And, Searches};
pub(crate) use cdcl::solution;
pub use found::{Found, ScoredMoves};
pub use frame::{Frame, FrameCheck};
use frame::{ILLEGAL, require};
pub use lookahead::Ties;
pub use order::{CutShort, Split};
pub use plan::{Files, Parts, Plan, PlanError, Planned};
pub use planner::{Planner, check};
pub use replay::legal_part;
pub use report::{SearchProgress, SearchReport};
pub use split::TaskSlot;
pub use task::Task;
