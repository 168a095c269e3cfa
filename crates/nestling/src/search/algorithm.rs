//! The trait of algorithms, and sets of them.

use std::any::TypeId;
use std::marker::PhantomData;

use super::plan::{PlanError, Planned};
use super::planner::Planner;
use crate::expression::form::{Form, Nature};
use crate::expression::{Catalogue, Search};
use crate::problem::Problem;

/// An algorithm: how its searches are written, what they mean, and how they are planned for a problem.
///
/// One file contains all of it. The form is enough to read, print, check and list its searches; [`plan`](Algorithm::plan) turns one of them
/// into a [`Plan`](super::Plan) for a problem, which runs. Put the algorithm into a [set](Searches), and it has threads, budgets,
/// checkpoints, the store, the app and the command line like every other. CONTRIBUTING.md explains an example; the [conformance
/// suite](crate::conformance::search) finds errors in a new one.
pub trait Algorithm: 'static {
    /// How it is written.
    const FORM: Form;

    /// Whether it examines every game, so that its result is optimal.
    const IS_EXHAUSTIVE: bool = false;

    /// Whether a search that is the whole run returns a learned policy, in [`SearchReport::learned`](super::SearchReport::learned).
    const LEARNS: bool = false;

    /// Plans a search of this algorithm for a problem. Its arguments have been checked; its `playout=` and `weights=` include those of
    /// enclosing searches.
    ///
    /// The default is for an algorithm that only has a [meaning](Algorithm::meaning).
    ///
    /// # Errors
    ///
    /// When something does not fit the problem.
    fn plan<'a, P: Problem>(search: &Search, _planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        Err(PlanError::NoPlan(search.name().to_owned()))
    }

    /// The search that this one is short for, if any: `nested(2)` is short for `step(lookahead(nested(1)))`.
    ///
    /// It must be simpler, so that writing out meanings ends. Pass [`Search::games`] of the search to its meaning with
    /// [`Search::played_by`], otherwise `playout=` and `weights=` have no effect.
    fn meaning(_search: &Search) -> Option<Search> {
        None
    }

    /// Whether only a budget can end a search of this algorithm. By default a search ends when its meaning does, or the searches inside it.
    fn is_endless(search: &Search) -> bool {
        match Self::meaning(search) {
            Some(meaning) => meaning.is_endless(),
            None => search.inner().iter().any(Search::is_endless),
        }
    }

    /// Whether it returns an estimate, not a game. By default it returns a game, unless its meaning returns an estimate.
    fn is_estimate(search: &Search) -> bool {
        Self::meaning(search).is_some_and(|meaning| meaning.is_estimate())
    }

    /// About the most bytes that a search needs at once, without those inside it. The default is 0, or that of its meaning.
    fn memory(search: &Search) -> u64 {
        Self::meaning(search).map_or(0, |meaning| meaning.parts().map(Search::memory_needed).sum())
    }
}

struct NatureOf<A>(PhantomData<A>);

impl<A: Algorithm> NatureOf<A> {
    const NATURE: &'static Nature = &Nature {
        id: TypeId::of::<A>,
        form: &A::FORM,
        meaning: A::meaning,
        is_endless: A::is_endless,
        is_estimate: A::is_estimate,
        is_exhaustive: A::IS_EXHAUSTIVE,
        learns: A::LEARNS,
        memory: A::memory,
    };
}

pub(crate) fn nature_of<A: Algorithm>() -> &'static Nature {
    NatureOf::<A>::NATURE
}

/// A set of algorithms, as a type: a tuple of them, [`Standard`](super::Standard), or [`And`] of two sets. If two have the same name, the
/// earlier one is used.
pub trait Searches: 'static {
    /// Adds the algorithms of this set to a catalogue.
    fn list(catalogue: &mut Catalogue);

    /// Plans a search of this set for a problem; `None` if it belongs to none of these algorithms.
    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Option<Result<Planned<'a, P>, PlanError>>;
}

/// Two sets together.
///
/// ```
/// use nestling::search::{And, Beam, Catalogue, Dfs, Standard};
/// let catalogue = Catalogue::of::<And<(Beam, Dfs), Standard>>();
/// let names: Vec<&str> = catalogue.forms().map(|form| form.name).collect();
/// assert_eq!(names[..3], ["beam", "dfs", "playout"]);
/// ```
pub struct And<A, B>(PhantomData<(A, B)>);

impl<A: Searches, B: Searches> Searches for And<A, B> {
    fn list(catalogue: &mut Catalogue) {
        A::list(catalogue);
        B::list(catalogue);
    }

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Option<Result<Planned<'a, P>, PlanError>> {
        A::plan(search, planner).or_else(|| B::plan(search, planner))
    }
}

macro_rules! sets {
    ($first:ident $($rest:ident)*) => {
        impl<$first: Algorithm, $($rest: Algorithm),*> Searches for ($first, $($rest,)*) {
            fn list(catalogue: &mut Catalogue) {
                catalogue.add(nature_of::<$first>());
                $(catalogue.add(nature_of::<$rest>());)*
            }

            fn plan<'a, Prob: Problem>(
                search: &Search,
                planner: &Planner<'a, Prob>,
            ) -> Option<Result<Planned<'a, Prob>, PlanError>> {
                if search.is_of::<$first>() {
                    return Some($first::plan(search, planner));
                }
                $(if search.is_of::<$rest>() {
                    return Some($rest::plan(search, planner));
                })*
                None
            }
        }
        sets!($($rest)*);
    };
    () => {};
}

sets!(A B C D E F G H I J K L M N O Q R S T U V W X Y);
