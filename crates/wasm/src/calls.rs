//! What the page can call.
//!
//! | call | role | meaning |
//! |---|---|---|
//! | `about` | answers | the version of the engine, and the names of the `problems` that it has |
//! | `request` | answers | a request of the app: `method`, `path`, `query`, and its body; the reply has `status`, `kind`, `name` and a body |
//! | `records` | answers | the published games of a `problem` (none if `own`), and the `games` found here, as the app lists them |
//! | `verify` | answers | the `moves` of a game of a `problem`, replayed by the rules: its score, and what it is known by |
//! | `chart` | answers | a run's scores over time as a picture: `title`, `problem`, `seconds`, and `steps` of seconds and score |
//! | `match` | answers | a match of two `players` of a `problem`: `games`, `seed`, `opening`; its standing, as the command line has it |
//! | `describe` | answers | a run that was made elsewhere: its `spec`, and its `outcome` if there is one; the reply has what `begin` tells, and the `result` |
//! | `begin` | driver | a run: its `spec`, as the app asks for it; the reply has the whole specification, search and seed decided |
//! | `resume` | driver | the same run again, from its `spec`, what it had `spent`, and a checkpoint; perhaps with more `seconds` or `playouts` |
//! | `next` | driver | the next tasks, at most as many as it `wants`, as `parcels`: of each its `index` and its `length` in the body. Reports of tasks in the body, listed by `taken` in the same form, are taken first; the reply has the `improvements` that they make sure of, and how far the run is |
//! | `lost` | driver | nobody makes the tasks `indices` any more |
//! | `stop` | driver | the time of the run is over |
//! | `checkpoint` | driver | where the run stands, and what it has `spent` |
//! | `outcome` | driver | the result of the run, which ends with it |
//! | `tasks` | worker | takes up the `tasks` in the body, in the place of those it has, and makes a step |
//! | `step` | worker | goes on with them for about so many `seconds`; once they are over, the reply has their reports as `parcels`; `by` says who made them |
//! | `report` | worker | the reports that there are, and the interim report of the task that is not over |

use std::collections::BTreeMap;
use std::time::Instant;

use nestling::digest;
use nestling_api::{ROUTES, Refusal, Request};
use nestling_presentation::chart::{Chart, Series};
use nestling_registry::{Instance, MatchOrder, Published, Registry, json};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::driver::{Driver, Elsewhere};
use crate::host::Tab;
use crate::maker::Maker;
use crate::message::Message;

pub(crate) struct Calls {
    registry: Registry,
    driver: Option<Driver>,
    maker: Maker,
}

#[derive(Deserialize)]
struct Asked {
    method: String,
    path: String,
    #[serde(default)]
    query: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct GameCall {
    problem: String,
    moves: Vec<String>,
}

/// A game that was found in this browser.
#[derive(Deserialize)]
struct GameOfRun {
    problem: String,
    score: f64,
    moves: Vec<String>,
    search: String,
    seed: String,
    run: u64,
    found: String,
}

#[derive(Deserialize)]
struct Listed {
    problem: Option<String>,
    own: bool,
    games: Vec<GameOfRun>,
}

#[derive(Deserialize)]
struct Match {
    problem: String,
    players: [String; 2],
    games: u64,
    seed: u64,
    #[serde(default)]
    opening: usize,
}

#[derive(Deserialize)]
struct Curve {
    title: String,
    problem: String,
    seconds: f64,
    steps: Vec<(f64, f64)>,
}

impl Calls {
    pub fn new() -> Self {
        let registry = if cfg!(feature = "others") { Registry::standard() } else { Registry::of_pages() };
        Calls { registry: registry.without_files(), driver: None, maker: Maker::default() }
    }

    pub fn carry_out(&mut self, message: &Message) -> Result<Message, String> {
        let call = message.header["call"].as_str().unwrap_or_default();
        match call {
            "about" => {
                let problems: Vec<&str> = self.registry.list().map(|(name, _)| name).collect();
                let about = json!({ "engine": ENGINE, "version": env!("CARGO_PKG_VERSION"), "problems": problems });
                Ok(Message::of(about))
            }
            "request" => self.request(&arguments(message)?, &message.body),
            "records" => self.records(arguments(message)?),
            "verify" => self.verify(&arguments(message)?),
            "chart" => self.chart(&arguments(message)?),
            "match" => self.play_match(arguments(message)?),
            "describe" => arguments::<Elsewhere>(message)?.describe(&self.registry),
            "begin" => {
                let (driver, reply) = Driver::begin(&self.registry, &arguments(message)?)?;
                self.driver = Some(driver);
                Ok(reply)
            }
            "resume" => {
                let (driver, reply) = Driver::resume(&self.registry, arguments(message)?, &message.body)?;
                self.driver = Some(driver);
                Ok(reply)
            }
            "next" => self.driver()?.next(&arguments(message)?, &message.body),
            "lost" => self.driver()?.lost(&arguments(message)?),
            "stop" => self.driver()?.stop(),
            "checkpoint" => self.driver()?.checkpoint(),
            "outcome" => self.driver.take().ok_or(NO_RUN)?.outcome(&arguments(message)?),
            "tasks" => self.maker.tasks(&self.registry, &message.body, &arguments(message)?),
            "step" => self.maker.step(&self.registry, &arguments(message)?),
            "report" => self.maker.report(&arguments(message)?),
            _ => Err(format!("there is no call {call:?}")),
        }
    }

    fn driver(&mut self) -> Result<&mut Driver, String> {
        self.driver.as_mut().ok_or_else(|| NO_RUN.to_owned())
    }

    fn request(&self, asked: &Asked, body: &[u8]) -> Result<Message, String> {
        let route = ROUTES.iter().find(|route| route.method == asked.method && route.path == asked.path);
        let request = Request { query: &asked.query, body };
        let answer = match route {
            Some(route) => (route.answer)(&Tab(&self.registry), &request),
            None => {
                Err(Refusal::missing(format!("there is no request {} {} in a browser tab", asked.method, asked.path)))
            }
        };
        Ok(match answer {
            Ok(reply) => {
                Message { header: json!({ "status": 200, "kind": reply.kind, "name": reply.name }), body: reply.body }
            }
            Err(refusal) => Message {
                header: json!({ "status": refusal.status, "kind": "application/json" }),
                body: refusal.body().into_bytes(),
            },
        })
    }

    /// The games worth remembering: published, and found here.
    fn records(&self, listed: Listed) -> Result<Message, String> {
        let mut records = Vec::new();
        if let Some(name) = listed.problem.filter(|_| !listed.own) {
            let problem = self.open(&name)?;
            records.extend(problem.published().iter().map(|game| json::record(problem.as_ref(), game, false)));
        }
        for game in listed.games {
            // What another version could open is left out.
            if let Ok(problem) = self.open(&game.problem) {
                let (game, seed) = game.published();
                let mut record = json::record(problem.as_ref(), &game, true);
                record["seed"] = json!(seed);
                records.push(record);
            }
        }
        Ok(Message::of(json!({ "records": records })))
    }

    fn verify(&self, GameCall { problem, moves }: &GameCall) -> Result<Message, String> {
        let problem = self.open(problem)?;
        let game = problem.certify(moves).map_err(|illegal| format!("illegal, {illegal}"))?;
        let reply = json!({
            "problem": problem.name(),
            "score": json::score(game.score()),
            "identity": identity(problem.as_ref(), &game)?,
            "minimise": problem.goal() == nestling::Goal::Min,
        });
        Ok(Message::of(json::with_meaning(reply, &|score, _| problem.meaning(score, false))))
    }

    fn chart(&self, curve: &Curve) -> Result<Message, String> {
        let unit = self.open(&curve.problem).ok().and_then(|problem| problem.unit()).unwrap_or("score");
        let (name, length) = match curve.seconds {
            seconds if seconds < 300.0 => ("seconds", 1.0),
            seconds if seconds < 18_000.0 => ("minutes", 60.0),
            _ => ("hours", 3_600.0),
        };
        let steps = curve.steps.iter().map(|&(seconds, score)| (seconds / length, score)).collect();
        let series = Series::steps("best so far", steps).until(curve.seconds / length);
        let svg = Chart::new(&curve.title).axes(name, unit).with(series).svg();
        Ok(Message { header: json!({}), body: svg.into_bytes() })
    }

    fn play_match(&self, Match { problem, players, games, seed, opening }: Match) -> Result<Message, String> {
        let problem = self.open(&problem)?;
        let table = problem.table().ok_or_else(|| format!("{} is not a two-player game", problem.name()))?;
        let [one, other] = players.map(|player| self.registry.players().parse(&player).map_err(text));
        let (cancel, moves, memories) = Default::default();
        let order =
            MatchOrder { strategies: [one?, other?], games, seed, threads: 1, opening, cancel, moves, memories };
        let began = Instant::now();
        let standing = table.contest(&order, &mut |_| {}).map_err(text)?;
        Ok(Message::of(json::standing(problem.name(), &order, &standing, began.elapsed())))
    }

    fn open(&self, problem: &str) -> Result<Box<dyn Instance>, String> {
        self.registry.open(problem).map_err(text)
    }
}

impl GameOfRun {
    /// As a notable game, and its seed.
    fn published(self) -> (Published, Option<u64>) {
        let seed = self.seed.parse().ok();
        let provenance = nestling::Provenance {
            search: Some(self.search.clone()),
            seed,
            date: Some(self.found.clone()),
            ..nestling::Provenance::default()
        };
        let name = format!("{} of run {}", self.search, self.run);
        let id = format!("{}#{}", self.problem, self.run);
        (Published { id, name, date: Some(self.found), score: self.score, moves: self.moves, provenance }, seed)
    }
}

/// By this text `nestling site` tells an engine of its own version from any other file.
const ENGINE: &str = concat!("nestling engine ", env!("CARGO_PKG_VERSION"), ";");

const NO_RUN: &str = "no run has begun here";

/// What a game is known by, so that it is kept once.
pub(crate) fn identity(problem: &dyn Instance, game: &nestling::Certified) -> Result<String, String> {
    let bytes = problem.identity(game).map_err(text)?;
    Ok(format!("{:032x}", digest(bytes.into_iter().map(u64::from))))
}

pub(crate) fn text(error: impl ToString) -> String {
    error.to_string()
}

fn arguments<T: DeserializeOwned>(message: &Message) -> Result<T, String> {
    T::deserialize(&message.header).map_err(|error: serde_json::Error| format!("the call: {error}"))
}

/// A reply without bytes.
pub(crate) fn done() -> Message {
    Message::of(Value::Object(serde_json::Map::new()))
}
