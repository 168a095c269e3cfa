//! The rules in words, and numbers in words.

use crate::rules::{RuleDecision, Verdict};
use crate::statistics::{Interval, Summary};
use crate::words::{error, figure, range};

/// The rule for each kind of claim, for people.
pub const RULES: &[(&str, &str)] = &[
    (
        "all of them",
        "A verdict needs all the runs that its file asks for; it is undecided before. \"Reproduced\" is shown, never assumed: each bound \
         it stands on is a one-sided test at 5 %. \"Better\" and \"contradicted\" are tests at 2.5 % on each side. Whatever neither test shows is undecided. \
         A verdict is \"reduced size\" if a smaller size was run of any row that is compared, and \"not the paper's variant\" if the file says that a row is \
         something that the paper does not describe. Times of different machines or versions, or of a GPU, are not compared",
    ),
    (
        "a single run",
        "reproduced if the published number is an ordinary result of ours: at least 5 % of runs are as good, and at least 5 % no better; contradicted if \
         fewer than 5 % are as good; better if fewer than 5 % are no better (exact intervals of Clopper and Pearson)",
    ),
    (
        "a mean, a total over parts",
        "reproduced if the 90 % interval of our mean lies within the margin of the published number; better, or contradicted, if the 95 % interval lies \
         beyond the published number on the better side, or outside the margin (Student's t or the studentised bootstrap, whichever is wider)",
    ),
    (
        "a time",
        "the same for the median of our times, with exact bounds from order statistics, and a factor as the margin, 1.25 if none is stated; \
         for the time of all runs together, the rule of a mean. Times of the paper are of another machine, and are counted apart",
    ),
    (
        "a bound",
        "below: reproduced if the upper bound of our median lies below it; above: if the lower bound of our mean lies above it",
    ),
    (
        "a count",
        "reproduced if the 90 % interval of the difference of both shares lies within the margin; the paper's own number of runs counts (Clopper and \
         Pearson, combined as by Newcombe)",
    ),
    ("a share", "reproduced if the 90 % interval of our share lies within the margin (Clopper and Pearson)"),
    (
        "a record",
        "reproduced if our best is the same, better if it is better; one game shows it. Otherwise undecided: it may be found by more runs",
    ),
    (
        "a ratio",
        "reproduced if the 90 % interval of our ratio lies within a factor, the margin, of the published one: the median of the ratios of runs made \
         in turns, or the ratio of the medians (order statistics)",
    ),
    (
        "better than",
        "reproduced if a test at 2.5 % shows it, contradicted if one shows the opposite. Scores: means, as above, of the differences where both rows have the same instances. \
         Times and numbers of playouts: the order of the values (Brunner and Munzel), or the signs of the differences. Shares: the same",
    ),
    (
        "like",
        "reproduced if the 90 % interval of the difference lies within the margin, contradicted if the 95 % interval lies outside",
    ),
    (
        "always",
        "reproduced if every run has exactly that result, and there are so many that exceptions are rarer than the margin, 1 % if none is stated",
    ),
    (
        "a computed distribution",
        "reproduced if the 90 % interval of the share of every score lies within the margin, one hundredth if none is stated, of the computed share; \
         contradicted if one lies outside, at 5 % divided by the number of scores",
    ),
    (
        "the best",
        "reproduced if the row is better than every other row of its series, each comparison at 5 %; contradicted if one of them is better by more than the margin, at \
         5 % divided by their number",
    ),
    (
        "a line",
        "along the logarithm of an axis: reproduced if the means rise, and the bend of the parabola through them is shown to be at most the margin, a tenth if none is stated, of \
         the rise. In proportion: reproduced if the exponent of the power law through the geometric means is 1, give or take the margin",
    ),
    (
        "a peak",
        "reproduced if a row between the ends is above both, at 5 % divided by the number of such rows; contradicted if each of them is below \
         one of the ends, at 2.5 % for each end",
    ),
];

/// Why a decision about a number came about.
pub(super) fn because(decision: &RuleDecision, what: &str, region: Interval, margin: &str) -> String {
    let RuleDecision { verdict, interval: Interval { low, high }, .. } = *decision;
    let confidence = if verdict == Verdict::Reproduced { 90 } else { 95 };
    let same = match (region.low.is_finite(), region.high.is_finite()) {
        (true, true) => range(region.low, region.high),
        (true, false) => format!("more than {}", figure(region.low)),
        _ => format!("less than {}", figure(region.high)),
    };
    format!("{what}: {confidence} % interval {}; {same} counts as the same{margin}", range(low, high))
}

/// Mean and interval in words.
pub(super) fn mean_of(summary: &Summary) -> String {
    let Interval { low, high } = summary.interval();
    match summary.count() {
        1 => figure(summary.mean),
        _ if low == high => figure(summary.mean),
        _ => format!("{} ± {}", figure(summary.mean), error((high - low) / 2.0)),
    }
}

/// Mean and extremes in words.
pub(super) fn spread(summary: &Summary) -> String {
    format!("{} ({})", figure(summary.mean), range(summary.least(), summary.greatest()))
}
