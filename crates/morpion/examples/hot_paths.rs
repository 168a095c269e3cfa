//! The engine's hot paths, each as a separate program whose instructions can be counted:
//! `hot_paths PATH INSTRUCTIONS SIZE` prints how many moves its playouts had. `tests/instructions.rs` counts the same paths.

use nestling::engine::Codes;
use nestling::engine::{Batch, PlayoutPolicy, Rule};
use nestling::{Goal, Problem, Run, Search, Stream};
use nestling_morpion::{Board, Instructions, Variant};

const SEED: u64 = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    println!("{}", moves(&arguments)?);
    Ok(())
}

/// The moves of all playouts of a path: its name, the instruction set and its size.
pub fn moves(arguments: &[impl AsRef<str>]) -> Result<u64, Box<dyn std::error::Error>> {
    let [path, instructions, size] = arguments else { return Err("PATH INSTRUCTIONS SIZE are needed".into()) };
    let (path, instructions, size) = (path.as_ref(), instructions.as_ref(), size.as_ref());
    let named = |set: &Instructions| format!("{set:?}").eq_ignore_ascii_case(instructions);
    let set = Instructions::available().into_iter().find(named).ok_or("this processor has no such instructions")?;
    let (board, size) = (Board::new(Variant::FiveD).with(set), size.parse()?);
    let moves = match path {
        "uniform" => uniform(&board, size),
        "weighted" => weighted(&board, size),
        "nrpa" => searched(&board, Search::nrpa(2).iterations(size))?,
        "nested" => searched(&board, Search::nested(1).repeat(size))?,
        _ => return Err("the paths are uniform, weighted, nrpa and nested".into()),
    };
    Ok(moves)
}

fn uniform(board: &Board, games: u64) -> u64 {
    let policy = PlayoutPolicy::UNIFORM;
    let mut batch = Batch::repeated(&policy, Goal::Max, Stream::new(SEED), 0, games as usize);
    board.playouts(&mut batch);
    batch.moves_played()
}

/// Games drawn by a policy in which all moves weigh the same.
fn weighted(board: &Board, games: u64) -> u64 {
    let mut learner = board.learner(Rule::Uniform).expect("the start of the game is for the engine");
    let (codes, policy) = (Codes::default(), vec![1.0; learner.codes().len()]);
    let mut play =
        |game| learner.play(&codes, &policy, &mut Stream::new(SEED).child(game).rng()).map_or(0, |(_, moves)| moves);
    (0..games).map(|game| play(game) as u64).sum()
}

fn searched(board: &Board, search: Search) -> Result<u64, nestling::RunError> {
    Ok(Run::new(board, search).seed(SEED).start()?.counts.moves)
}
