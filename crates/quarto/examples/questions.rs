//! What the paper leaves open, measured: `cargo run --release -p nestling-quarto --example questions -- PART [FILE.svg]`.
//!
//! - `constant`: how strong UCT is with other constants in its formula; the file gets a chart. A minute.
//! - `sharing`: what it helps to share what is known between transpositions and symmetric positions. Two minutes.
//! - `opening`: the paper's ideas for the slow opening against each other. Ten minutes.

use std::sync::Arc;
use std::time::Instant;

use nestling::duel::{Contest, Memories, Past, Standing, Strategy};
use nestling_presentation::chart::{Chart, Series};
use nestling_quarto::{Move, Position, Variant};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["constant"] => constant(None),
        ["constant", file] => constant(Some(file)),
        ["sharing"] => sharing(),
        ["opening"] => opening(),
        _ => Err("name a part: constant [FILE.svg], sharing or opening".into()),
    }
}

/// Plays a match and prints its result for the first player.
fn play(one: &str, other: &str, games: u64, memories: &Arc<Memories<Move>>) -> Result<Standing, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (start, began) = (Position::new(Variant::Lines), Instant::now());
    let contest = Contest::new(&start, [one.parse::<Strategy>()?, other.parse()?]);
    let standing = contest.games(games).seed(1).threads(threads).memories(memories.clone()).play(|_| {})?;
    let ((low, high), total) = (standing.interval(), standing.total());
    let percent = |count: u64| 100.0 * count as f64 / total.games() as f64;
    println!(
        "{:5.1} % won {:5.1} % drawn {:5.1} % lost, score {:.3} ({low:.3} to {high:.3}), {:5.2} s a game: {one} against {other}",
        percent(total.wins),
        percent(total.draws),
        percent(total.losses),
        standing.score(),
        began.elapsed().as_secs_f64() * threads as f64 / games as f64,
    );
    Ok(standing)
}

fn constant(file: Option<&str>) -> Result<(), Failure> {
    let constants = [0.25, 0.5, 1.0, 2.0, 3.5, 5.0, 7.0, 10.0, 20.0, 40.0];
    let mut chart = Chart::new("UCT with other constants against the second program").axes("log2 c", "score");
    for simulations in [100, 1000] {
        let mut points = Vec::new();
        for c in constants {
            let standing = play(&format!("uct({simulations}, c={c})"), "second", 2000, &Arc::default())?;
            points.push((f64::log2(c), standing.score()));
        }
        chart = chart.with(Series::line(&format!("{simulations} simulations"), points));
    }
    for epsilon in [0.05, 0.1, 0.2, 0.4] {
        play(&format!("uct(1000, epsilon={epsilon})"), "second", 2000, &Arc::default())?;
    }
    if let Some(file) = file {
        std::fs::write(file, chart.svg())?;
    }
    Ok(())
}

fn sharing() -> Result<(), Failure> {
    for simulations in [100, 1000] {
        let plain = format!("uct({simulations})");
        play(&plain, "second", 2000, &Arc::default())?;
        for option in ["transpositions=on", "symmetry=on", "transpositions=on, symmetry=on"] {
            let shared = format!("uct({simulations}, {option})");
            play(&shared, "second", 2000, &Arc::default())?;
            play(&shared, &plain, 2000, &Arc::default())?;
        }
    }
    Ok(())
}

fn opening() -> Result<(), Failure> {
    let teacher: Strategy = "uct(1000)".parse()?;
    let mut games = Vec::new();
    let start = Position::new(Variant::Lines);
    Contest::new(&start, [teacher.clone(), teacher]).games(5000).seed(2).threads(2).play(|played| {
        games.push(Past { moves: played.moves.clone(), ending: played.ending });
    })?;
    let memories = Arc::new(Memories::from([("stored".to_owned(), games)]));
    for simulations in [100, 1000] {
        for option in [
            "",
            ", from=1, before=random",
            ", from=2, before=random",
            ", from=3, before=random",
            ", from=4, before=random",
            ", games=stored, weight=0.01",
            ", games=stored, weight=0.1",
            ", games=stored, weight=1",
            ", from=3, before=exact",
        ] {
            let strategy = format!("uct({simulations}{option})");
            play(&strategy, "second", 1000, &memories)?;
            if !option.is_empty() {
                play(&strategy, &format!("uct({simulations})"), 1000, &memories)?;
            }
        }
    }
    Ok(())
}
