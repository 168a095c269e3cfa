//! The laws of a problem's improver: its games are legal, its scores are those of the rules, and it depends on nothing else.

use super::{Violation, holds};
use crate::improver::Improver;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::search::ScoredMoves;
use crate::stream::Stream;

/// How many games are improved.
const GAMES: u64 = 6;

/// The strengths that each of them is improved with.
const STRENGTHS: [u32; 5] = [0, 1, 2, 5, 40];

/// Checks the laws of a state's improver, if it has one.
pub(super) fn improving<P: Problem>(state: &P) -> Result<(), Violation> {
    let Some(mut used) = state.improver() else { return Ok(()) };
    for number in 0..GAMES {
        let mut batch = Batch::alone(&PlayoutPolicy::UNIFORM, state.goal(), Stream::new(16).child(number));
        state.playouts(&mut batch);
        let Some((score, moves)) = batch.best() else { return Ok(()) };
        let mut game = ScoredMoves::new(score, moves.to_vec());
        for strength in STRENGTHS {
            game = one_game(state, used.as_mut(), &game, strength)?;
        }
    }
    Ok(())
}

/// Improves a game with an improver that was used before, with one that was stopped early before, and with a new one: all must agree.
fn one_game<P: Problem>(
    state: &P,
    used: &mut dyn Improver<P::Move>,
    before: &ScoredMoves<P::Move>,
    strength: u32,
) -> Result<ScoredMoves<P::Move>, Violation> {
    let place = || format!("strength {strength}, after the game {:?}", before.moves);
    let improved = |improver: &mut dyn Improver<P::Move>, give_up: bool| {
        let mut moves = before.moves.clone();
        let rng = &mut Stream::new(17).child(u64::from(strength)).rng();
        improver.improve(&mut moves, strength, rng, &|| give_up).map(|score| ScoredMoves::new(score, moves))
    };
    let after = improved(used, false);
    improved(used, true);
    let again = improved(used, false);
    let mut new = state.improver();
    let alone = new.as_mut().and_then(|new| improved(new.as_mut(), false));
    holds(
        "an improver depends on the game, the strength and the draws alone",
        after == again && after == alone,
        place,
    )?;
    let found = after.is_some();
    holds("an improver gives up only when it is told to", found, place)?;
    let Some(after) = after else { return Ok(before.clone()) };
    match state.certify(&after.moves) {
        Ok(certificate) => {
            let kept = certificate.terminal && certificate.score == after.score;
            let claimed = after.score;
            holds("an improver claims what the rules replay", kept, || {
                format!("{certificate:?}, not {claimed}; {}", place())
            })?;
        }
        Err(illegal) => holds("an improver makes legal games", false, || format!("{illegal}; {}", place()))?,
    }
    let kept = strength > 0 || state.goal().reaches(after.score, before.score);
    holds("an improver without random changes makes no game worse", kept, place)?;
    Ok(after)
}
