//! Tables 1 to 4 of *Playing Quarto with Monte Carlo Tree Search*, played again with everything that the paper leaves open:
//! turns joined or split, a draw worth nothing or half a win.
//!
//! `cargo run --release -p nestling-quarto --example paper [-- SEED]`: about ten minutes on one core.

use nestling::duel::{Contest, Results, Standing, Strategy};
use nestling_quarto::{Position, Variant};

/// Simulations, our games, and the paper's wins, draws and losses, going first and second.
const TABLES: [(u64, u64, [[u64; 3]; 2]); 4] = [
    (10, 1000, [[304, 0, 196], [270, 64, 166]]),
    (100, 1000, [[410, 0, 90], [321, 86, 93]]),
    (1000, 300, [[44, 0, 6], [35, 9, 6]]),
    (5000, 300, [[35, 9, 6], [31, 13, 6]]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Position::new(Variant::Lines);
    for (index, (simulations, games, paper)) in TABLES.into_iter().enumerate() {
        println!("Table {}: {simulations} simulations against the second program", index + 1);
        println!("{:44} {:>17} {:>17} {:>17} {:>9}", "", "going first", "going second", "total", "losses");
        row("the paper", Standing { as_first: results(paper[0]), as_second: results(paper[1]) });
        for turn in ["joined", "split"] {
            for draw in [0.0, 0.5] {
                let uct = Strategy::uct(simulations).with("turn", turn).with("draw", draw).with("proof", false);
                let sides = [uct.clone(), Strategy::policy("second")];
                let contest = Contest::new(&start, sides).games(games).seed(seed).threads(threads);
                row(&uct.to_string(), contest.play(|_| {})?);
            }
        }
        println!();
    }
    Ok(())
}

fn results([wins, draws, losses]: [u64; 3]) -> Results {
    Results { wins, draws, losses }
}

fn row(name: &str, standing: Standing) {
    let shown = |Results { wins, draws, losses }: Results| format!("{wins:5} {draws:5} {losses:5}");
    let total = standing.total();
    let losses = 100.0 * total.losses as f64 / total.games() as f64;
    let (first, second) = (shown(standing.as_first), shown(standing.as_second));
    println!("{name:44} {first} {second} {} {losses:7.1} %", shown(total));
}
