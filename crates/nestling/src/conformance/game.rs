//! The laws of games for two players.

use std::collections::{HashMap, HashSet};

use super::{ENDLESS, Violation, holds};
use crate::game::{Ending, Game, Player, Proof, plain_playout};
use crate::stream::Stream;
use crate::watch::Cancel;

/// Playouts per policy that an engine's endings are compared by.
const PLAYOUTS: u64 = 4000;

/// Nodes that a solver may visit for a state; states that need more are skipped.
const SOLVER_NODES: u64 = 20_000;

/// Checks every law of games for two players along `games` random games from the start.
///
/// ```
/// # use nestling::{Ending, Game, Player};
/// # #[derive(Clone)] struct Matches { left: u32, turn: Player }
/// # impl Game for Matches {
/// #     type Move = u32;
/// #     fn legal_moves(&self, moves: &mut Vec<u32>) { moves.clear(); moves.extend(1..=self.left.min(2)); }
/// #     fn play(&mut self, taken: u32) { self.left -= taken; self.turn = self.turn.other(); }
/// #     fn turn(&self) -> Player { self.turn }
/// #     fn ending(&self) -> Option<Ending> { (self.left == 0).then_some(Ending::Win(self.turn.other())) }
/// # }
/// nestling::conformance::check_game(&Matches { left: 10, turn: Player::First }, 100).unwrap();
/// ```
///
/// # Errors
///
/// The first law that is broken.
pub fn check_game<G: Game>(game: &G, games: u64) -> Result<(), Violation> {
    let mut futures = HashMap::new();
    for number in 0..games {
        let moves = walk(game, Stream::new(number), &mut futures)?;
        certificates(game, &moves)?;
    }
    playouts(game)?;
    solvers(game)
}

/// The common future of states with the same key.
type Futures<G> = HashMap<u128, (Player, Vec<<G as Game>::Move>)>;

/// Plays a random game, looking at every state on the way.
fn walk<G: Game>(game: &G, stream: Stream, futures: &mut Futures<G>) -> Result<Vec<G::Move>, Violation> {
    let mut rng = stream.rng();
    let (mut state, mut overwritten) = (game.clone(), game.clone());
    let (mut moves, mut played) = (Vec::new(), Vec::new());
    let mut passed = HashSet::new();
    loop {
        state.legal_moves(&mut moves);
        let place = || format!("after {} moves", played.len());
        let over = state.ending().is_some();
        holds("there are no legal moves exactly when the game has ended", moves.is_empty() == over, place)?;
        one_state(&state, &moves, played.len())?;
        symmetry(&state, &moves, played.len())?;
        if let Some(key) = state.key().filter(|_| !over) {
            let future = (state.turn(), moves.clone());
            let known = futures.entry(key).or_insert_with(|| future.clone());
            holds("states with the same key have the same future", *known == future, place)?;
            holds("no state comes back in a game", passed.insert(key), place)?;
        }
        if over {
            return Ok(played);
        }
        holds("games end", played.len() < ENDLESS, place)?;
        let (next, before) = (moves[rng.below(moves.len())], state.clone());
        overwritten.clone_from(&state);
        state.play(next);
        holds("the stage never falls", state.stage() >= before.stage(), place)?;
        overwritten.play(next);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        state.legal_moves(&mut one);
        overwritten.legal_moves(&mut other);
        holds(
            "the same moves lead to the same list of moves",
            one == other && state.key() == overwritten.key(),
            place,
        )?;
        before.legal_moves(&mut one);
        holds("playing on a clone leaves the original alone", one == moves, place)?;
        played.push(next);
    }
}

fn one_state<G: Game>(state: &G, moves: &[G::Move], depth: usize) -> Result<(), Violation> {
    let place = || format!("after {depth} moves");
    let mut again = moves.to_vec();
    state.legal_moves(&mut again);
    holds("legal_moves replaces the contents of its argument, always the same", again == moves, place)?;
    let distinct: HashSet<_> = moves.iter().collect();
    holds("the legal moves are distinct", distinct.len() == moves.len(), place)?;
    for &legal in moves {
        let text = state.move_text(legal);
        let one_line = !text.contains(['\n', '\r']);
        holds("the text of a move is one line", one_line, || format!("{text:?} after {depth} moves"))?;
        let read = state.read_move(&text);
        holds("the text of a move is read as that move", read == Ok(legal), || format!("{text}: {read:?}"))?;
    }
    for (index, name) in state.policies().iter().enumerate() {
        let policy = || format!("policy {name} after {depth} moves");
        let (mut preferred, mut considered) = (moves.to_vec(), moves.to_vec());
        state.prefer(index, &mut preferred);
        state.consider(index, &mut considered);
        for (kept, all) in [(&preferred, moves), (&considered, &preferred)] {
            let mut rest = all.iter();
            let ordered = kept.iter().all(|kept| rest.any(|legal| legal == kept));
            holds("a policy keeps some of the legal moves in their order", ordered, policy)?;
            holds("a policy leaves a move if there is one", kept.is_empty() == moves.is_empty(), policy)?;
        }
    }
    Ok(())
}

/// The representative of a representative is itself, and its moves lead to the same classes.
fn symmetry<G: Game>(state: &G, moves: &[G::Move], depth: usize) -> Result<(), Violation> {
    let place = || format!("after {depth} moves");
    let canonical = state.canonical();
    holds("a representative represents itself", canonical.canonical().key() == canonical.key(), place)?;
    let like = canonical.ending() == state.ending() && (moves.is_empty() || canonical.turn() == state.turn());
    holds("a representative has the same ending or player to move", like, place)?;
    let classes = |state: &G, moves: &[G::Move]| {
        let mut classes: Vec<_> = moves.iter().map(|&played| crate::duel::class_after(state, played)).collect();
        classes.sort_unstable();
        classes
    };
    let mut its_moves = Vec::new();
    canonical.legal_moves(&mut its_moves);
    let same = classes(state, moves) == classes(&canonical, &its_moves);
    holds("a representative's moves lead to the same classes", same, place)
}

fn certificates<G: Game>(game: &G, played: &[G::Move]) -> Result<(), Violation> {
    let mut state = game.clone();
    played.iter().for_each(|&played| state.play(played));
    match game.certify(played) {
        Ok(ending) => {
            let kept = ending == state.ending();
            holds("the rules agree with the engine", kept, || format!("{ending:?} and {:?}", state.ending()))?;
        }
        Err(illegal) => holds("the rules allow what the engine plays", false, || illegal.to_string())?,
    }
    if let Some((_, shorter)) = played.split_last() {
        let unfinished = game.certify(shorter) == Ok(None);
        holds("a game without its last move is legal and not over", unfinished, || format!("{} moves", shorter.len()))?;
    }
    Ok(())
}

/// An engine behind `playout` has the same distribution of endings as the plain playouts, within five standard errors.
fn playouts<G: Game>(game: &G) -> Result<(), Violation> {
    let mut moves = Vec::new();
    for policy in std::iter::once(None).chain((0..game.policies().len()).map(Some)) {
        let (mut engine, mut plain) = ([0.0; 3], [0.0; 3]);
        let place = |ending: Ending| match ending {
            Ending::Win(player) => player as usize,
            Ending::Draw => 2,
        };
        for number in 0..PLAYOUTS {
            let stream = Stream::new(number);
            engine[place(game.clone().playout(policy, &mut stream.rng(), &mut moves))] += 1.0;
            plain[place(plain_playout(&mut game.clone(), policy, &mut stream.own().rng(), &mut moves))] += 1.0;
        }
        for (engine, plain) in engine.into_iter().zip(plain) {
            let share = (engine + plain) / (2 * PLAYOUTS) as f64;
            let error = (2.0 * share * (1.0 - share) * PLAYOUTS as f64).sqrt();
            let kept: bool = f64::abs(engine - plain) <= 5.0 * error;
            holds("an engine's playouts end as the plain ones do", kept, || {
                format!("policy {policy:?}: {engine} and {plain} of {PLAYOUTS}")
            })?;
        }
    }
    Ok(())
}

/// A solver's answer for a state follows from its answers for the states after each move.
fn solvers<G: Game>(game: &G) -> Result<(), Violation> {
    let Some(mut solver) = game.solver(&Cancel::new()) else { return Ok(()) };
    for number in 0..20 {
        let mut rng = Stream::new(number).rng();
        let (mut state, mut moves) = (game.clone(), Vec::new());
        while state.ending().is_none() {
            state.legal_moves(&mut moves);
            let mover = state.turn();
            let mut after = |&played: &G::Move| {
                let mut after = state.clone();
                after.play(played);
                let over = after.ending().map(|ending| Proof { ending, moves: 0 });
                over.or_else(|| solver.solve(&after, SOLVER_NODES))
            };
            let children: Option<Vec<Proof>> = moves.iter().map(&mut after).collect();
            let best = children.and_then(|children| children.into_iter().max_by_key(|solved| solved.rank(mover)));
            if let (Some(best), Some(solved)) = (best, solver.solve(&state, SOLVER_NODES)) {
                let won = matches!(best.ending, Ending::Win(_));
                let kept = best.ending == solved.ending && (!won || solved.moves == best.moves + 1);
                holds("a state is worth what its best move is worth", kept, || format!("{solved:?} after {best:?}"))?;
            }
            state.play(moves[rng.below(moves.len())]);
        }
    }
    Ok(())
}
