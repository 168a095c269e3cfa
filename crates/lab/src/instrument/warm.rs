//! Warm starts: the policy that NRPA would have after it has long followed a known game.

use nestling::Weights;
use nestling_registry::Instance;

/// The weights for a published game of a problem, by its short name.
pub(super) fn weights(problem: &dyn Instance, game: &str) -> Result<Weights, String> {
    let published = problem.published();
    let found = published.iter().find(|published| published.id == game).ok_or_else(|| {
        let known: Vec<&str> = published.iter().map(|published| published.id.as_str()).collect();
        format!("{} has no published game {game:?}; it has {}", problem.name(), known.join(", "))
    })?;
    let towards = || problem.weights_towards(&[problem.certify(&found.moves)?], &problem.certify(&[])?);
    towards().map_err(|error: nestling::Illegal| format!("{game}: {error}"))
}
