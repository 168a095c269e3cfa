//! The distribution of the scores of many runs.

use nestling_presentation::chart::Histogram;
use serde_json::json;

use crate::json;

/// How long the longest bar of a histogram in text is.
const BAR: u64 = 50;

/// Mean and standard deviation of scores as they come (Welford's method): each costs the same, however many there were before.
#[derive(Default)]
pub(crate) struct Running {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Running {
    pub fn add(&mut self, score: f64) {
        self.count += 1.0;
        let before = score - self.mean;
        self.mean += before / self.count;
        self.squares += before * (score - self.mean);
    }

    /// For a line that changes; nothing where there are no scores.
    pub fn short(&self) -> String {
        if self.count == 0.0 {
            return String::new();
        }
        let deviation = (self.squares / (self.count - 1.0).max(1.0)).sqrt();
        format!(", mean {:.2}, sd {deviation:.2}", self.mean)
    }
}

/// The meaning of a score, if the number alone says little.
pub(crate) type MeaningOf<'a> = &'a dyn Fn(f64) -> Option<nestling_registry::Meaning>;

pub(crate) struct Distribution {
    sorted: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl Distribution {
    /// That of these scores; none if there are none.
    pub fn new(mut scores: Vec<f64>) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let deviation = if scores.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        scores.sort_by(f64::total_cmp);
        Some(Distribution { sorted: scores, mean, deviation })
    }

    /// The smallest score that at least this share of the runs does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[rank.clamp(1, self.sorted.len()) - 1]
    }

    /// What the scores mean where the numbers alone say little, each mean of their parts, and how many of them are solutions.
    fn meaning(&self, meaning: MeaningOf<'_>) -> Option<(usize, Vec<(&'static str, f64)>)> {
        let meanings = self.sorted.iter().map(|&score| meaning(score)).collect::<Option<Vec<_>>>()?;
        let solved = meanings.iter().filter(|meaning| meaning.solved).count();
        let names = meanings.first()?.parts.iter().map(|&(name, _)| name).enumerate();
        let mean =
            |part: usize| meanings.iter().map(|meaning| meaning.parts[part].1).sum::<f64>() / meanings.len() as f64;
        Some((solved, names.map(|(part, name)| (name, mean(part))).collect()))
    }

    pub fn json(&self, problem: &str, search: &str, seed: u64, meaning: MeaningOf<'_>) -> serde_json::Value {
        let quantile = |share| json::score(self.quantile(share));
        let mut object = json!({
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
        });
        if let Some((solved, parts)) = self.meaning(meaning) {
            object["solved"] = json!(solved);
            for (name, mean) in parts {
                object[format!("mean_{name}")] = json!(mean);
            }
        }
        object
    }

    pub fn text(&self, wanted: u64, seed: u64, meaning: MeaningOf<'_>) -> String {
        let Distribution { sorted, mean, deviation } = self;
        let error = deviation / (sorted.len() as f64).sqrt();
        let of = if sorted.len() as u64 == wanted { String::new() } else { format!(" of {wanted}") };
        if let Some((solved, parts)) = self.meaning(meaning) {
            let mean = |(name, mean): &(&str, f64)| format!(", mean {} {mean:.2}", name.replace('_', " "));
            let words = |share| meaning(self.quantile(share)).map_or_else(String::new, |meaning| meaning.words);
            let quantiles: String = [("least", 0.0), ("median", 0.5), ("greatest", 1.0)]
                .map(|(name, share)| format!("{name}: {}\n", words(share)))
                .concat();
            let means: String = parts.iter().map(mean).collect();
            return format!("\n{}{of} runs, seed {seed}: {solved} solved{means}\n{quantiles}", sorted.len());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_along_agrees_with_the_whole() {
        let scores: Vec<f64> = (0..1_000).map(|index| f64::from(index * index % 97) - 20.0).collect();
        let mut running = Running::default();
        assert_eq!(running.short(), "");
        scores.iter().for_each(|&score| running.add(score));
        let whole = Distribution::new(scores).unwrap();
        assert_eq!(running.short(), format!(", mean {:.2}, sd {:.2}", whole.mean, whole.deviation));
    }
}
