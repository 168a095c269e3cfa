//! How often a level of Quarto keeps the outcome of a position, by the number of pieces on the board:
//! `cargo run --release -p nestling-registry --example levels [POSITIONS [PLAYER…]]`, five minutes.
//!
//! Positions are those of random legal play without a win, with a random piece in hand: 300 unless told, a third of that with fewer
//! than five pieces, which take the solver longest. A player makes one turn, a placement and a gift. It keeps the outcome if the
//! exact solver finds the same value before and after: a won position stays won, a drawn one is not lost. Players that are not
//! named are the levels from *medium* to *expert*. Times are processor times of one core.

use std::time::Duration;

use cpu_time::ThreadTime;
use nestling::duel::{Setting, Strategy};
use nestling::{Player, PlayerResult, Stream};
use nestling_quarto::{Limit, Position, QuartoSolver, Variant};
use nestling_registry::Registry;

/// How many pieces are placed.
const PLACED: std::ops::RangeInclusive<usize> = 3..=9;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let positions: u64 = arguments.first().map_or(Ok(300), |count| count.parse())?;
    let named = arguments.iter().skip(1).map(|text| Ok((text.clone(), text.parse()?)));
    let mut players = named.collect::<Result<Vec<(String, Strategy)>, Failure>>()?;
    if players.is_empty() {
        players = levels()?;
    }
    for variant in Variant::ALL {
        println!("{variant}");
        for placed in PLACED {
            let count = if placed < 5 { positions.div_ceil(3) } else { positions };
            let tasks: Vec<Task> = (0..count).map(|index| Task::new(variant, placed, index)).collect();
            let drawn = tasks.iter().filter(|task| task.verdict == PlayerResult::Draw).count();
            println!("  {placed} placed, {count} positions, {drawn} of them drawn");
            for (name, strategy) in &players {
                report(name, strategy, &tasks)?;
            }
        }
    }
    Ok(())
}

/// The levels that make mistakes, but no simple ones.
fn levels() -> Result<Vec<(String, Strategy)>, Failure> {
    let quarto = Registry::standard().open("quarto")?;
    let levels = quarto.table().ok_or("quarto is a game for two")?.levels();
    let measured = levels.into_iter().filter(|level| ["medium", "hard", "expert"].contains(&level.name.as_str()));
    Ok(measured.map(|level| (level.name, level.strategy)).collect())
}

/// A position and its exact value to the player who has to place the piece in hand.
struct Task {
    position: Position,
    verdict: PlayerResult,
}

impl Task {
    fn new(variant: Variant, placed: usize, index: u64) -> Self {
        let position = Position::random(variant, placed, true, &mut Stream::new(1).child(index).rng());
        Task { verdict: verdict(&position, position.turn()), position }
    }
}

/// The exact value of a position to a player.
fn verdict(position: &Position, player: Player) -> PlayerResult {
    if let Some(ending) = position.ending() {
        return ending.seen_by(player);
    }
    let found = QuartoSolver::new(20).verdict(position, Limit::NONE).expect("there is no limit");
    found.to(position.turn()).seen_by(player)
}

fn report(name: &str, strategy: &Strategy, tasks: &[Task]) -> Result<(), Failure> {
    let (mut kept, mut times) = (0, Vec::new());
    for (index, task) in tasks.iter().enumerate() {
        let mut agent = strategy.agent(&task.position, &Setting::default())?;
        let (mut position, player) = (task.position, task.position.turn());
        for stream in 0..2 {
            if position.ending().is_some() {
                break;
            }
            let began = ThreadTime::now();
            let played = agent.choose(Stream::new(index as u64).child(stream)).played;
            times.push(began.elapsed());
            position.play(played);
            agent.observe(played);
        }
        kept += u64::from(verdict(&position, player) == task.verdict);
    }
    let total: Duration = times.iter().sum();
    println!(
        "    {:5.1} % kept, {:7.2} ms a move, {:7.2} ms at most: {name}",
        100.0 * kept as f64 / tasks.len() as f64,
        1e3 * total.as_secs_f64() / times.len() as f64,
        1e3 * times.iter().max().map_or(0.0, Duration::as_secs_f64),
    );
    Ok(())
}
