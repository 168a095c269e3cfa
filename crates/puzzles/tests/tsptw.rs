//! Tours with time windows: the rules, the readers, and the instances of the literature.

use std::time::Duration;

use crate::common::{data, run};
use nestling::{Problem, Run, Stop, Stream, conformance};
use nestling_presentation::Picture;
use nestling_puzzles::tsptw::{self, PENALTY, Place, TourInstance, Tsptw};

/// An instance of the literature with its best known cost and tour.
struct Known {
    name: String,
    instance: TourInstance,
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
            instance: TourInstance::read(&text).unwrap_or_else(|error| panic!("{}: {error}", fields[0])),
            cost: fields[2].parse().unwrap(),
            tour: fields[4].split(' ').map(|place| place.parse().unwrap()).collect(),
        }
    });
    Some(rows.collect())
}

#[test]
fn conforms() {
    for places in [2, 3, 12] {
        conformance::check(&Tsptw::new(TourInstance::random(places, 3)), 20).unwrap();
    }
    // No way at all, and windows that open in a thousand years.
    let odd = TourInstance::read("3\n0 0 0\n0 0 0\n0 0 0\n0 1e9\n1e9 1e9\n0 1e9\n").unwrap();
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
fn plain_rule(instance: &TourInstance, here: Place, time: f64, left: &[Place]) -> Vec<Place> {
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
    let mut instances: Vec<TourInstance> = (0..20).map(|seed| TourInstance::random(15, seed)).collect();
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
    let problem = Tsptw::new(TourInstance::random(12, 5));
    let without = run(&problem, "repeat(200, playout, playout=uniform)", 1).score().unwrap();
    let with = run(&problem, "repeat(200, playout, playout=windows)", 1).score().unwrap();
    assert!(with < without, "{with} {without}");
    let small = Tsptw::new(TourInstance::random(9, 5));
    let best = run(&small, "dfs", 1);
    assert!(best.proven && best.score().unwrap() < PENALTY);
    for policy in ["windows", "near", "windows-near", "uniform"] {
        let found = run(&small, &format!("nrpa(2, playout={policy})"), 1);
        assert_eq!(found.score(), best.score(), "{policy}");
    }
}

fn refused(text: &str) -> String {
    let message = TourInstance::read(text).unwrap_err().to_string();
    assert!(message.len() < 200 && !message.contains(char::is_control), "{message:?}");
    message
}

#[test]
fn bad_instances_are_refused() {
    assert_eq!(refused(""), "line 1: the text is empty");
    assert!(refused("hello\n").starts_with("line 1: \"hello\" is neither"));
    assert!(refused("-3\n").contains("neither a number of places"));
    assert!(refused("1\n0\n0 1\n").contains("1 places make no tour"));
    assert!(refused("5000\n").contains("5000 places are too many; at most 1000"));
    assert_eq!(refused("2\n0 x\n1 0\n0 9\n0 9\n"), "line 2: \"x\" is not a number; expected a travel time");
    assert_eq!(refused("2\n0 -1\n1 0\n0 9\n0 9\n"), "line 2: -1 is negative, which a travel time cannot be");
    assert!(refused("2\n0 1e300\n1 0\n0 9\n0 9\n").contains("line 2: 1e300 is too large"));
    assert!(refused("2\n0 nan\n1 0\n0 9\n0 9\n").contains("line 2: \"nan\" is not a number"));
    assert!(
        refused("2\n0 1 2\n1 0\n0 9\n0 9\n").contains("line 2: 3 travel times for 2 places; the matrix must be square")
    );
    assert!(refused("3\n0 1 2\n1 0 3\n").contains("line 3: the travel times end after 2 of 3 rows"));
    assert_eq!(refused("2\n0 1\n1 0\n0 9\n9 0\n"), "line 5: the window closes at 0, before it opens at 9");
    assert!(refused("2\n0 1\n1 0\n0 9\n").contains("line 4: the windows end after 1 of 2"));
    assert!(refused("2\n0 1\n1 0\n0 9 4\n0 9\n").contains("line 4: 3 numbers"));
    assert!(
        refused("2\n0 1\n1 0\n0 9\n0 9\n7\n")
            .contains("line 6: after the 2 windows only comments (#) may follow, not \"7\"")
    );
    assert!(refused("2\n0 600000\n600000 0\n0 9\n0 9\n").contains("must stay below 1000000"));
}

#[test]
fn bad_tables_are_refused() {
    let points = "name,x,y,earliest,latest\ndepot,0,0,0,99\n";
    assert!(refused("name,x,earliest,latest\n").contains("both are needed"));
    assert!(refused("x,y,earliest,latest,weight\n").contains("the column \"weight\" is not known"));
    assert!(refused("x,y,X,latest\n").contains("two columns are called \"x\""));
    assert_eq!(
        refused(&format!("{points}a,1,?,0,9\n")),
        "line 3, column \"y\": \"?\" is not a number; expected a coordinate"
    );
    assert!(refused(&format!("{points}a,1,1,9,0\n")).contains("line 3: the window closes at 0"));
    assert!(refused(&format!("{points}a,1,1,0\n")).contains("line 3: 4 fields, but 5 columns have names"));
    assert!(refused(&format!("{points}depot,1,1,0,9\n")).contains("two places \"depot\""));
    assert!(refused(points).contains("1 places make no tour"));
    assert!(refused(&format!("{points}a,1,--4,0,9\n")).contains("line 3, column \"y\""));
    assert!(refused(&format!("{points},1,4,0,9\n")).contains("line 3, column \"name\": the name of a place"));
    for wrong in ["8:60", "8:", ":30", "8:0:75", "1:2:3:4", "-8:00", "8:00 AM", "8:00:0.5"] {
        let message = refused(&format!("{points}a,1,1,{wrong},9\n"));
        assert!(message.starts_with("line 3, column \"earliest\": ") && message.contains("write 08:00"), "{message}");
    }
    assert!(refused("name,earliest,latest\na,0,9\nb,0,9\n").contains("expected columns x and y"));
    assert!(refused("name,earliest,latest,a\na,0,9,0\nb,0,9,1\n").contains("1 columns of travel times for 2 places"));
    assert!(refused("name,earliest,latest,b,a\na,0,9,0,1\nb,0,9,1,0\n").contains("to \"a\" is called \"b\""));
    assert_eq!(
        refused("# two\n\nname,earlist,a,b\na,0,0,1\nb,0,1,0\n"),
        "line 3: the column \"earlist\" is neither a place nor one of name, x, y, earliest, latest, service"
    );
    assert!(refused("name;x;y;\na;1;1;\nb;2;2;7\n").contains("line 3: \"7\" is in column 4, which has no name"));
    assert!(refused("name x y\na 1 1\nb 2 2\n").contains("separate columns by commas, semicolons or tabs"));
    assert!(refused("\n\nname,x,y\n\na,1,1\n\n\nb,1,oops\n").starts_with("line 8, column \"y\": "));
}

#[test]
fn tables_are_read() {
    let text = "name, X, Y, service, earliest, latest\n\"Market, old\",0,0,5,0,99\nMill,-3,4,1.5,10,20\n";
    let instance = TourInstance::read(text).unwrap();
    assert_eq!((instance.travel(0, 1), instance.travel(1, 0)), (10.0, 6.5));
    assert_eq!((instance.name(0), instance.points().unwrap()[1]), ("Market, old", (-3.0, 4.0)));
    let tour = instance.tour(&[1]);
    assert_eq!((tour.cost, tour.violations, tour.visits[0].begin, tour.visits[1].arrival), (16.5, 0, 10.0, 16.5));
}

/// The same two places as spreadsheets of several countries write them.
#[test]
fn tables_come_in_many_dresses() {
    let wanted =
        TourInstance::read("name,x,y,service,earliest,latest\nHome,0,0,0,480,1000\n\"Mill; old\",1.5,2,10,510.5,540\n");
    let wanted = wanted.unwrap();
    let texts = [
        "\u{feff}NAME;X;Y;Service;EARLIEST;Latest\r\nHome;0;0;0;480;1000\r\n\"Mill; old\";1,5;2,0;10;510,5;540\r\n",
        "name\tx\ty\tservice\tearliest\tlatest\nHome\t0\t0\t0\t480\t1000\nMill; old\t1,5\t2\t10\t510.5\t540\n",
        "sep=;\n\"latest\";\"y\";\"x\";\"name\";\"earliest\";\"service\"\n1000;0;0;Home;8:00;\n9:00;2;1,5;\"Mill; old\";08:30:30;00:10\n",
        "# places\n\nname;x;y;service;earliest;latest;\nHome;0;0;0;08:00;16:40;\n\"Mill; old\";1.5;2;10;8:30:30;9:00;\n",
        "name , x , y , earliest , latest , service\n\n Home , 0 , 0 , 08:00 , 16:40 ,\n,,,,,\nMill; old,1.5,2,08:30:30,09:00,10\n,,,,,\n",
    ];
    for text in texts {
        let read = TourInstance::read(text).unwrap_or_else(|error| panic!("{error} in {text}"));
        let whole = |instance: &TourInstance| {
            let place = |place: Place| {
                let (earliest, latest) = (instance.earliest(place), instance.latest(place));
                (
                    instance.name(place).to_owned(),
                    earliest,
                    latest,
                    instance.travel(place, 0),
                    instance.travel(place, 1),
                )
            };
            [place(0), place(1)]
        };
        assert_eq!((whole(&read), read.points()), (whole(&wanted), wanted.points()), "{text}");
        let shown = if text.contains(':') { "08:00" } else { "480.00" };
        assert_eq!(read.time_text(read.earliest(0)), shown, "{text}");
    }
}

/// A side of a window that is not given is open; without any windows it is the plain travelling salesman.
#[test]
fn windows_may_be_left_out() {
    let plain = TourInstance::read("name,x,y\na,0,0\nb,0,9\nc,9,9\n").unwrap();
    assert!((0..3).all(|place| plain.earliest(place) == 0.0 && plain.closes(place).is_none()));
    assert_eq!(plain.tour(&[1, 2]).violations, 0);
    let matrix = TourInstance::read("0;1\n0;3,5\n4;0\n").unwrap();
    assert_eq!((matrix.travel(0, 1), matrix.travel(1, 0), matrix.closes(1)), (3.5, 4.0, None));
    let half = TourInstance::read("name,x,y,latest,earliest\na,0,0,,\nb,0,9,20,\nc,9,9,,08:00\n").unwrap();
    assert_eq!((half.closes(1), half.earliest(1), half.earliest(2), half.closes(2)), (Some(20.0), 0.0, 480.0, None));
    let served = TourInstance::read("name,service,a,b\na,5,0,1\nb,0:02,3,0\n").unwrap();
    assert_eq!((served.travel(0, 1), served.travel(1, 0)), (6.0, 5.0));
}

/// Instances of five families as people have them, the comments at their ends included.
#[test]
fn public_instances_are_read() {
    let Some(folder) = data() else { return };
    let table = std::fs::read_to_string(folder.join("tsptw/wide_best_known.tsv")).unwrap();
    let mut commented = 0;
    for line in table.lines().skip(1) {
        let (name, cost) = line.split_once('\t').unwrap();
        let text = std::fs::read_to_string(folder.join("tsptw/wide").join(name)).unwrap();
        commented += usize::from(text.contains('#'));
        let instance = TourInstance::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // No tour is cheaper than the cheapest way from every place, nor dearer than the dearest.
        let places = 0..instance.places() as Place;
        let ways = |from: Place| {
            let others = places.clone().filter(move |&to| to != from);
            others.map(|to| instance.travel(from, to)).collect::<Vec<f64>>()
        };
        let cheapest: f64 = places.clone().map(|from| ways(from).into_iter().fold(f64::INFINITY, f64::min)).sum();
        let dearest: f64 = places.clone().map(|from| ways(from).into_iter().fold(0.0, f64::max)).sum();
        let cost: f64 = cost.parse().unwrap();
        assert!(cheapest <= cost && cost <= dearest, "{name}: {cost} is not between {cheapest} and {dearest}");
    }
    assert_eq!(commented, 6);
    let commented = "# a depot\n2 # places\n0 3\n\n# and back\n4 0\n0 10 # open\n2 6\n# Sum of service times: 0\n";
    assert_eq!(TourInstance::read(commented), TourInstance::read("2\n0 3\n4 0\n0 10\n2 6\n"));
}

#[test]
fn tours_are_drawn() {
    let instance = TourInstance::random(8, 2);
    let picture = tsptw::svg(&instance, &[1, 2, 3, 4, 5, 6, 7], &Picture::default()).unwrap();
    assert_eq!(picture.matches("r=\"11\"").count(), 7);
    let tour = instance.tour(&[1, 2, 3, 4, 5, 6, 7]);
    assert!(picture.contains(&format!("8 places, {}", tsptw::describe(tour.violations, tour.cost))));
    let part =
        tsptw::svg(&instance, &[1, 2, 3], &Picture { caption: Some("a < b".into()), ..Picture::default() }).unwrap();
    assert!(part.contains("4 of 8 places") && part.contains("a &lt; b"));
    assert!(tsptw::svg(&TourInstance::read("2\n0 1\n1 0\n0 9\n0 9\n").unwrap(), &[1], &Picture::default()).is_none());
}

/// The seconds that NRPA needs to the best known cost, `None` if it does not get there within its budget; its tour is verified
/// either way.
fn seconds(known: &Known, limit: fn(Run<'_, Tsptw>) -> Run<'_, Tsptw>) -> (f64, Option<f64>) {
    let problem = Tsptw::new(known.instance.clone());
    let run = Run::new(&problem, "repeat(nrpa(3))".parse().unwrap()).seed(1).target(known.cost + 0.01);
    let outcome = limit(run).start().unwrap();
    let best = outcome.best_seen.as_ref().or(outcome.game()).unwrap();
    let certificate = problem.certify(best.moves()).unwrap();
    assert!(certificate.terminal && certificate.score == best.score(), "{}", known.name);
    (best.score(), (outcome.stop == Stop::Target).then_some(outcome.elapsed.as_secs_f64()))
}

/// A few playouts are enough for the small ones.
#[test]
fn nrpa_reaches_best_known_costs() {
    let Some(known) = known() else { return };
    for name in ["rc_201.1", "rc_206.1"] {
        let known = known.iter().find(|known| known.name == name).unwrap();
        let (score, seconds) = seconds(known, |run| run.playouts(1_000_000));
        assert!(seconds.is_some(), "{name}: {score}, not {}", known.cost);
    }
}

#[test]
#[ignore = "up to half an hour; scripts/soak runs it"]
fn nrpa_reaches_nearly_all_best_known_costs() {
    let Some(known) = known() else { return };
    let mut reached = 0;
    for known in &known {
        let (score, seconds) = seconds(known, |run| run.time(Duration::from_secs(60)));
        let time = seconds.map_or("missed".to_owned(), |seconds| format!("{seconds:.1} s"));
        println!("{}: {} places, {score:.2} of {:.2}, {time}", known.name, known.instance.places(), known.cost);
        reached += usize::from(seconds.is_some());
    }
    println!("{reached} of {} best known costs reached", known.len());
    assert!(reached >= 24);
}
