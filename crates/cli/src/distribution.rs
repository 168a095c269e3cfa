//! The distribution of the scores of many runs.

use nestling_chart::Histogram;
use serde_json::json;

use crate::json;

/// How long the longest bar of a histogram in text is.
const BAR: u64 = 50;

pub(crate) struct Distribution {
    sorted: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl Distribution {
    /// That of these scores; none if there are none.
    pub fn new(scores: &[f64]) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let mut sorted = scores.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let deviation = if scores.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Some(Distribution { sorted, mean, deviation })
    }

    /// The smallest score that at least this share of the runs does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[rank.clamp(1, self.sorted.len()) - 1]
    }

    /// Mean and standard deviation, for a line that changes.
    pub fn short(&self) -> String {
        format!("mean {:.2}, sd {:.2}", self.mean, self.deviation)
    }

    pub fn json(&self, problem: &str, search: &str, seed: u64) -> serde_json::Value {
        let quantile = |share| json::score(self.quantile(share));
        json!({
            "event": "summary",
            "problem": problem,
            "search": search,
            "seed": seed,
            "runs": self.sorted.len(),
            "mean": self.mean,
            "sd": self.deviation,
            "min": quantile(0.0),
            "q25": quantile(0.25),
            "median": quantile(0.5),
            "q75": quantile(0.75),
            "max": quantile(1.0),
        })
    }

    pub fn text(&self, wanted: u64, seed: u64) -> String {
        let Distribution { sorted, mean, deviation } = self;
        let error = deviation / (sorted.len() as f64).sqrt();
        let of = if sorted.len() as u64 == wanted { String::new() } else { format!(" of {wanted}") };
        let quantiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| short(self.quantile(share))).join(" / ");
        format!(
            "\n{}{of} runs, seed {seed}: mean {mean:.2} ± {error:.2}, standard deviation {deviation:.2}\n\
             least / quartiles / greatest: {quantiles}\n{}",
            sorted.len(),
            self.bars(),
        )
    }

    /// A histogram of characters.
    fn bars(&self) -> String {
        let bars = Histogram::new("", "", &self.sorted).bars();
        let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(1).max(1);
        let width = bars.iter().map(|&(begin, _)| short(begin).len()).max().unwrap_or(0);
        let line = |(begin, count): (f64, u64)| {
            let bar = "█".repeat(usize::try_from((count * BAR).div_ceil(most)).unwrap_or(0));
            format!("{:>width$} {bar} {count}\n", short(begin))
        };
        bars.into_iter().map(line).collect()
    }
}

fn short(score: f64) -> String {
    format!("{score:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
