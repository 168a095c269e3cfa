//! Runs that are killed again and again have the result of a run that is left alone. Every day a few times; `scripts/chaos` kills them
//! 75 times, which takes a minute or two.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use nestling_store::Store;
use serde_json::Value;

const INTERVAL: Duration = Duration::from_millis(200);

/// How often each run is killed, and how long the run that is left alone takes. What that one has played by then is the budget of the
/// one that is killed, so that the test takes as long on any machine.
struct Torment {
    kills: u32,
    seconds: u32,
}

const SHORT: Torment = Torment { kills: 8, seconds: 7 };
const LONG: Torment = Torment { kills: 25, seconds: 22 };

/// A run that has not ended by then hangs.
const LIMIT: Duration = Duration::from_secs(1_200);

struct Scenario {
    problem: &'static str,
    search: &'static str,
    seed: u64,
}

/// The result of the killed run, and that of the other.
struct Figures {
    seconds: f64,
    playouts: u64,
    rate: f64,
    kills: u32,
    /// An upper bound of the playouts played by all processes beyond those of the uninterrupted run.
    excess: f64,
    /// How many of them an interval has room for.
    interval: f64,
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

/// The result of a process that is not killed.
fn result(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    crate::common::results(&output).remove(0)
}

/// A process is killed while it works; what it had played is known from its last heartbeat, what it may have played since
/// from how long it went on after that. One that takes a run up plays nothing before it holds the lease.
fn kill(store: &Path, mut child: Child, born: Instant, resumed: bool) -> (u64, f64) {
    child.kill().unwrap();
    let (lived, now) = (born.elapsed().as_secs_f64(), SystemTime::now());
    let status = child.wait().unwrap();
    assert!(status.code().is_none(), "it had ended by itself: {status}");
    let leg = store.exists().then(|| Store::open(store).unwrap().legs(1).unwrap().pop()).flatten();
    match leg.filter(|leg| leg.process == child.id()) {
        Some(leg) => {
            let since = now.duration_since(leg.started.time()).unwrap_or_default().as_secs_f64();
            let worked = if resumed { since.min(lived) } else { lived };
            (leg.playouts, (worked - leg.time.as_secs_f64()).max(0.0))
        }
        None => (0, if resumed { 0.0 } else { lived }),
    }
}

fn torment(scenario: &Scenario, size: &Torment, folder: &Path) -> Figures {
    let Scenario { problem, search, seed } = scenario;
    let (store, seed) = (folder.join(format!("{seed}.db")), seed.to_string());
    let (began, alone) = (Instant::now(), format!("{}s", size.seconds));
    let solve = ["solve", problem, "-s", search, "--seed", &seed];
    let alone = result(command(&store, &[&solve[..], &["--time", &alone, "--no-store"]].concat()));
    let (seconds, playouts) = (alone["seconds"].as_f64().unwrap(), alone["playouts"].as_u64().unwrap());
    let (interval, budget) = (humantime::format_duration(INTERVAL).to_string(), playouts.to_string());
    let begin = [&solve[..], &["--playouts", &budget, "--checkpoint", &interval]].concat();

    let mut rng = nestling::Stream::new(playouts).rng();
    let (mut kills, mut recorded, mut unheard, mut expected) = (0, 0, 0.0, 0);
    let survivor = loop {
        assert!(began.elapsed() < LIMIT, "{search}: {kills} kills and no end");
        let (reached, rate) = standing(&store).unwrap_or((0, playouts as f64 / seconds));
        let born = Instant::now();
        let resumed = is_stored(&store);
        let child = if resumed { command(&store, &["runs", "resume", "1"]) } else { command(&store, &begin) };
        if kills == size.kills {
            break result(child);
        }
        // Spread over what is left, so that the run does not end before the kills do, however fast the machine is now.
        let longest = 1.2 * (playouts - reached) as f64 / rate / f64::from(size.kills - kills + 2);
        std::thread::sleep(Duration::from_secs_f64(0.02 + rng.unit() * longest));
        let process = child.id();
        let (playouts, seconds) = kill(&store, child, born, resumed);
        (kills, recorded, unheard) = (kills + 1, recorded + playouts, unheard + seconds);
        expected = begun_at_the_last_checkpoint(&store, process, expected, search);
    };
    for field in ["score", "moves", "playouts", "playout_moves", "best_seen", "proven"] {
        assert_eq!(survivor[field], alone[field], "{search}: {field}");
    }
    let store = Store::open(&store).unwrap();
    let (last, spent) = (store.legs(1).unwrap().pop().unwrap(), store.run(1).unwrap().spent);
    let rate = spent.work.playouts as f64 / spent.time.as_secs_f64();
    let excess = (recorded + last.playouts) as f64 + unheard * rate - playouts as f64;
    Figures { seconds, playouts, rate, kills, excess, interval: INTERVAL.as_secs_f64() * rate }
}

fn is_stored(store: &Path) -> bool {
    store.exists() && Store::open(store).is_ok_and(|store| store.run(1).is_ok())
}

/// What a process does again is at most what was played since the last checkpoint: it began where that stood, `expected`, when it was
/// killed. The answer is where the next one has to begin.
fn begun_at_the_last_checkpoint(store: &Path, process: u32, expected: u64, search: &str) -> u64 {
    if !is_stored(store) {
        return 0;
    }
    let store = Store::open(store).unwrap();
    let (run, leg) = (store.run(1).unwrap(), store.legs(1).unwrap().pop().unwrap());
    let taken = store.checkpoint(1, 0).unwrap().map_or(0, |taken| taken.spent.work.playouts);
    // One that was killed before it held the lease has no leg of its own.
    if leg.process == process {
        let begun = run.reached.work.playouts - leg.playouts;
        assert_eq!(begun, expected, "{search}: a process began elsewhere than at the last checkpoint");
    }
    assert!(taken >= expected, "{search}: the checkpoint of {expected} was lost, there is one of {taken}");
    taken
}

/// Where the run stands, and how fast it was, once it is stored and has a checkpoint.
fn standing(store: &Path) -> Option<(u64, f64)> {
    let store = Store::open(store).ok().filter(|_| store.exists())?;
    let (taken, spent) = (store.checkpoint(1, 0).ok()??, store.run(1).ok()?.spent);
    Some((taken.spent.work.playouts, spent.work.playouts as f64 / spent.time.as_secs_f64().max(0.1)))
}

#[test]
fn runs_killed_a_few_times_have_the_same_result() {
    check(&SHORT);
}

#[test]
#[ignore = "takes a minute or two; scripts/chaos runs it"]
fn runs_killed_many_times_have_the_same_result() {
    check(&LONG);
}

fn check(size: &Torment) {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = [
        Scenario { problem: "morpion-5t", search: "repeat(nrpa(3))", seed: 1 },
        Scenario { problem: "morpion-5d", search: "repeat(nested(3))", seed: 2 },
        Scenario { problem: "morpion-5t", search: "repeat(pool(1000000))", seed: 3 },
    ];
    let figures: Vec<Figures> = std::thread::scope(|scope| {
        let threads = scenarios.each_ref().map(|scenario| scope.spawn(|| torment(scenario, size, folder.path())));
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut share = 0.0;
    for (scenario, figures) in scenarios.iter().zip(&figures) {
        let Figures { seconds, playouts, rate, kills, excess, interval } = figures;
        println!(
            "{} on {}: {playouts} playouts, {seconds:.1} s alone ({rate:.0} a second); killed {kills} times, at most {excess:.0} \
             played in vain, {:.1} intervals' worth",
            scenario.search,
            scenario.problem,
            excess / interval,
        );
        share += excess / interval;
    }
    let kills: u32 = figures.iter().map(|figures| figures.kills).sum();
    println!(
        "chaos: passed: {kills} kills, moves, score and playouts the same, each process went on from the last checkpoint; at most \
         {share:.1} intervals of {} s played in vain",
        INTERVAL.as_secs_f64()
    );
    let least = 0.9 * f64::from(size.seconds);
    assert!(figures.iter().all(|figures| figures.seconds >= least), "the runs are too short to mean anything");
}
