//! The family of NRPA, written in the plainest form from the definitions in docs/ALGORITHMS.md, finds the same games as the library.

use std::collections::{HashMap, HashSet};

use crate::common::{LeftMove, Maze, Order, run};
use crate::papers::Game;
use nestling::engine::Exponential;
use nestling::{Goal, Problem, Rng, Stream};

/// Weights of codes, and of biases.
#[derive(Clone, Default)]
struct Policy {
    weights: HashMap<u64, f64>,
    biases: Vec<f64>,
}

/// NRPA with all its parts, with plain weights and the exponential of the system.
#[derive(Clone)]
struct Family<'a, P: Problem> {
    root: &'a P,
    iterations: u64,
    tries: u64,
    alpha: f64,
    temperature: f64,
    clamp: Option<f64>,
    biases: Vec<usize>,
    learn_bias: bool,
    symmetric: bool,
    only_improved: bool,
    stopping: Option<f64>,
    repetitions: Option<u64>,
    explore: bool,
    beam: u64,
    diverse: bool,
}

/// What a playout considers in a state: the move, its code, its weight by the policy and its biases.
struct Candidate<M> {
    played: M,
    code: u64,
    weight: f64,
    biases: Vec<f64>,
}

impl<'a, P: Problem> Family<'a, P> {
    fn new(root: &'a P, iterations: u64) -> Self {
        Family {
            root,
            iterations,
            tries: 1,
            alpha: 1.0,
            temperature: 1.0,
            clamp: None,
            biases: Vec::new(),
            learn_bias: false,
            symmetric: false,
            only_improved: false,
            stopping: None,
            repetitions: None,
            explore: false,
            beam: 1,
            diverse: false,
        }
    }

    fn candidates(&self, policy: &Policy, node: &P) -> Vec<Candidate<P::Move>> {
        let mut moves = Vec::new();
        node.legal_moves(&mut moves);
        let candidate = |&played: &P::Move| {
            let code = if self.symmetric { node.symmetric_code(played).unwrap() } else { node.code(played) };
            let biases: Vec<f64> = self.biases.iter().map(|&bias| node.named_bias(bias, played)).collect();
            let learned = policy.weights.get(&code).copied().unwrap_or(0.0) / self.temperature;
            let biased: f64 = biases.iter().zip(&policy.biases).map(|(bias, weight)| bias * weight).sum();
            Candidate { played, code, weight: (learned + biased + node.bias(played)).exp(), biases }
        };
        moves.iter().map(candidate).collect()
    }

    fn start(&self) -> Policy {
        Policy { weights: HashMap::new(), biases: vec![1.0; self.biases.len()] }
    }

    fn nrpa(&self, level: u32, policy: &Policy, stream: Stream) -> Game<P::Move> {
        if level == 0 {
            return self.playout(policy, &mut stream.rng(), &[]);
        }
        let goal = self.root.goal();
        let (mut policy, mut best) = (policy.clone(), None::<Game<P::Move>>);
        let tries = if level == 1 { self.tries } else { 1 };
        let (mut seen, mut results) = (HashSet::new(), Vec::new());
        let (mut repeated, mut accepted, mut improved) = (0, self.stopping.is_none(), false);
        for iteration in 0.. {
            if self.repetitions.map_or(iteration == self.iterations * tries, |most| repeated == most) {
                break;
            }
            let child = stream.child(iteration);
            let game = match level == 1 && self.explore {
                true => self.exploring(&policy, child, &mut seen),
                false => self.nrpa(level - 1, &policy, child),
            };
            let before = best.as_ref().map(|(score, _)| *score);
            if before.is_none_or(|before| goal.better(game.0, before)) {
                (repeated, improved) = (0, true);
            } else if before == Some(game.0) {
                repeated += 1;
            }
            if !accepted && let Some(c) = self.stopping {
                results.push(game.0);
                let rank = 1 + results.iter().filter(|&&other| goal.better(other, game.0)).count();
                let (i, n) = (results.len() as f64, (self.iterations * tries) as f64);
                accepted = i > n || rank as f64 <= i * c / (n + 1.0 - i);
            }
            if before.is_none_or(|before| goal.reaches(game.0, before)) {
                best = Some(game);
            }
            if (iteration + 1) % tries == 0 && accepted && (improved || !self.only_improved) {
                policy = self.adapt(&policy, &best.as_ref().unwrap().1);
                improved = false;
            }
        }
        best.expect("at least one iteration")
    }

    /// A playout; where it ends in a state that was seen, another one that leaves it at a random move.
    fn exploring(&self, policy: &Policy, stream: Stream, seen: &mut HashSet<u64>) -> Game<P::Move> {
        let mut game = self.playout(policy, &mut stream.rng(), &[]);
        if seen.contains(&self.root.key(&game.1)) && !game.1.is_empty() {
            let mut rng = stream.own().rng();
            let cut = rng.below(game.1.len());
            game = self.playout(policy, &mut rng, &game.1[..=cut]);
        }
        seen.insert(self.root.key(&game.1));
        game
    }

    /// A playout by clocks, as in `papers_learning`. It begins with the moves of `left`, but for the last, instead of which another is played.
    fn playout(&self, policy: &Policy, rng: &mut Rng, left: &[P::Move]) -> Game<P::Move> {
        let (mut node, mut sequence) = (self.root.clone(), Vec::new());
        let mut waiting: HashMap<u64, (f64, f64)> = HashMap::new();
        loop {
            let candidates = self.candidates(policy, &node);
            let (mut clocks, mut still_waiting) = (Vec::new(), HashMap::new());
            for &Candidate { code, weight, .. } in &candidates {
                let kept = waiting.remove(&code).filter(|(earlier, _)| *earlier == weight).map(|(_, left)| left);
                let clock = kept.unwrap_or_else(|| Exponential::new().draw(rng) / weight);
                clocks.push(clock);
                still_waiting.insert(code, (weight, clock));
            }
            let Some(first) = (0..clocks.len()).min_by(|&a, &b| clocks[a].total_cmp(&clocks[b])) else {
                return (node.score(), sequence);
            };
            let (index, time) = match left.get(sequence.len()) {
                None => (first, clocks[first]),
                Some(wanted) => {
                    let own = candidates.iter().position(|candidate| candidate.played == *wanted).unwrap();
                    let is_last = sequence.len() + 1 == left.len() && candidates.len() > 1;
                    let others: Vec<usize> = (0..candidates.len()).filter(|&index| index != own).collect();
                    (if is_last { others[rng.below(others.len())] } else { own }, 0.0)
                }
            };
            let Candidate { code, played, .. } = candidates[index];
            if still_waiting.get(&code).is_some_and(|(_, clock)| *clock == clocks[index]) {
                still_waiting.remove(&code);
            }
            waiting = still_waiting.into_iter().map(|(code, (weight, clock))| (code, (weight, clock - time))).collect();
            node.play(played);
            sequence.push(played);
        }
    }

    fn adapt(&self, policy: &Policy, sequence: &[P::Move]) -> Policy {
        let (mut node, mut adapted) = (self.root.clone(), policy.clone());
        for &played in sequence {
            let candidates = self.candidates(policy, &node);
            let z: f64 = candidates.iter().map(|candidate| candidate.weight).sum();
            for Candidate { played: other, code, weight, biases } in candidates {
                let change = f64::from(u8::from(other == played)) - weight / z;
                *adapted.weights.entry(code).or_default() += self.alpha / self.temperature * change;
                if self.learn_bias {
                    for (sum, bias) in adapted.biases.iter_mut().zip(biases) {
                        *sum += self.alpha * bias * change;
                    }
                }
            }
            node.play(played);
        }
        if let Some(most) = self.clamp {
            adapted.weights.values_mut().for_each(|weight| *weight = weight.clamp(-most, most));
        }
        adapted
    }

    /// The games of a beam, the best first.
    fn beam(&self, level: u32, policy: &Policy, stream: Stream) -> Vec<Game<P::Move>> {
        if level == 0 {
            return vec![self.playout(policy, &mut stream.rng(), &[])];
        }
        let goal = self.root.goal();
        let mut members: Vec<(Option<Game<P::Move>>, Policy)> = vec![(None, policy.clone())];
        for iteration in 0..self.iterations {
            let mut candidates = Vec::new();
            for (number, (_, policy)) in members.iter().enumerate() {
                let child = stream.child(iteration * self.beam + number as u64);
                candidates.extend(self.beam(level - 1, policy, child).into_iter().map(|game| (game, policy.clone())));
            }
            candidates.extend(members.into_iter().filter_map(|(game, policy)| Some((game?, policy))));
            candidates.sort_by(|((one, _), _), ((other, _), _)| goal.value(*other).total_cmp(&goal.value(*one)));
            let mut keys = HashSet::new();
            candidates.retain(|((_, moves), _)| keys.insert(self.root.key(moves)) || !self.diverse);
            candidates.truncate(self.beam as usize);
            let adapted = |(game, policy): (Game<P::Move>, Policy)| {
                let policy = self.adapt(&policy, &game.1);
                (Some(game), policy)
            };
            members = candidates.into_iter().map(adapted).collect();
        }
        members.into_iter().filter_map(|(game, _)| game).collect()
    }

    /// The same games come from the library with these options.
    #[track_caller]
    fn agrees(&self, level: u32, options: &str) {
        let search = format!("nrpa({level}, iterations={}{options})", self.iterations);
        for seed in 0..6 {
            let (score, moves) = match self.beam {
                1 => self.nrpa(level, &self.start(), Stream::new(seed)),
                _ => self.beam(level, &self.start(), Stream::new(seed)).swap_remove(0),
            };
            let outcome = run(self.root, &search, seed).start().unwrap_or_else(|error| panic!("{search}: {error}"));
            assert_eq!((outcome.score(), outcome.moves()), (Some(score), &moves[..]), "{search}, seed {seed}");
        }
    }
}

/// Makes a change to plain NRPA on three problems, with options that say the same.
macro_rules! agree {
    ($options:expr, |$family:ident| $change:expr) => {
        agree!(@on LeftMove::new(12), $options, |$family| $change);
        agree!(@on Maze::new(12, 12, Goal::Max), $options, |$family| $change);
        agree!(@on Maze::new(13, 12, Goal::Min), $options, |$family| $change);
        agree!(@on Order::new(), $options, |$family| $change);
    };
    (@on $problem:expr, $options:expr, |$family:ident| $change:expr) => {
        let problem = $problem;
        for (level, iterations) in [(1, 40), (2, 10), (3, 4)] {
            let mut $family = Family::new(&problem, iterations);
            $change;
            $family.agrees(level, $options);
        }
    };
}

#[test]
fn without_options_it_is_nrpa() {
    agree!("", |family| family.beam = 1);
}

#[test]
fn temperature_divides_weights() {
    agree!(", temperature=0.7", |family| family.temperature = 0.7);
    agree!(", temperature=2.5, alpha=0.5", |family| (family.temperature, family.alpha) = (2.5, 0.5));
}

#[test]
fn clamped_weights_stay_within() {
    agree!(", clamp=2", |family| family.clamp = Some(2.0));
    agree!(", clamp=1.5, temperature=1.7", |family| (family.clamp, family.temperature) = (Some(1.5), 1.7));
}

#[test]
fn levels_adapt_only_after_improvement() {
    agree!(", adapt=improved", |family| family.only_improved = true);
    agree!(", adapt=improved, tries=3", |family| (family.only_improved, family.tries) = (true, 3));
}

#[test]
fn optimal_stopping_holds_adapts_back() {
    agree!(", stopping=2.3", |family| family.stopping = Some(2.3));
    agree!(", stopping=0.01, tries=2", |family| (family.stopping, family.tries) = (Some(0.01), 2));
}

#[test]
fn levels_end_when_their_best_is_found_again() {
    agree!(", repetitions=1", |family| family.repetitions = Some(1));
    agree!(", repetitions=3", |family| family.repetitions = Some(3));
}

#[test]
fn games_leave_known_final_states() {
    agree!(", explore=on", |family| family.explore = true);
    agree!(", explore=on, tries=2, adapt=improved", |family| {
        (family.explore, family.tries, family.only_improved) = (true, 2, true)
    });
}

#[test]
fn a_beam_keeps_games_with_their_policies() {
    agree!(", beam=3", |family| family.beam = 3);
    agree!(", beam=2, diverse=on", |family| (family.beam, family.diverse) = (2, true));
    agree!(", beam=4, diverse=on, temperature=1.5", |family| {
        (family.beam, family.diverse, family.temperature) = (4, true, 1.5)
    });
}

#[test]
fn biases_are_added_and_their_weights_learned() {
    agree!(@on Order::new(), ", bias=near", |family| family.biases = vec![0]);
    agree!(@on Order::new(), ", bias=all", |family| family.biases = vec![0, 1]);
    agree!(@on Order::new(), ", bias=\"late+near\", learn_bias=on", |family| {
        (family.biases, family.learn_bias) = (vec![1, 0], true)
    });
    agree!(@on Order::new(), ", bias=late, learn_bias=on, explore=on, alpha=0.3, temperature=2", |family| {
        (family.biases, family.learn_bias, family.explore) = (vec![1], true, true);
        (family.alpha, family.temperature) = (0.3, 2.0)
    });
}

#[test]
fn symmetric_moves_share_a_code() {
    agree!(@on Order::new(), ", codes=symmetric", |family| family.symmetric = true);
    agree!(@on Order::new(), ", codes=symmetric, beam=2", |family| (family.symmetric, family.beam) = (true, 2));
}

/// The learned weights of biases are part of the learned policy, and a search that starts from them continues from there.
#[test]
fn learned_bias_weights_are_a_warm_start() {
    let order = Order::new();
    let search = "nrpa(1, iterations=30, bias=near, learn_bias=on";
    let learned = run(&order, &format!("{search})"), 3).start().unwrap().learned.expect("it learned");
    let weight = learned.get(u64::MAX);
    assert!(weight != 1.0 && weight != 0.0, "{weight}");
    let warm = run(&order, &format!("{search}, warm=w)"), 4).weights("w", learned.clone()).start().unwrap();
    let cold = run(&order, &format!("{search})"), 4).start().unwrap();
    assert_ne!(warm.learned, cold.learned);
}

#[test]
fn options_that_do_not_fit_are_refused_with_the_reason() {
    let refused = |search: &str| run(&Order::new(), search, 1).start().unwrap_err().to_string();
    assert_eq!(refused("nrpa(1, bias=far)"), "no bias \"far\" for this problem; it has near, late");
    assert_eq!(
        refused("nrpa(1, beam=2, tries=3)"),
        "nrpa: beam= cannot be used together with tries=; leave one of them out"
    );
    let maze = Maze::new(1, 5, Goal::Max);
    let refused = |search: &str| run(&maze, search, 1).start().unwrap_err().to_string();
    assert_eq!(refused("nrpa(1, bias=all)"), "no bias \"all\" for this problem; it has none");
    assert_eq!(
        refused("nrpa(1, codes=symmetric)"),
        "codes=symmetric: no symmetries of this problem are known; leave it out"
    );
}
