//! Tours with time windows: the rules, the readers, and the instances of the literature.

use std::time::Duration;

use crate::common::{data, run};
use nestling::{Problem, Run, Stop, Stream, conformance};
use nestling_puzzles::Style;
use nestling_puzzles::tsptw::{self, Instance, PENALTY, Place, Tsptw};

/// An instance of the literature with its best known cost and tour.
struct Known {
    name: String,
    instance: Instance,
    cost: f64,
    tour: Vec<Place>,
}

fn known() -> Option<Vec<Known>> {
    let folder = data()?.join("tsptw");
    let table = std::fs::read_to_string(folder.join("best_known.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let text = std::fs::read_to_string(folder.join(format!("{}.txt", fields[0]))).unwrap();
        Known {
            name: fields[0].to_owned(),
            instance: Instance::read(&text).unwrap_or_else(|error| panic!("{}: {error}", fields[0])),
            cost: fields[2].parse().unwrap(),
            tour: fields[4].split(' ').map(|place| place.parse().unwrap()).collect(),
        }
    });
    Some(rows.collect())
}

#[test]
fn conforms() {
    for places in [2, 3, 12] {
        conformance::check(&Tsptw::new(Instance::random(places, 3)), 20).unwrap();
    }
    // No way at all, and windows that open in a thousand years.
    let odd = Instance::read("3\n0 0 0\n0 0 0\n0 0 0\n0 1e9\n1e9 1e9\n0 1e9\n").unwrap();
    conformance::check(&Tsptw::new(odd), 5).unwrap();
}

/// Every best known tour keeps its windows, costs what its table says, and is one that the rule allows.
#[test]
fn best_known_tours() {
    let Some(known) = known() else { return };
    assert_eq!(known.len(), 30);
    for Known { name, instance, cost, tour } in known {
        let mut problem = Tsptw::new(instance);
        let certificate = problem.certify(&tour).unwrap();
        assert!(certificate.terminal && (certificate.score - cost).abs() < 1e-3, "{name}: {certificate:?}, not {cost}");
        for place in tour {
            let mut kept = Vec::new();
            problem.legal_moves(&mut kept);
            problem.prefer(1, &mut kept, &mut Vec::new());
            assert!(kept.contains(&place), "{name}: the rule forbids {place}");
            problem.play(place);
        }
    }
}

/// The rule of the policy `windows` in its plainest form.
fn plain_rule(instance: &Instance, here: Place, time: f64, left: &[Place]) -> Vec<Place> {
    let late = |from: Place, time: f64, to: Place| time + instance.travel(from, to) > instance.latest(to);
    let lost: Vec<Place> = left.iter().copied().filter(|&place| late(here, time, place)).collect();
    if !lost.is_empty() {
        return lost;
    }
    let safe = |&place: &Place| {
        let begin = (time + instance.travel(here, place)).max(instance.earliest(place));
        left.iter().chain(&[0]).all(|&other| other == place || !late(place, begin, other))
    };
    let kept: Vec<Place> = left.iter().copied().filter(safe).collect();
    if kept.is_empty() { left.to_vec() } else { kept }
}

/// The quick rule keeps the places that the plain one keeps, along random games and along games by the rule itself.
#[test]
fn the_rule_is_the_plain_rule() {
    let mut instances: Vec<Instance> = (0..20).map(|seed| Instance::random(15, seed)).collect();
    instances.extend(known().into_iter().flatten().map(|known| known.instance));
    let mut restricted = 0;
    for (index, instance) in instances.iter().enumerate() {
        for follow in [false, true] {
            let rng = &mut Stream::new(index as u64).rng();
            let (mut state, mut tour) = (Tsptw::new(instance.clone()), Vec::new());
            let mut left = Vec::new();
            loop {
                state.legal_moves(&mut left);
                if left.is_empty() {
                    break;
                }
                let (here, time) = match tour.last() {
                    None => (0, instance.earliest(0)),
                    Some(&last) => (last, instance.tour(&tour).visits[tour.len() - 1].begin),
                };
                let mut kept = left.clone();
                state.prefer(1, &mut kept, &mut Vec::new());
                assert_eq!(kept, plain_rule(instance, here, time, &left), "instance {index} after {tour:?}");
                restricted += usize::from(kept.len() < left.len());
                let candidates = if follow { &kept } else { &left };
                let played = candidates[rng.below(candidates.len())];
                state.play(played);
                tour.push(played);
            }
            let followed = instance.tour(&tour);
            assert!((state.score() - followed.cost - PENALTY * f64::from(followed.violations)).abs() < 1e-3);
        }
    }
    assert!(restricted > 100, "{restricted}");
}

/// With the rule nearly every playout of a random instance keeps more windows than without, and NRPA finds the best tour.
#[test]
fn the_rule_helps() {
    let problem = Tsptw::new(Instance::random(12, 5));
    let without = run(&problem, "repeat(200, playout, playout=uniform)", 1).result.score;
    let with = run(&problem, "repeat(200, playout, playout=windows)", 1).result.score;
    assert!(with < without, "{with} {without}");
    let small = Tsptw::new(Instance::random(9, 5));
    let best = run(&small, "dfs", 1);
    assert!(best.proven && best.result.score < PENALTY);
    for policy in ["windows", "near", "windows-near", "uniform"] {
        let found = run(&small, &format!("nrpa(2, playout={policy})"), 1).result.score;
        assert_eq!(found, best.result.score, "{policy}");
    }
}

fn refused(text: &str) -> String {
    let message = Instance::read(text).unwrap_err().to_string();
    assert!(message.len() < 200 && !message.contains(char::is_control), "{message:?}");
    message
}

#[test]
fn bad_instances_are_refused() {
    assert_eq!(refused(""), "line 1: there is nothing in it");
    assert!(refused("hello\n").starts_with("line 1: \"hello\" is neither"));
    assert!(refused("-3\n").contains("neither a number of places"));
    assert!(refused("1\n0\n0 1\n").contains("1 places make no tour"));
    assert!(refused("5000\n").contains("5000 places are too many; at most 1000"));
    assert_eq!(refused("2\n0 x\n1 0\n0 9\n0 9\n"), "line 2: \"x\" is no number; a travel time should stand there");
    assert_eq!(refused("2\n0 -1\n1 0\n0 9\n0 9\n"), "line 2: -1 is negative, which a travel time cannot be");
    assert!(refused("2\n0 1e300\n1 0\n0 9\n0 9\n").contains("line 2: 1e300 is too large"));
    assert!(refused("2\n0 nan\n1 0\n0 9\n0 9\n").contains("line 2: \"nan\" is no number"));
    assert!(
        refused("2\n0 1 2\n1 0\n0 9\n0 9\n").contains("line 2: 3 travel times for 2 places; the matrix must be square")
    );
    assert!(refused("3\n0 1 2\n1 0 3\n").contains("line 3: the travel times end after 2 of 3 rows"));
    assert_eq!(refused("2\n0 1\n1 0\n0 9\n9 0\n"), "line 5: the window closes at 0, before it opens at 9");
    assert!(refused("2\n0 1\n1 0\n0 9\n").contains("line 4: the windows end after 1 of 2"));
    assert!(refused("2\n0 1\n1 0\n0 9 4\n0 9\n").contains("line 4: 3 numbers"));
    assert!(refused("2\n0 1\n1 0\n0 9\n0 9\n7\n").contains("line 6: there is more"));
    assert!(refused("2\n0 600000\n600000 0\n0 9\n0 9\n").contains("must stay below 1000000"));
}

#[test]
fn bad_tables_are_refused() {
    let points = "name,x,y,earliest,latest\ndepot,0,0,0,99\n";
    assert!(refused("name,x,y,latest\n").contains("no column \"earliest\""));
    assert!(refused("name,x,earliest,latest\n").contains("points need both"));
    assert!(refused("x,y,earliest,latest,weight\n").contains("the column \"weight\" is not known"));
    assert!(refused(&format!("{points}a,1,?,0,9\n")).contains("line 3: \"?\" is no number; a coordinate"));
    assert!(refused(&format!("{points}a,1,1,9,0\n")).contains("line 3: the window closes at 0"));
    assert!(refused(&format!("{points}a,1,1,0\n")).contains("line 3: 4 fields, where the first line names 5"));
    assert!(refused(&format!("{points}depot,1,1,0,9\n")).contains("two places \"depot\""));
    assert!(refused(points).contains("1 places make no tour"));
    assert!(refused(&format!("{points}a,1,--4,0,9\n")).contains("line 3"));
    assert!(refused("name,earliest,latest\na,0,9\nb,0,9\n").contains("neither columns x and y"));
    assert!(refused("name,earliest,latest,a\na,0,9,0\nb,0,9,1\n").contains("1 columns of travel times for 2 places"));
    assert!(refused("name,earliest,latest,b,a\na,0,9,0,1\nb,0,9,1,0\n").contains("to \"a\" is called \"b\""));
}

#[test]
fn tables_are_read() {
    let text = "name, X, Y, service, earliest, latest\n\"Market, old\",0,0,5,0,99\nMill,-3,4,1.5,10,20\n";
    let instance = Instance::read(text).unwrap();
    assert_eq!((instance.travel(0, 1), instance.travel(1, 0)), (10.0, 6.5));
    assert_eq!((instance.name(0), instance.points().unwrap()[1]), ("Market, old", (-3.0, 4.0)));
    let tour = instance.tour(&[1]);
    assert_eq!((tour.cost, tour.violations, tour.visits[0].begin, tour.visits[1].arrival), (16.5, 0, 10.0, 16.5));
}

#[test]
fn tours_are_drawn() {
    let instance = Instance::random(8, 2);
    let picture = tsptw::svg(&instance, &[1, 2, 3, 4, 5, 6, 7], &Style::default()).unwrap();
    assert_eq!(picture.matches("r=\"11\"").count(), 7);
    assert!(picture.contains("8 places, cost"));
    let part = tsptw::svg(&instance, &[1, 2, 3], &Style { caption: Some("a < b".into()), ..Style::default() }).unwrap();
    assert!(part.contains("4 of 8 places") && part.contains("a &lt; b"));
    assert!(tsptw::svg(&Instance::read("2\n0 1\n1 0\n0 9\n0 9\n").unwrap(), &[1], &Style::default()).is_none());
}

/// The seconds that NRPA needs to the best known cost, `None` if it does not get there; its tour is verified either way.
fn seconds(known: &Known, limit: u64) -> (f64, Option<f64>) {
    let problem = Tsptw::new(known.instance.clone());
    let search = "repeat(nrpa(3))".parse().unwrap();
    let limited = Run::new(&problem, search).seed(1).time(Duration::from_secs(limit)).target(known.cost + 0.01);
    let outcome = limited.start().unwrap();
    let best = outcome.best_seen.unwrap_or(outcome.result);
    let certificate = problem.certify(&best.moves).unwrap();
    assert!(certificate.terminal && certificate.score == best.score, "{}", known.name);
    (best.score, (outcome.stop == Stop::Target).then_some(outcome.elapsed.as_secs_f64()))
}

/// A short time is enough for the small ones.
#[test]
fn nrpa_reaches_best_known_costs() {
    let Some(known) = known() else { return };
    for name in ["rc_201.1", "rc_206.1"] {
        let known = known.iter().find(|known| known.name == name).unwrap();
        let (score, seconds) = seconds(known, 60);
        assert!(seconds.is_some(), "{name}: {score}, not {}", known.cost);
    }
}

#[test]
#[ignore = "up to half an hour; scripts/soak runs it"]
fn nrpa_reaches_nearly_all_best_known_costs() {
    let Some(known) = known() else { return };
    let mut reached = 0;
    for known in &known {
        let (score, seconds) = seconds(known, 60);
        let time = seconds.map_or("missed".to_owned(), |seconds| format!("{seconds:.1} s"));
        println!("{}: {} places, {score:.2} of {:.2}, {time}", known.name, known.instance.places(), known.cost);
        reached += usize::from(seconds.is_some());
    }
    println!("{reached} of {} best known costs reached", known.len());
    assert!(reached >= 24);
}
