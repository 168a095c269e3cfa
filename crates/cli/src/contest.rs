//! `nestling match`.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use indicatif::HumanDuration;
use nestling::duel::{ContestError, MatchCounts, Played, Side, Standing, Strategy};
use nestling::{Cancel, Ending, PlayerResult, Provenance};
use nestling_registry::{Instance, MatchOrder, Picture, Registry, Remembered, Table, all_threads, drawn_seed};
use serde_json::{Value, json};

use crate::args::MatchArgs;
use crate::failure::Exit;
use crate::games::{GameInFile, InputFile};
use crate::output::Output;
use crate::progress::{Progress, Total};
use crate::{interrupt, json, text};

pub(crate) fn contest(args: &MatchArgs, registry: &Registry) -> Result<Exit> {
    let problem = registry.open(&args.game)?;
    let table = table(problem.as_ref())?;
    let mut memories = Remembered::new();
    let mut player = |text: &str| player(text, problem.as_ref(), registry, &mut memories);
    let strategies = [player(&args.one)?, player(&args.other)?];
    let order = MatchOrder {
        strategies,
        games: args.games,
        seed: args.seed.unwrap_or_else(drawn_seed),
        threads: args.threads.map_or_else(all_threads, usize::from),
        opening: args.opening,
        cancel: Cancel::new(),
        moves: Arc::default(),
        memories,
    };
    let mut archive =
        args.output.as_deref().map(|path| Archive::new(path, args, problem.as_ref(), registry)).transpose()?;
    interrupt::listen(&order.cancel)?;
    let began = Instant::now();
    let standing = play(args, table, &order, archive.as_mut())?;
    if let Some(archive) = &mut archive {
        archive.write()?;
    }
    let report = MatchReport { problem: problem.name(), order: &order, standing, elapsed: began.elapsed() };
    if args.json {
        json::print(&report.json())?
    } else {
        text::print(&report.text())?
    }
    Ok(if report.is_interrupted() { Exit::Interrupted } else { Exit::Done })
}

/// The game for two, or what to say about a problem that is none.
pub(crate) fn table(problem: &dyn Instance) -> Result<&dyn Table> {
    problem.table().ok_or_else(|| anyhow!("{0} is not a two-player game; try nestling solve {0}", problem.name()))
}

/// A player that fits the game; the games that it mentions are read.
pub(crate) fn player(
    text: &str,
    problem: &dyn Instance,
    registry: &Registry,
    memories: &mut Remembered,
) -> Result<Strategy> {
    let named = || format!("player {text:?}");
    let strategy = registry.players().parse(text).with_context(named)?;
    for name in strategy.files() {
        memories.insert(name.to_owned(), games(Path::new(name), problem, registry)?);
    }
    table(problem)?.check(&strategy, memories).with_context(named)?;
    Ok(strategy)
}

/// The moves of all games in a file.
fn games(path: &Path, problem: &dyn Instance, registry: &Registry) -> Result<Vec<Vec<String>>> {
    let file = InputFile::read(path)?;
    let read = |game: GameInFile<'_>| {
        let verdict = registry.verify_as(game.bytes, problem).map_err(|error| anyhow!("{}: {error}", game.place()))?;
        Ok(verdict.game.texts().to_vec())
    };
    file.games(registry)?.into_iter().map(read).collect()
}

fn play(
    args: &MatchArgs,
    table: &dyn Table,
    order: &MatchOrder,
    mut archive: Option<&mut Archive<'_>>,
) -> Result<Standing> {
    let so_far = Mutex::new(MatchProgress { began: Instant::now(), standing: Standing::default(), moves: 0 });
    let mut failed = Ok(());
    let mut listen = |played: &Played<String>| {
        so_far.lock().expect("nobody panics").add(played);
        let mut keep = || -> Result<()> {
            if let Some(archive) = &mut archive {
                archive.add(order, played)?;
            }
            if args.json {
                json::print(&game(played))?;
            }
            Ok(())
        };
        if failed.is_ok() {
            failed = keep();
            if failed.is_err() {
                order.cancel.cancel();
            }
        }
    };
    let standing = watched(|| so_far.lock().expect("nobody panics").line(order), || table.contest(order, &mut listen));
    failed?;
    standing.map_err(|error: ContestError| error.into())
}

/// Does something that may take long, with a progress display on a terminal.
pub(crate) fn watched<R>(line: impl Fn() -> String + Sync, work: impl FnOnce() -> R) -> R {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (over, is_over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let line = &line;
        scope.spawn(move || {
            // Short work shows no progress.
            let mut progress = None;
            while is_over.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                progress.get_or_insert_with(|| Progress::new(Total::Unknown)).doing(line());
            }
            progress.iter().for_each(Progress::finish);
        });
        let result = work();
        drop(over);
        result
    })
}

/// How often the line on the terminal changes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// The progress of a match.
struct MatchProgress {
    began: Instant,
    standing: Standing,
    /// The moves of the games that are over.
    moves: usize,
}

impl MatchProgress {
    fn add(&mut self, played: &Played<String>) {
        self.standing.add(played);
        self.moves += played.moves.len() - played.opening;
    }

    /// The games played, and the estimated time for the rest. It needs one game that is over, to know how many moves a game has.
    fn line(&self, order: &MatchOrder) -> String {
        let MatchCounts { wins, draws, losses } = self.standing.total();
        let (games, made) = (self.standing.total().games(), order.moves.load(Ordering::Relaxed));
        let of_all = format!("{} of {}", text::count(games), text::plural(order.games, "game"));
        if games == 0 {
            return format!("{of_all}, {}", text::plural(made, "move"));
        }
        let all_moves = self.moves as f64 / games as f64 * order.games as f64;
        let left = self.began.elapsed().as_secs_f64() * (all_moves / (made as f64).max(1.0) - 1.0).max(0.0);
        let left = HumanDuration(Duration::from_secs_f64(left.max(1.0)));
        format!("{of_all}, about {left} left; {wins} won, {draws} drawn, {losses} lost by {}", order.strategies[0])
    }
}

fn side(side: Side) -> &'static str {
    match side {
        Side::A => "A",
        Side::B => "B",
    }
}

fn game(played: &Played<String>) -> Value {
    let winner = match played.verdict(Side::A) {
        PlayerResult::Win => json!("A"),
        PlayerResult::Draw => json!(null),
        PlayerResult::Loss => json!("B"),
    };
    let ending = match played.ending {
        Ending::Win(player) => player.to_string(),
        Ending::Draw => "draw".to_owned(),
    };
    json!({
        "event": "game",
        "game": played.number + 1,
        "first": side(played.first),
        "ending": ending,
        "winner": winner,
        "opening": played.opening,
        "moves": played.moves,
    })
}

/// The games of a match in a file, one a line, each of them a game as JSON that every command reads.
struct Archive<'a> {
    output: Output,
    problem: &'a dyn Instance,
    registry: &'a Registry,
    lines: String,
    written: Instant,
}

/// The most that a killed process may lose of a long match.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

impl<'a> Archive<'a> {
    fn new(path: &Path, args: &MatchArgs, problem: &'a dyn Instance, registry: &'a Registry) -> Result<Self> {
        let name = text::name(path);
        let fits = path.extension().is_some_and(|extension| extension == "jsonl");
        ensure!(fits, "-o {name}: the games of a match are written as lines of JSON; the file name must end in .jsonl");
        let output = Output::new(path, args.force.existing())?;
        Ok(Archive { output, problem, registry, lines: String::new(), written: Instant::now() })
    }

    fn add(&mut self, order: &MatchOrder, played: &Played<String>) -> Result<()> {
        let [one, other] = order.strategies.each_ref().map(Strategy::to_string);
        let (first, second) = if played.first == Side::A { (one, other) } else { (other, one) };
        let opening =
            if played.opening > 0 { format!(", {} random moves first", played.opening) } else { String::new() };
        let provenance = Provenance {
            seed: Some(order.seed),
            program: Some(concat!("nestling ", env!("CARGO_PKG_VERSION")).to_owned()),
            description: Some(format!("{first} against {second}, game {} of a match{opening}", played.number + 1)),
            ..Provenance::default()
        };
        let format = self.registry.format(self.problem, "json")?;
        let game = self.problem.certify(&played.moves)?;
        let document = self.registry.write(format, self.problem, &game, &provenance, &Picture::default())?;
        let document: Value = serde_json::from_slice(&document)?;
        self.lines += &format!("{document}\n");
        if self.written.elapsed() > BETWEEN_WRITES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        self.written = Instant::now();
        self.output.write(&self.lines)
    }
}

/// The result of a match, for people and programs.
struct MatchReport<'a> {
    problem: &'a str,
    order: &'a MatchOrder,
    standing: Standing,
    elapsed: Duration,
}

impl MatchReport<'_> {
    fn text(&self) -> String {
        let [one, other] = &self.order.strategies;
        let row = |name: &str, MatchCounts { wins, draws, losses }: MatchCounts| {
            [name.to_owned(), wins.to_string(), draws.to_string(), losses.to_string()]
        };
        let Standing { as_first, as_second } = self.standing;
        let total = self.standing.total();
        let (games, time) = (self.games(), text::measured(self.elapsed));
        if total.games() == 0 {
            return format!("{}: {games} in {time}\n{}", self.problem, self.again());
        }
        let rows = [row("going first", as_first), row("going second", as_second), row("total", total)];
        let (low, high) = self.standing.interval();
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let of_all = |count: u64| percent(count as f64 / total.games() as f64);
        format!(
            "{}\n{one} against {other}: {} won, {} drawn, {} lost\nscore {}, 95 % confidence {} to {}\n{}: {games} in {time}\n{}",
            text::table([&one.to_string(), "wins", "draws", "losses"], rows),
            of_all(total.wins),
            of_all(total.draws),
            of_all(total.losses),
            percent(self.standing.score()),
            percent(low),
            percent(high),
            self.problem,
            self.again(),
        )
    }

    /// Whether the match was interrupted before all games were played.
    fn is_interrupted(&self) -> bool {
        self.standing.total().games() < self.order.games
    }

    /// How many games were played.
    fn games(&self) -> String {
        let (played, all) = (self.standing.total().games(), text::plural(self.order.games, "game"));
        if self.is_interrupted() { format!("interrupted after {} of {all}", text::count(played)) } else { all }
    }

    /// The command that gives the same games again, or all of them if there is none yet; none if a player has a time budget.
    fn again(&self) -> String {
        if self.order.strategies.iter().any(Strategy::is_timed) {
            return String::new();
        }
        let [one, other] = self.order.strategies.each_ref().map(|strategy| text::shell_word(&strategy.to_string()));
        let MatchOrder { games, seed, opening, .. } = self.order;
        let games = Some(self.standing.total().games()).filter(|&played| played > 0).unwrap_or(*games);
        let opening = if *opening > 0 { format!(" --opening {opening}") } else { String::new() };
        let (program, problem) = (text::program(), text::shell_word(self.problem));
        format!("repeat it: {program} match {problem} {one} {other} --games {games} --seed {seed}{opening}\n")
    }

    fn json(&self) -> Value {
        nestling_registry::json::standing(self.problem, self.order, &self.standing, self.elapsed)
    }
}
