//! Nestling's own problems: their names, and what may stand behind the colon.

use nestling::duel::Players;
use nestling::search::Searches;
use nestling_morpion::{Board, Variant};
use nestling_presentation::shown;
use nestling_puzzles::bus::{Bus, BusLine, HoldingRule};
use nestling_puzzles::colouring::Colouring;
use nestling_puzzles::conjecture::{Conjecture, ConjectureTree, LARGEST_TREE};
use nestling_puzzles::graph::{Graph, LARGEST_MYCIELSKI, LARGEST_QUEEN, mycielski, queen};
use nestling_puzzles::kakuro::{Kakuro, MAX_SEEDED_SIZE, MAX_VALUES, SumBounds};
use nestling_puzzles::left_move::DEEPEST;
#[cfg(feature = "models")]
use nestling_puzzles::model::Model;
use nestling_puzzles::samegame::{MAX_COLOURS, SameGame, SameGameBoard};
use nestling_puzzles::sudoku::{MAX_SEEDED_ORDER, Sudoku};
use nestling_puzzles::tsptw::{MOST_PLACES, TourInstance, Tsptw};
use nestling_puzzles::{LeftMove, LeftmostPath};
use nestling_quarto::Position;

use crate::morpion;
use crate::open_problems;
use crate::parameters::{Parameters, Reach, number, only_number};
use crate::{Refusal, Registry};

/// The options of a line of buses.
const BUS: &[&str] = &[
    "seed",
    "stops",
    "buses",
    "interval",
    "travel",
    "incident",
    "passengers",
    "wait",
    "begin",
    "end",
    "delta",
    "hold",
];

/// Adds all of them.
pub(crate) fn register<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    let registry = papers(puzzles(morpion_variants(registry)));
    #[cfg(feature = "models")]
    let registry = registry.with_files(
        "model",
        "your own problem in a file: choices, rules and a score as expressions; model:FILE, or just FILE if it ends in .toml; model:-",
        model,
    );
    let registry = registry
        .with_files(
            "colouring",
            "colour a graph with few colours; colouring:FILE in DIMACS format, colouring:queen8 or colouring:myciel5",
            colouring,
        )
        .with_own(
            "conjecture",
            "refute a conjecture by a tree; conjecture:name=matching,vertices=19 or conjecture:name=proximity",
            conjecture,
        );
    open_problems::register(with_quarto(registry))
}

/// Adds those that have a page of their own in the app.
pub(crate) fn register_pages<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    with_quarto(puzzles(morpion_variants(registry)))
}

fn morpion_variants<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    let lines = |variant: Variant| if variant.touching() { "may touch" } else { "may not touch" };
    Variant::ALL.into_iter().fold(registry, |registry, variant| {
        let summary = format!("Morpion Solitaire, lines of {} that {}", variant.line_length(), lines(variant));
        registry.with_kernels(morpion::name(variant), &summary, move |parameters| match parameters {
            "" => Ok(Board::new(variant)),
            _ => Err("it takes no parameters".into()),
        })
    })
}

fn puzzles<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    registry
        .with_files(
            "samegame",
            "SameGame: remove groups of n cells of one colour for (n-2)² points (seed=0, size=15x15, colours=5, penalty=off; FILE#N or -)",
            samegame,
        )
        .with_files("sudoku", "Sudoku of any order; score: cells left empty (seed=0, order=4, empty=66; FILE#N or -)", sudoku)
        .with_files(
            "kakuro",
            "Kakuro; score: cells left empty (seed=0, size=8, values=9; FILE#N or -, values=9; bounds=both, strong or weak)",
            kakuro,
        )
        .with_files(
            "tsptw",
            "the travelling salesman with time windows; tsptw:FILE, tsptw:- or tsptw:places=20,seed=1",
            tsptw,
        )
}

/// Adds the other problems of the papers.
fn papers<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    registry
        .with_own("left-move", "a binary tree; score: moves to the left; left-move:60 has depth 60", |text| {
            Ok(LeftMove::new(depth(text)?))
        })
        .with_own("leftmost-path", "a binary tree; score: moves before the first to the right; leftmost-path:60 has depth 60, leftmost-path:60,seed=1 moves in random order", |text| {
            match text.split_once(",seed=") {
                None => Ok(LeftmostPath::new(depth(text)?)),
                Some((text, seed)) => {
                    let seed = number("seed", seed, 0..=u64::MAX)?;
                    Ok(LeftmostPath::shuffled(depth(text)?, seed))
                }
            }
        })
        .with_own("bus", "bus regulation: hold buses back so that passengers wait less; bus:seed=7,stops=60,buses=14,travel=1-5", bus)
}

fn with_quarto<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    registry.with_own_game("quarto", "Quarto, a two-player game; in quarto:squares, squares win too", quarto)
}

fn samegame(text: &str, reach: Reach) -> Result<SameGame, Refusal> {
    let parameters = Parameters::new(text, "samegame", &["seed", "size", "colours", "penalty"])?;
    parameters.only_without_file(&["seed", "size", "colours"])?;
    let penalty = parameters.choice("penalty", &[("off", false), ("on", true)])?;
    let board = if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let boards = SameGameBoard::read(&text).map_err(|error| parameters.in_file(error))?;
        parameters.pick(boards, number)?
    } else {
        let (columns, rows) = size(parameters.option("size").unwrap_or("15x15"))?;
        let colours = parameters.number("colours", 5, 1..=MAX_COLOURS)?;
        let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
        SameGameBoard::seeded(columns, rows, colours, seed).map_err(|error| error.to_string())?
    };
    Ok(SameGame::new(board, penalty))
}

/// `20x10`: columns and rows.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    sides.ok_or_else(|| format!("size={}: write columns and rows, such as size=20x10", shown(text, 40)))
}

fn sudoku(text: &str, reach: Reach) -> Result<Sudoku, Refusal> {
    let parameters = Parameters::new(text, "sudoku", &["seed", "order", "empty"])?;
    parameters.only_without_file(&["seed", "order", "empty"])?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let sudokus = Sudoku::read(&text).map_err(|error| match error.is_contradiction() {
            true => Refusal::Unsolvable(parameters.in_file(error)),
            false => Refusal::Parameters(parameters.in_file(error)),
        })?;
        return Ok(parameters.pick(sudokus, number)?);
    }
    let order = parameters.number("order", 4, 2..=MAX_SEEDED_ORDER)?;
    let percent = parameters.number("empty", 66, 0..=100)?;
    let empty = (order.pow(4) * percent + 50) / 100;
    let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
    Ok(Sudoku::seeded(order, empty, seed).map_err(|error| error.to_string())?)
}

fn kakuro(text: &str, reach: Reach) -> Result<Kakuro, Refusal> {
    let parameters = Parameters::new(text, "kakuro", &["seed", "size", "values", "bounds"])?;
    parameters.only_without_file(&["seed", "size"])?;
    let choices = [("both", SumBounds::Both), ("strong", SumBounds::Strong), ("weak", SumBounds::Weak)];
    let bounds = parameters.choice("bounds", &choices)?;
    let values = parameters.option("values").map(|text| number("values", text, 1..=MAX_VALUES)).transpose()?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let kakuros = Kakuro::read(&text, values, bounds).map_err(|error| match error.is_contradiction() {
            true => Refusal::Unsolvable(parameters.in_file(error)),
            false => Refusal::Parameters(parameters.in_file(error)),
        })?;
        return Ok(parameters.pick(kakuros, number)?);
    }
    let size = parameters.number("size", 8, 1..=MAX_SEEDED_SIZE)?;
    let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
    Ok(Kakuro::seeded(size, values.unwrap_or(9), seed, bounds).map_err(|error| error.to_string())?)
}

fn tsptw(text: &str, reach: Reach) -> Result<Tsptw, Refusal> {
    let parameters = Parameters::new(text, "tsptw", &["places", "seed"])?;
    parameters.only_without_file(&["places", "seed"])?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let instance = TourInstance::read(&text).map_err(|error| parameters.in_file(error))?;
        return Ok(Tsptw::new(parameters.pick(vec![instance], number)?));
    }
    let places = parameters.number("places", 20, 2..=MOST_PLACES)?;
    Ok(Tsptw::new(TourInstance::random(places, parameters.number("seed", 1, 0..=u64::MAX)?)))
}

/// The model without a file, which `examples/models` has too: a package of this crate has no files from outside of it.
#[cfg(feature = "models")]
const EXAMPLE: &str = include_str!("knapsack.toml");

#[cfg(feature = "models")]
fn model(text: &str, reach: Reach) -> Result<Model, Refusal> {
    let parameters = Parameters::new(text, "model", &[])?;
    if !parameters.has_file() {
        return Ok(Model::read(EXAMPLE).map_err(|error| error.to_string())?);
    }
    let (text, number) = parameters.read(reach)?;
    let model = Model::read(&text).map_err(|error| parameters.in_file(error))?;
    Ok(parameters.pick(vec![model], number)?)
}

fn colouring(text: &str, reach: Reach) -> Result<Colouring, Refusal> {
    let parameters = Parameters::new(text, "colouring", &[])?;
    if !parameters.has_file() {
        return Ok(queens(8));
    }
    if let Some(word) = parameters.word(reach) {
        // `queen8_8.col` is a file.
        let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let family =
            |name, most| word.strip_prefix(name).filter(is_number).map(|text| number(name, text, 1..=most)).transpose();
        if let Some(side) = family("queen", LARGEST_QUEEN)? {
            return Ok(queens(side));
        }
        if let Some(k) = family("myciel", LARGEST_MYCIELSKI)? {
            return Ok(Colouring::with(mycielski(k), Some(k + 1), false));
        }
    }
    let (text, number) = parameters.read(reach)?;
    let graph = Graph::read(&text).map_err(|error| parameters.in_file(error))?;
    Ok(Colouring::new(parameters.pick(vec![graph], number)?))
}

/// The queen graph of a board. Its chromatic number is known to n = 26: sequence A088202 of the OEIS.
fn queens(side: usize) -> Colouring {
    let known = [1, 4, 5, 5, 5, 7, 7, 9, 10, 11].get(side - 1).copied().unwrap_or(side);
    Colouring::with(queen(side), Some(known), true)
}

fn conjecture(text: &str) -> Result<ConjectureTree, Refusal> {
    let parameters = Parameters::options(text, &["name", "vertices"])?;
    let conjecture = parameters.choice("name", &Conjecture::ALL)?;
    let vertices = parameters.number("vertices", conjecture.published_size(), 4..=LARGEST_TREE)?;
    Ok(ConjectureTree::new(conjecture, vertices))
}

/// The depth of the papers where none is given.
fn depth(text: &str) -> Result<u32, String> {
    only_number(text, "a depth", 60, 1..=DEEPEST)
}

fn bus(text: &str) -> Result<Bus, Refusal> {
    let parameters = Parameters::options(text, BUS)?;
    let usual = BusLine::default();
    let begin = parameters.number("begin", usual.begin, BusLine::BEGIN)?;
    let longest_wait = parameters.number("wait", usual.longest_wait, 1..=100)?;
    let line = BusLine {
        stops: parameters.number("stops", usual.stops, BusLine::STOPS)?,
        buses: parameters.number("buses", usual.buses, BusLine::BUSES)?,
        interval: parameters.number("interval", usual.interval, BusLine::INTERVAL)?,
        travel: parameters.option("travel").map_or(Ok(usual.travel), travel)?,
        incident: parameters.number("incident", usual.incident, BusLine::INCIDENT)?,
        passengers: parameters.number("passengers", usual.passengers, BusLine::PASSENGERS)?,
        longest_wait,
        begin,
        end: parameters.number("end", usual.end, BusLine::ends(begin))?,
        rule: HoldingRule {
            delta: parameters.number("delta", usual.rule.delta, 0..=u16::MAX)?,
            wait: parameters.number("hold", usual.rule.wait.min(longest_wait), 1..=longest_wait)?,
        },
    };
    Ok(Bus::new(line, parameters.number("seed", 1, 0..=u64::MAX)?).map_err(|error| error.to_string())?)
}

fn travel(text: &str) -> Result<(u16, u16), String> {
    let (shortest, longest) =
        text.split_once('-').ok_or("travel must be a range of minutes, such as travel=1-5".to_owned())?;
    Ok((number("travel", shortest, 1..=100)?, number("travel", longest, 1..=100)?))
}

/// The game of `quarto` or `quarto:squares`.
fn quarto(parameters: &str) -> Result<Position, Refusal> {
    match parameters {
        "" => Ok(Position::new(nestling_quarto::Variant::Lines)),
        _ => parameters
            .parse()
            .map(Position::new)
            .map_err(|unknown: nestling_quarto::UnknownWord| unknown.to_string().into()),
    }
}
