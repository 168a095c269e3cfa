//! Networks: what they compute, how they are trained and written, and how searches play by them.

use nestling::{
    Evaluation, Examples, Goal, Network, Outcome, Problem, Run, Stream, Training, TrainingSettings, Weights,
};

use crate::common::{LeftMove, Order, THINGS};

/// A network as text, one line after the other, from a function of the row (a feature, the bias or the output) and the unit.
fn network(features: usize, hidden: usize, number: impl Fn(&str, usize) -> f32) -> Weights {
    let line = |name: &str| (0..hidden).fold(name.to_owned(), |line, unit| format!("{line} {}", number(name, unit)));
    let names = ["bias".to_owned(), "output".to_owned()].into_iter().chain((0..features).map(|row| row.to_string()));
    let lines: Vec<String> = names.map(|name| line(&name)).collect();
    format!("network {features} {hidden}\n{}\n", lines.join("\n")).parse().unwrap()
}

/// Some numbers, far from simple.
fn some(name: &str, unit: usize) -> f32 {
    let row = name.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    (2.0 * Stream::new(row).child(unit as u64).rng().unit() - 1.0) as f32
}

/// The same value for every feature, through a hidden unit for each sign.
fn linear(value: impl Fn(usize) -> f32) -> Weights {
    network(Order::new().feature_count(), 2, |name, unit| match (name, name.parse()) {
        (_, Ok(feature)) => {
            if unit == 0 {
                value(feature)
            } else {
                -value(feature)
            }
        }
        ("output", _) => {
            if unit == 0 {
                1.0
            } else {
                -1.0
            }
        }
        _ => 0.0,
    })
}

fn found(problem: &Order, search: &str, weights: &Weights) -> Outcome<u8> {
    Run::new(problem, search.parse().unwrap()).seed(3).weights("given", weights.clone()).start().unwrap()
}

/// What a network says is what its definition says.
#[test]
fn values_by_the_definition() {
    let mut order = Order::new();
    let mut evaluation = Evaluation::default();
    for hidden in [1, 7, 8, 19] {
        let weights = network(order.feature_count(), hidden, some);
        let mut moves = Vec::new();
        order.legal_moves(&mut moves);
        let values = evaluation.of(weights.network().unwrap(), &order, &moves).to_vec();
        assert_eq!(evaluation.of(weights.network().unwrap(), &order, &moves), values, "remembered");
        assert_eq!(values.len(), moves.len());
        for (&played, &value) in moves.iter().zip(&values) {
            let mut features = Vec::new();
            order.features(played, &mut features);
            let unit = |unit: usize| {
                let rows: f64 = features.iter().map(|feature| f64::from(some(&feature.to_string(), unit))).sum();
                (f64::from(some("bias", unit)) + rows).max(0.0) * f64::from(some("output", unit))
            };
            let expected: f64 = (0..hidden).map(unit).sum();
            assert!((value - expected).abs() < 1e-5, "{value} instead of {expected}");
        }
        order.play(moves[hidden % moves.len()]);
    }
}

/// A network with one feature for each code plays as weights of codes do: in playouts, and as the bias that NRPA starts from.
#[test]
fn networks_and_weights_of_codes_play_alike() {
    let order = Order::new();
    let weight = |code: usize| (code % 5) as f32 - 2.0;
    let codes = order.dense_codes();
    let table: Weights = (0..codes).map(|code| (code as u64, f64::from(weight(code)))).collect();
    let by_network = linear(|feature| if feature < codes { weight(feature) } else { 0.0 });
    for search in [
        "repeat(50, playout(weights=given))",
        "nested(2, weights=given)",
        "repeat(20, playout(weights=given, playout=both))",
        "nrpa(2, iterations=10, weights=given)",
        "nrpa(2, iterations=10, weights=given, explore=on, bias=near)",
    ] {
        let (one, other) = (found(&order, search, &table), found(&order, search, &by_network));
        assert_eq!((one.answer, one.counts, one.learned), (other.answer, other.counts, other.learned), "{search}");
    }
}

/// A text is read as it was written, and networks that make no sense are refused with the line.
#[test]
fn networks_as_text() {
    let weights = network(5, 3, some);
    let text = weights.to_string();
    assert_eq!(text.parse::<Weights>().unwrap(), weights);
    let both: Weights = format!("17 2.5\n# a network follows\n{text}").parse().unwrap();
    assert_eq!((both.get(17), both.network()), (2.5, weights.network()));
    assert_eq!(both.to_string().parse::<Weights>().unwrap(), both);
    let sparse: Weights = "network 1000 2\nbias 0 0\noutput 1 1\n7 1 0.5\n".parse().unwrap();
    assert_eq!(sparse.network().map(|network| (network.features(), network.hidden())), Some((1000, 2)));
    for (text, reason) in [
        ("network", "line 1: expected \"network FEATURES HIDDEN\""),
        ("network 5", "line 1: expected"),
        ("network 5 0", "line 1: expected"),
        ("network 99999999999 3", "line 1: expected"),
        ("network 1000000 1000", "line 1: expected"),
        ("network 5 1", "line 1: the network ends without its bias or its output"),
        ("1 2\nnetwork 5 1\nbias 0\n", "line 3: the network ends without"),
        ("network 5 1\nbias 0\nbias 0\n", "line 3: the network has this line already"),
        ("network 5 1\nbias 0\noutput 1\n5 0\n", "line 4: expected \"bias\", \"output\" or the number of a feature"),
        ("network 5 2\nbias 0\n", "line 2: it has too few numbers"),
        ("network 5 1\nbias 0 1\n", "line 2: it has too many numbers"),
        ("network 5 1\nbias 0\n\n# rows\n4 0\n4 1\n", "line 6: the network has this line already"),
        ("network 5 1\nbias 1e7\n", "line 2: \"1e7\" is not a number from"),
        ("network 5 1\nbias x\n", "line 2: \"x\" is not a number"),
        ("network 5 1\nbias NaN\n", "line 2: \"NaN\" is not a number"),
    ] {
        let error = text.parse::<Weights>().unwrap_err().to_string();
        assert!(error.starts_with(reason), "{text:?}: {error}");
    }
}

/// A network for other features is refused, and one as the start of learning.
#[test]
fn networks_that_do_not_fit() {
    let run = |search: &str, weights: &Weights| {
        let run = Run::new(&Order::new(), search.parse().unwrap()).weights("given", weights.clone()).start();
        run.unwrap_err().to_string()
    };
    let other = network(5, 1, some);
    let error = run("playout(weights=given)", &other);
    assert!(error.contains("\"given\" knows 5 features") && error.contains("have 64"), "{error}");
    let error = run("nrpa(1, warm=given)", &linear(|_| 1.0));
    assert!(error.contains("use it as weights=given"), "{error}");
    let left = Run::new(&LeftMove::new(3), "playout(weights=given)".parse().unwrap()).weights("given", other).start();
    let error = left.unwrap_err().to_string();
    assert!(error.contains("moves of this problem have none"), "{error}");
}

/// The best of some games from a search.
fn lessons(count: u64) -> Examples {
    let mut examples = Examples::default();
    for seed in 0..count {
        let outcome = Run::new(&Order::new(), "nrpa(1)".parse().unwrap()).seed(seed).start().unwrap();
        examples.add_game(&Order::new(), outcome.game().unwrap().moves());
    }
    examples
}

fn trained(examples: &Examples, seed: u64, epochs: u32) -> Network {
    let settings = TrainingSettings { hidden: 8, epochs, rate: 0.02, seed };
    let mut training = Training::new(examples, Order::new().feature_count(), settings);
    (0..epochs).for_each(|_| training.epoch(|_| true));
    training.network()
}

/// Training finds what games have in common: it foresees the moves of other games, and playouts by it are better. The same seed gives
/// the same network.
#[test]
fn training_learns() {
    let (examples, order) = (lessons(60), Order::new());
    assert_eq!(examples.len(), 60 * (usize::from(THINGS) - 1), "a last move is no choice");
    let network = trained(&examples, 1, 60);
    assert_eq!(Weights::from(trained(&examples, 1, 60)), Weights::from(network.clone()));
    assert_ne!(Weights::from(trained(&examples, 2, 60)), Weights::from(network.clone()));
    let untrained = examples.fit(&Network::zero(order.feature_count(), 8)).unwrap();
    let fit = examples.fit(&network).unwrap();
    assert!(fit.loss < 0.7 * untrained.loss, "{fit:?} against {untrained:?}");
    assert!(fit.accuracy > 2.0 * examples.chance(), "{fit:?} against {}", examples.chance());
    let mean = |weights: &Weights| {
        let search = "mean(200, playout(weights=given))";
        found(&order, search, weights).score().unwrap()
    };
    let (by_network, uniform) = (mean(&network.into()), mean(&Weights::default()));
    assert!(order.goal() == Goal::Min && by_network < 0.8 * uniform, "{by_network} against {uniform}");
}

/// An epoch can be left, and what was learned until then is there.
#[test]
fn training_can_be_left() {
    let examples = lessons(30);
    let settings = TrainingSettings { hidden: 4, epochs: 2, rate: 0.01, seed: 1 };
    let mut training = Training::new(&examples, Order::new().feature_count(), settings);
    let before = training.network();
    let mut shares = Vec::new();
    training.epoch(|share| {
        shares.push(share);
        shares.len() < 2
    });
    assert_eq!(shares.len(), 2);
    assert!(0.0 < shares[0] && shares[0] < shares[1] && shares[1] < 1.0, "{shares:?}");
    assert_ne!(Weights::from(training.network()), Weights::from(before));
}
