//! `nestling play --terminal`: a game for two, move by move.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Result, anyhow};
use nestling::duel::Strategy;
use nestling::{Ending, Player, Provenance};
use nestling_registry::{
    Canvas, Instance, Opinion, OpponentLevel, Picture, Registry, Remembered, Session, Table, Thought, all_threads,
    drawn_seed,
};

use super::args::{HumanSides, TerminalArgs};
use crate::convert::Destination;
use crate::failure::Exit;
use crate::output::Existing;
use crate::{contest, text};

const COMMANDS: &str = "\
a move      as listed
hint        what the computer would do in your place
undo        take your last move back
level NAME  another opponent: ";

pub(super) fn play(game: &str, args: &TerminalArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii);
    let problem = registry.open(game)?;
    let table = contest::table(problem.as_ref())?;
    let levels = table.levels();
    let mut memories = Remembered::new();
    let (name, opponent) = match (&args.opponent, &args.level) {
        (Some(player), _) => (player.clone(), contest::player(player, problem.as_ref(), registry, &mut memories)?),
        (None, Some(wanted)) => level(&levels, wanted).map_err(|reason| anyhow!("--level {reason}"))?,
        (None, None) => level(&levels, &levels[levels.len() / 2].name).map_err(|reason| anyhow!(reason))?,
    };
    let seed = args.seed.unwrap_or_else(drawn_seed);
    text::print(&format!("{}, level {name}, seed {seed}; type help for the commands\n", problem.name()))?;
    let mut game = TerminalGame {
        problem: problem.as_ref(),
        registry,
        session: table.start_session(&memories)?,
        memories,
        table,
        opponent,
        seat: args.seat.unwrap_or(HumanSides::First),
        seed,
        threads: args.threads.map_or_else(all_threads, usize::from),
        canvas: text::canvas(),
    };
    game.run()
}

/// The level of a name, or a line that says which there are.
fn level(levels: &[OpponentLevel], wanted: &str) -> Result<(String, Strategy), String> {
    let found = levels.iter().find(|level| level.name.eq_ignore_ascii_case(wanted));
    let found = found.map(|level| (level.name.clone(), level.strategy.clone()));
    found.ok_or_else(|| format!("{wanted:?}: the levels are {}", names(levels)))
}

fn names(levels: &[OpponentLevel]) -> String {
    levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// A game and who plays it.
struct TerminalGame<'a> {
    problem: &'a dyn Instance,
    registry: &'a Registry,
    table: &'a dyn Table,
    memories: Remembered,
    session: Box<dyn Session>,
    opponent: Strategy,
    seat: HumanSides,
    seed: u64,
    threads: usize,
    canvas: Canvas,
}

/// Whether to continue.
enum Next {
    /// With the board drawn anew.
    Draw,
    /// With another question.
    Ask,
    Quit,
}

impl TerminalGame<'_> {
    fn run(&mut self) -> Result<Exit> {
        let mut next = Next::Draw;
        loop {
            if self.session.ending().is_none() && !self.is_person(self.session.turn()) {
                self.computer()?;
                next = Next::Draw;
                continue;
            }
            if matches!(next, Next::Draw) {
                self.show()?;
            }
            if self.session.ending().is_some() && self.seat == HumanSides::None {
                return Ok(Exit::Done);
            }
            let Some(line) = self.ask()? else { return Ok(Exit::Done) };
            next = self.obey(line.trim())?;
            if matches!(next, Next::Quit) {
                return Ok(Exit::Done);
            }
        }
    }

    fn is_person(&self, player: Player) -> bool {
        match self.seat {
            HumanSides::First => player == Player::First,
            HumanSides::Second => player == Player::Second,
            HumanSides::Both => true,
            HumanSides::None => false,
        }
    }

    fn show(&self) -> Result<()> {
        text::print(&format!("\n{}", self.session.draw(self.canvas)))?;
        if let Some((ending, reason)) = self.session.ending() {
            let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
            text::print(&format!("{}{reason}\n", self.verdict(ending)))?;
        }
        Ok(())
    }

    fn verdict(&self, ending: Ending) -> String {
        match (ending, self.seat) {
            (Ending::Draw, _) => "a draw".to_owned(),
            (Ending::Win(winner), HumanSides::Both | HumanSides::None) => format!("the {winner} player wins"),
            (Ending::Win(winner), _) if self.is_person(winner) => "you win".to_owned(),
            (Ending::Win(_), _) => "the computer wins".to_owned(),
        }
    }

    /// The next line, or nothing at the end of the input.
    fn ask(&self) -> Result<Option<String>> {
        let question = match self.session.ending() {
            Some(_) => "new, undo, save FILE or quit".to_owned(),
            None => {
                let who =
                    if self.seat == HumanSides::Both { format!("{}: ", self.session.turn()) } else { String::new() };
                format!("{who}{}: {}", self.session.task(), self.session.choices().join(" "))
            }
        };
        text::print(&format!("{question}\n> "))?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            text::print("\n")?;
            return Ok(None);
        }
        if !std::io::stdin().is_terminal() {
            text::print(&line)?;
        }
        Ok(Some(line))
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "h" | "?" => {
                let levels = names(&self.table.levels());
                let more = "moves       the game so far\nsave FILE   write the game to a file, such as game.json\nnew         start a new game\nquit        leave";
                text::print(&format!("{COMMANDS}{levels}\n{more}\n"))?;
            }
            "hint" => self.hint()?,
            "undo" => return self.undo(),
            "level" => match level(&self.table.levels(), rest) {
                Ok((name, strategy)) => {
                    self.opponent = strategy;
                    text::print(&format!("the computer plays at level {name} now\n"))?;
                }
                Err(reason) => text::print(&format!("level {reason}\n"))?,
            },
            "moves" => text::print(&format!("{}\n", self.session.moves().join(" ")))?,
            "save" => self.save(rest)?,
            "new" => {
                self.session = self.table.start_session(&self.memories)?;
                self.seed = self.seed.wrapping_add(1);
                return Ok(Next::Draw);
            }
            "quit" | "q" | "exit" => return Ok(Next::Quit),
            _ if self.session.ending().is_some() => text::print("the game is over\n")?,
            _ => match self.session.play(line) {
                Ok(_) => return Ok(Next::Draw),
                Err(reason) => text::print(&format!("{reason}\n"))?,
            },
        }
        Ok(Next::Ask)
    }

    fn computer(&mut self) -> Result<()> {
        let thought = self.think(&self.opponent.clone())?;
        self.session
            .play(&thought.played)
            .map_err(|reason| anyhow!("the computer's move {}: {reason}", thought.played))?;
        Ok(text::print(&format!("the computer {}\n", thought.deed))?)
    }

    /// The move that a player would make; while it thinks, the terminal shows this.
    fn think(&mut self, player: &Strategy) -> Result<Thought> {
        let thought = || self.session.think(player, self.seed, self.threads);
        Ok(contest::watched(|| "the computer thinks".to_owned(), thought)?)
    }

    /// The move that the strongest quick level would make.
    fn hint(&mut self) -> Result<()> {
        if self.session.ending().is_some() {
            return Ok(text::print("the game is over\n")?);
        }
        let thought = self.think(&self.table.advisor())?;
        let opinion = thought.opinions.iter().find(|opinion| opinion.played == thought.played);
        let why = opinion.map_or_else(String::new, |opinion| format!(" ({})", self.words(opinion)));
        Ok(text::print(&format!("{}{why}\n", thought.played))?)
    }

    fn words(&self, opinion: &Opinion) -> String {
        match opinion.proof {
            Some(solved) if solved.ending == Ending::Win(self.session.turn()) => {
                "this wins against any play".to_owned()
            }
            Some(solved) if solved.ending == Ending::Draw => "this draws against best play".to_owned(),
            Some(_) => "every move loses against best play".to_owned(),
            None => format!("worth {:.0} of 100 points", 100.0 * opinion.value),
        }
    }

    /// Takes moves back until a person has to move again.
    fn undo(&mut self) -> Result<Next> {
        let mut undone = self.session.undo();
        while undone && !self.is_person(self.session.turn()) {
            undone = self.session.undo();
        }
        if !undone {
            text::print("there is no move to take back\n")?;
        }
        Ok(Next::Draw)
    }

    fn save(&self, file: &str) -> Result<()> {
        if file.is_empty() {
            return Ok(text::print("save: name a file, such as game.json\n")?);
        }
        let provenance = Provenance {
            seed: Some(self.seed),
            program: Some(concat!("nestling ", env!("CARGO_PKG_VERSION")).to_owned()),
            date: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
            description: Some(format!("played against {}", self.opponent)),
            ..Provenance::default()
        };
        let save = || {
            let destination =
                Destination::new(Path::new(file), None, None, Existing::Refused, self.problem, self.registry)?;
            destination.write(&self.problem.certify(&self.session.moves())?, &provenance, &Picture::default())
        };
        match save() {
            Ok(()) => text::print(&format!("written to {file}\n"))?,
            Err(error) => text::print(&format!("{error:#}\n"))?,
        }
        std::io::stdout().flush()?;
        Ok(())
    }
}
