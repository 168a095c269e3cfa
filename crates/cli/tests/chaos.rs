//! Runs that are killed again and again come to the result of a run that is left alone. `scripts/chaos` runs this; it takes
//! a minute or two.

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nestling::Rng;
use nestling_store::Store;
use serde_json::Value;

const INTERVAL: Duration = Duration::from_millis(200);
const KILLS: u32 = 25;
/// How long the run that is left alone takes. What it has played by then is the budget of the one that is killed, so that the
/// test takes as long on any machine.
const ALONE: &str = "22s";
const LIMIT: Duration = Duration::from_secs(180);

struct Scenario {
    problem: &'static str,
    search: &'static str,
    seed: u64,
}

/// What the killed run came to, beside the other.
struct Figures {
    seconds: f64,
    playouts: u64,
    rate: f64,
    kills: u32,
    /// An upper bound of the playouts played by all processes beyond those of the uninterrupted run.
    excess: f64,
    least_interval: f64,
}

fn command(store: &Path, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("nestling"))
        .args(arguments)
        .args(["--json", "--threads", "1"])
        .env("NESTLING_STORE", store)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The result of a process that comes to its end.
fn result(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    common::results(&output).remove(0)
}

/// A process is killed while it works; what it had played is known from its last heartbeat, what it may have played since
/// from how long it lived.
fn kill(store: &Path, mut child: Child, born: Instant) -> (u64, f64) {
    child.kill().unwrap();
    let lived = born.elapsed().as_secs_f64();
    let status = child.wait().unwrap();
    assert!(status.code().is_none(), "it had ended by itself: {status}");
    let leg = store.exists().then(|| Store::open(store).unwrap().legs(1).unwrap().pop()).flatten();
    match leg.filter(|leg| leg.process == child.id()) {
        Some(leg) => (leg.playouts, (lived - leg.time.as_secs_f64()).max(0.0)),
        // Killed before the run was stored, or taken up.
        None => (0, lived),
    }
}

fn torment(scenario: &Scenario, folder: &Path) -> Figures {
    let Scenario { problem, search, seed } = scenario;
    let (store, seed) = (folder.join(format!("{seed}.db")), seed.to_string());
    let began = Instant::now();
    let solve = ["solve", problem, "-s", search, "--seed", &seed];
    let alone = result(command(&store, &[&solve[..], &["--time", ALONE, "--no-store"]].concat()));
    let seconds = alone["seconds"].as_f64().unwrap();
    let playouts = alone["playouts"].as_u64().unwrap();
    let rate = playouts as f64 / seconds;

    let mut rng = nestling::Stream::new(playouts).rng();
    let longest = 2.0 * seconds / f64::from(KILLS + 5);
    let (mut kills, mut recorded, mut unheard) = (0, 0, 0.0);
    let survivor = loop {
        assert!(began.elapsed() < LIMIT, "{search}: {kills} kills and no end");
        let born = Instant::now();
        let child = if is_stored(&store) {
            command(&store, &["runs", "resume", "1"])
        } else {
            let interval = humantime::format_duration(INTERVAL).to_string();
            let budget = playouts.to_string();
            command(&store, &[&solve[..], &["--playouts", &budget, "--checkpoint", &interval]].concat())
        };
        if kills == KILLS {
            break result(child);
        }
        std::thread::sleep(moment(&mut rng, longest));
        let (playouts, seconds) = kill(&store, child, born);
        (kills, recorded, unheard) = (kills + 1, recorded + playouts, unheard + seconds);
    };
    for field in ["score", "moves", "playouts", "playout_moves", "best_seen", "proven"] {
        assert_eq!(survivor[field], alone[field], "{search}: {field}");
    }
    let all = recorded + Store::open(&store).unwrap().legs(1).unwrap().pop().unwrap().playouts;
    let excess = all as f64 + unheard * rate - playouts as f64;
    Figures { seconds, playouts, rate, kills, excess, least_interval: INTERVAL.as_secs_f64() * rate }
}

fn is_stored(store: &Path) -> bool {
    store.exists() && Store::open(store).is_ok_and(|store| store.run(1).is_ok())
}

fn moment(rng: &mut Rng, longest: f64) -> Duration {
    Duration::from_secs_f64(0.02 + rng.unit() * longest)
}

#[test]
#[ignore = "takes a minute or two; scripts/chaos runs it"]
fn killed_runs_come_to_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = [
        Scenario { problem: "morpion-5t", search: "repeat(nrpa(3))", seed: 1 },
        Scenario { problem: "morpion-5d", search: "repeat(nested(3))", seed: 2 },
    ];
    let figures: Vec<Figures> = std::thread::scope(|scope| {
        let threads = scenarios.each_ref().map(|scenario| scope.spawn(|| torment(scenario, folder.path())));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut share = 0.0;
    for (scenario, figures) in scenarios.iter().zip(&figures) {
        let Figures { seconds, playouts, rate, kills, excess, least_interval } = figures;
        println!(
            "{} on {}: {playouts} playouts, {seconds:.1} s alone ({rate:.0} a second); killed {kills} times, at most {excess:.0} \
             played in vain, {:.1} intervals' worth",
            scenario.search,
            scenario.problem,
            excess / least_interval,
        );
        share += excess / least_interval;
    }
    let kills: u32 = figures.iter().map(|figures| figures.kills).sum();
    let verdict = if share <= f64::from(kills) { "chaos: passed" } else { "chaos: FAILED" };
    println!(
        "{verdict}: {kills} kills, moves, score and playouts the same; at most {share:.1} intervals of {} s played in vain, {kills} \
         allowed",
        INTERVAL.as_secs_f64()
    );
    assert!(share <= f64::from(kills));
    assert!(figures.iter().all(|figures| figures.seconds >= 20.0), "the runs are too short to mean anything");
}
