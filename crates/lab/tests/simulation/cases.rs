//! The experiments: every rule at the edges of what counts as the same.

use nestling::{Goal, Rng};
use nestling_lab::rules::{self, MedianOrMean, Tails, Target, Two};
use nestling_lab::statistics::Share;
use nestling_lab::{Interval, Verdict};

use super::draws::{Shape, classes, coins, lognormal, lognormal_mean, pareto};

/// One rule with one truth.
pub struct Case {
    pub rule: &'static str,
    pub truth: String,
    /// The verdicts that would be wrong; none where *reproduced* is right.
    pub false_verdicts: &'static [Verdict],
    /// One experiment.
    pub experiment: Box<dyn Fn(&mut Rng) -> Verdict + Send + Sync>,
}

impl Case {
    pub fn name(&self) -> String {
        format!("{}: {}", self.rule, self.truth)
    }
}

use Verdict::{Better, Contradicted, Reproduced};

/// At an edge both are wrong, one for each side that the truth may be taken to lie on.
const EDGE: &[Verdict] = &[Reproduced, Contradicted];
const RIGHT: &[Verdict] = &[];

/// All cases.
pub fn all() -> Vec<Case> {
    let mut cases = Cases(Vec::new());
    cases.means();
    cases.single_runs();
    cases.times();
    cases.shares();
    cases.comparisons();
    cases.orders();
    cases.bests();
    cases.shapes();
    cases.0
}

struct Cases(Vec<Case>);

impl Cases {
    fn add(
        &mut self,
        rule: &'static str,
        truth: impl Into<String>,
        false_verdicts: &'static [Verdict],
        experiment: impl Fn(&mut Rng) -> Verdict + Send + Sync + 'static,
    ) {
        self.0.push(Case { rule, truth: truth.into(), false_verdicts, experiment: Box::new(experiment) });
    }

    fn means(&mut self) {
        let target = Target::new(50.0, 0.0, 2.0);
        for (shape, words) in [
            (Shape::Normal, "normal"),
            (Shape::Whole, "whole numbers"),
            (Shape::Right, "skewed to the right"),
            (Shape::Left, "skewed to the left"),
        ] {
            for runs in [10, 50] {
                self.add("mean", format!("at the edge, {words}, {runs} runs"), EDGE, move |rng| {
                    rules::mean(&shape.values(rng, runs, 52.0, 4.0), &target, None).verdict
                });
            }
            self.add("mean", format!("the published number, {words}, 20 runs"), &[Better, Contradicted], move |rng| {
                rules::mean(&shape.values(rng, 20, 50.0, 4.0), &target, Some(Goal::Max)).verdict
            });
        }
        self.add("mean", "in the middle, 50 runs", RIGHT, move |rng| {
            rules::mean(&Shape::Whole.values(rng, 50, 50.0, 4.0), &target, Some(Goal::Max)).verdict
        });
        let target = Target::new(20.0 * 50.0, 0.0, 20.0);
        self.add("total", "at the edge, 20 parts of 2 runs", EDGE, move |rng| {
            let parts: Vec<_> =
                (0..20).map(|part| Shape::Whole.values(rng, 2, 31.5 + 2.0 * f64::from(part) + 0.5, 4.0)).collect();
            rules::total(&parts, &target, None).expect("every part is run").verdict
        });
    }

    /// The published number is so rare that one run in 20 reaches it; or it is a run of the same search.
    fn single_runs(&mut self) {
        let at = |value: f64| Interval { low: value, high: value };
        for runs in [10, 100, 500] {
            self.add("single run", format!("1 in 20 runs is as good, {runs} runs"), EDGE, move |rng| {
                let values: Vec<f64> = (0..runs).map(|_| rng.unit()).collect();
                rules::single_run(&values, at(0.95), Goal::Max).verdict
            });
            self.add(
                "single run",
                format!("a run of the same search, {runs} runs"),
                &[Better, Contradicted],
                move |rng| {
                    let values = Shape::Whole.values(rng, runs, 60.0, 2.0);
                    rules::single_run(&values, at(Shape::Whole.values(rng, 1, 60.0, 2.0)[0]), Goal::Max).verdict
                },
            );
        }
        self.add("single run", "the median of ours, 100 runs", RIGHT, move |rng| {
            rules::single_run(&Shape::Whole.values(rng, 100, 60.0, 2.0), at(60.0), Goal::Max).verdict
        });
    }

    fn times(&mut self) {
        let target = Target::within_factor(10.0, 1.25);
        for runs in [6, 20] {
            self.add("time", format!("at the edge, log-normal, {runs} runs"), EDGE, move |rng| {
                rules::time(&lognormal(rng, runs, 12.5, 0.3), &target).verdict
            });
            self.add("time", format!("at the edge, infinite variance, {runs} runs"), EDGE, move |rng| {
                rules::time(&pareto(rng, runs, 12.5), &target).verdict
            });
        }
        self.add("time", "the published number, log-normal, 20 runs", &[Better, Contradicted], move |rng| {
            rules::time(&lognormal(rng, 20, 10.0, 0.3), &target).verdict
        });
        for (sigma, words) in [(0.5, "log-normal"), (1.0, "heavy tails")] {
            let total = Target::within_factor(100.0 * lognormal_mean(sigma), 1.25);
            self.add("time of all runs", format!("at the edge, {words}, 100 runs"), EDGE, move |rng| {
                rules::total_time(&lognormal(rng, 100, 1.25, sigma), &total).verdict
            });
            self.add(
                "time of all runs",
                format!("the published number, {words}, 100 runs"),
                &[Better, Contradicted],
                move |rng| rules::total_time(&lognormal(rng, 100, 1.0, sigma), &total).verdict,
            );
        }
        self.add("bound", "the median is the bound, infinite variance, 20 runs", EDGE, move |rng| {
            rules::below(&pareto(rng, 20, 1.0), MedianOrMean::Median, 1.0).verdict
        });
        self.add("bound", "the mean is the bound, skewed to the right, 20 runs", EDGE, move |rng| {
            rules::above(&Shape::Right.values(rng, 20, 30.0, 10.0), MedianOrMean::Mean, 30.0).verdict
        });
        for (sigma, runs) in [(0.1, 10), (1.5, 50)] {
            let target = Target::within_factor(2.0, 1.2);
            self.add("ratio", format!("at the edge, log-normal ({sigma}), {runs} runs each"), EDGE, move |rng| {
                let two = Two::Apart(lognormal(rng, runs, 2.4, sigma), lognormal(rng, runs, 1.0, sigma));
                rules::ratio(&two, &target).verdict
            });
        }
        let target = Target::within_factor(2.0, 1.2);
        self.add("ratio", "at the edge, in turns on a busy machine, 20 pairs", EDGE, move |rng| {
            let busy = pareto(rng, 20, 1.0);
            let (one, other) = (lognormal(rng, 20, 2.4, 0.1), lognormal(rng, 20, 1.0, 0.1));
            let pairs = busy.iter().zip(one.iter().zip(other)).map(|(busy, (one, other))| (busy * one, busy * other));
            rules::ratio(&Two::Paired(pairs.collect()), &target).verdict
        });
        self.add("ratio", "in the middle, 20 runs each", RIGHT, move |rng| {
            let two = Two::Apart(lognormal(rng, 20, 2.0, 0.1), lognormal(rng, 20, 1.0, 0.1));
            rules::ratio(&two, &target).verdict
        });
    }

    fn shares(&mut self) {
        for (share, margin, runs) in [(0.02, 0.02, 100), (0.02, 0.02, 1_000), (0.5, 0.05, 1_000)] {
            let target = Target::new(share, 0.0, margin);
            self.add("share", format!("{share} + {margin}, {runs} runs"), EDGE, move |rng| {
                rules::share(Share::of(&coins(rng, runs, share + margin), |hit| hit > 0.0), &target).verdict
            });
        }
        for (share, margin, runs) in [(0.05, 0.05, 100), (0.36, 0.05, 1_000), (0.9, 0.1, 40)] {
            for sign in [1.0, -1.0] {
                let other = share + sign * margin;
                self.add(
                    "count",
                    format!("{share} and {other:.2}, margin {margin}, {runs} runs each"),
                    EDGE,
                    move |rng| {
                        let [ours, theirs] =
                            [share, other].map(|share| Share::of(&coins(rng, runs, share), |hit| hit > 0.0));
                        rules::count(ours, theirs, margin, None).verdict
                    },
                );
            }
        }
        self.add("count", "0.36 and 0.36, 1,000 runs each", &[Better, Contradicted], |rng| {
            let [ours, theirs] = [0.36, 0.36].map(|share| Share::of(&coins(rng, 1_000, share), |hit| hit > 0.0));
            rules::count(ours, theirs, 0.05, Some(Goal::Min)).verdict
        });
        for runs in [100, 320, 1_000] {
            self.add("always", format!("1 exception in 100 runs, {runs} runs"), &[Reproduced], move |rng| {
                rules::always(&coins(rng, runs, 0.01), 0.0, 0.01).verdict
            });
        }
        let expected = [0.1, 0.2, 0.4, 0.2, 0.1];
        let shifted = [0.1, 0.19, 0.4, 0.21, 0.1];
        for runs in [1_000, 20_000] {
            self.add("distribution", format!("two shares at the edge, {runs} runs"), EDGE, move |rng| {
                rules::distribution(&classes(rng, runs, &shifted), &expected, 0.01).verdict
            });
        }
        self.add("distribution", "the expected one, 40,000 runs", RIGHT, move |rng| {
            rules::distribution(&classes(rng, 40_000, &expected), &expected, 0.01).verdict
        });
    }

    fn comparisons(&mut self) {
        for (shape, words) in [(Shape::Whole, "whole numbers"), (Shape::Right, "skewed to the right")] {
            for (one, other) in [(10, 10), (50, 50), (10, 100)] {
                self.add("alike", format!("at the edge, {words}, {one} and {other} runs"), EDGE, move |rng| {
                    let two = Two::Apart(shape.values(rng, one, 52.0, 4.0), shape.values(rng, other, 50.0, 2.0));
                    rules::alike(&two, Tails::Light, 2.0).verdict
                });
            }
        }
        self.add("alike", "shares at the edge, 100 runs each", EDGE, |rng| {
            let two = Two::Apart(coins(rng, 100, 0.15), coins(rng, 100, 0.1));
            rules::alike(&two, Tails::Share, 0.05).verdict
        });
        self.add("alike", "the same, 50 runs each", RIGHT, |rng| {
            let two = Two::Apart(Shape::Whole.values(rng, 50, 50.0, 2.0), Shape::Whole.values(rng, 50, 50.0, 2.0));
            rules::alike(&two, Tails::Light, 2.0).verdict
        });
    }

    /// Neither row is better.
    fn orders(&mut self) {
        for runs in [5, 10, 100] {
            self.add("better", format!("no difference, skewed scores, {runs} runs each"), EDGE, move |rng| {
                let two =
                    Two::Apart(Shape::Right.values(rng, runs, 50.0, 4.0), Shape::Left.values(rng, runs, 50.0, 2.0));
                rules::better(&two, Tails::Light, Goal::Max).verdict
            });
        }
        for runs in [10, 30] {
            self.add("better", format!("no difference, heavy tails, {runs} runs each"), EDGE, move |rng| {
                let two = Two::Apart(pareto(rng, runs, 10.0), pareto(rng, runs, 10.0));
                rules::better(&two, Tails::Heavy, Goal::Min).verdict
            });
            self.add("better", format!("the same median, other tails, {runs} runs each"), EDGE, move |rng| {
                let two = Two::Apart(lognormal(rng, runs, 10.0, 0.5), lognormal(rng, runs, 10.0, 2.0));
                rules::better(&two, Tails::Heavy, Goal::Min).verdict
            });
        }
        self.add("better", "no difference, heavy tails, 20 pairs", EDGE, |rng| {
            let (one, other) = (pareto(rng, 20, 10.0), pareto(rng, 20, 10.0));
            rules::better(&Two::Paired(one.into_iter().zip(other).collect()), Tails::Heavy, Goal::Min).verdict
        });
        self.add("better", "the same share, 100 runs each", EDGE, |rng| {
            let two = Two::Apart(coins(rng, 100, 0.1), coins(rng, 100, 0.1));
            rules::better(&two, Tails::Share, Goal::Max).verdict
        });
        self.add("better", "64 times as much, heavy tails, 20 runs each", RIGHT, |rng| {
            let two = Two::Apart(lognormal(rng, 20, 958.0, 2.0), lognormal(rng, 20, 61_610.0, 2.0));
            rules::better(&two, Tails::Heavy, Goal::Min).verdict
        });
    }

    /// The row, and four others.
    fn bests(&mut self) {
        for (others, words) in
            [([60.0, 50.0, 50.0, 50.0], "one other is as good"), ([60.0; 4], "all others are as good")]
        {
            for runs in [5, 10, 50] {
                self.add("best", format!("{words}, {runs} runs each"), EDGE, move |rng| {
                    let own = Shape::Whole.values(rng, runs, 60.0, 2.0);
                    let rival =
                        |mean: f64, rng: &mut Rng| Two::Apart(own.clone(), Shape::Whole.values(rng, runs, mean, 2.0));
                    let rivals: Vec<Two> = others.iter().map(|&mean| rival(mean, rng)).collect();
                    rules::best(&rivals, Goal::Max, 0.0).verdict
                });
            }
        }
        self.add("best", "better by a deviation than each, 50 runs", RIGHT, |rng| {
            let own = Shape::Whole.values(rng, 50, 60.0, 2.0);
            let rivals: Vec<Two> =
                (0..4).map(|_| Two::Apart(own.clone(), Shape::Whole.values(rng, 50, 58.0, 2.0))).collect();
            rules::best(&rivals, Goal::Max, 0.0).verdict
        });
    }

    fn shapes(&mut self) {
        // A parabola from 0 to 3 whose bend is `bend` times its rise of 10.
        let curve = |rng: &mut Rng, runs: usize, rise: f64, bend: f64| -> Vec<(f64, Vec<f64>)> {
            let at = |x: f64| 50.0 + rise * x / 3.0 + 4.0 * bend * rise * x * (3.0 - x) / 9.0;
            (0..4).map(|x| (f64::from(x), Shape::Whole.values(rng, runs, at(f64::from(x)), 2.0))).collect()
        };
        for runs in [10, 50] {
            for bend in [0.1, -0.1] {
                self.add("line", format!("bend {bend} of the rise, {runs} runs a row"), EDGE, move |rng| {
                    rules::line(&curve(rng, runs, 10.0, bend), 0.1).verdict
                });
            }
            self.add("line", format!("no rise, {runs} runs a row"), EDGE, move |rng| {
                rules::line(&curve(rng, runs, 0.0, 0.0), 0.1).verdict
            });
            self.add("in proportion", format!("the exponent is 1.1, {runs} runs a row"), EDGE, move |rng| {
                let row = |x: f64, rng: &mut Rng| (x, lognormal(rng, runs, x.powf(1.1), 0.3));
                let points: Vec<_> = [1.0, 2.0, 4.0, 8.0].into_iter().map(|x| row(x, rng)).collect();
                rules::proportional(&points, 0.1).expect("all are positive").verdict
            });
            self.add("peak", format!("all rows are alike, heavy tails, {runs} runs a row"), EDGE, move |rng| {
                let points: Vec<_> = (0..6).map(|x| (f64::from(x), pareto(rng, runs, 10.0))).collect();
                rules::peak(&points, Tails::Heavy).verdict
            });
            self.add("peak", format!("it only rises, heavy tails, {runs} runs a row"), &[Reproduced], move |rng| {
                let points: Vec<_> =
                    (0..6).map(|x| (f64::from(x), pareto(rng, runs, f64::from(x.min(3) + 1)))).collect();
                rules::peak(&points, Tails::Heavy).verdict
            });
        }
        self.add("line", "straight, 100 runs a row", RIGHT, move |rng| {
            rules::line(&curve(rng, 100, 10.0, 0.0), 0.1).verdict
        });
        self.add("in proportion", "the exponent is 1, 20 runs a row", RIGHT, move |rng| {
            let points: Vec<_> = [1.0, 2.0, 4.0, 8.0].map(|x| (x, lognormal(rng, 20, x, 0.1))).to_vec();
            rules::proportional(&points, 0.1).expect("all are positive").verdict
        });
        self.add("peak", "four times as much in the middle, 30 runs a row", RIGHT, |rng| {
            let points: Vec<_> = [1.0, 2.0, 6.0, 4.0, 1.0].map(|level| (level, pareto(rng, 30, level))).to_vec();
            rules::peak(&points, Tails::Heavy).verdict
        });
    }
}
