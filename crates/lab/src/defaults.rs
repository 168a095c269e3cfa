//! Which search suits a problem best when the user names none: candidates beside the default, on the same instances, in the same time.

use std::fmt::Write;
use std::time::Duration;

use nestling::{Allowance, Cancel, Goal};
use nestling_registry::Registry;
use serde::Deserialize;

use crate::compare::Matched;
use crate::reading::Reading;
use crate::statistics::Summary;
use crate::words::figure;

/// The candidates that come with the program.
const CANDIDATES: &str = include_str!("../defaults.toml");

#[derive(Deserialize)]
struct File {
    problem: Vec<Candidates>,
}

/// A problem, and the searches that might be its default.
#[derive(Clone, Debug, Deserialize)]
pub struct Candidates {
    /// The problem; `{run}` in it is the number of the run.
    pub name: String,
    /// The searches.
    pub searches: Vec<String>,
}

impl Candidates {
    /// Those that come with the program, for all of its problems.
    pub fn standard() -> Vec<Candidates> {
        toml::from_str::<File>(CANDIDATES).unwrap_or_else(|error| panic!("defaults.toml: {error}")).problem
    }

    /// Runs every candidate, and the default, as often as asked for, each time on one thread for `time`; `listener` hears how many runs are
    /// finished.
    ///
    /// # Errors
    ///
    /// The error in the problem or a search, in one line.
    pub fn measure(&self, how: &Measuring<'_>, listener: &mut dyn FnMut(u64)) -> Result<CandidateTable, String> {
        let first = how.registry.open(&self.name.replace("{run}", "0")).map_err(|error| error.to_string())?;
        let default = first.default_search(Allowance::Time(how.time)).search.to_string();
        let mut searches = self.searches.clone();
        if !searches.contains(&default) {
            searches.push(default.clone());
        }
        let matched = Matched {
            registry: how.registry,
            problem: &self.name,
            searches: &searches,
            seconds: Some(how.time.as_secs_f64()),
            playouts: None,
            runs: how.runs,
            seed: how.seed,
            workers: how.workers,
            cancel: &how.cancel,
        };
        let runs = matched.run(listener)?;
        Ok(CandidateTable { problem: self.name.clone(), time: how.time, goal: first.goal(), default, searches, runs })
    }
}

/// How candidates are measured.
pub struct Measuring<'a> {
    /// The problems.
    pub registry: &'a Registry,
    /// The time of each run.
    pub time: Duration,
    /// How often each candidate is run.
    pub runs: u64,
    /// The seed that the seeds of all runs derive from.
    pub seed: u64,
    /// How many runs are made at the same time.
    pub workers: usize,
    /// Stops it; what all candidates have finished counts.
    pub cancel: Cancel,
}

/// The results of the candidates for one problem and time.
#[derive(Clone, Debug)]
pub struct CandidateTable {
    problem: String,
    time: Duration,
    goal: Goal,
    default: String,
    searches: Vec<String>,
    /// By run: the readings of all searches.
    runs: Vec<Vec<Reading>>,
}

/// How long a run took, all of which are made here.
fn seconds(reading: &Reading) -> f64 {
    reading.seconds.unwrap_or_default()
}

impl CandidateTable {
    /// The mean rank of each search, 1 for the best of every run; equals share their ranks.
    fn ranks(&self) -> Vec<f64> {
        let rank = |run: &[Reading], search: usize| {
            let ahead = run.iter().filter(|other| self.is_ahead(other, &run[search])).count();
            let equal =
                run.iter().filter(|other| !self.is_ahead(other, &run[search]) && !self.is_ahead(&run[search], other));
            ahead as f64 + (equal.count() as f64 + 1.0) / 2.0
        };
        let mean = |search| self.runs.iter().map(|run| rank(run, search)).sum::<f64>() / self.runs.len() as f64;
        (0..self.searches.len()).map(mean).collect()
    }

    /// The better score; of two that have solved the problem, the one that was clearly faster.
    fn is_ahead(&self, one: &Reading, other: &Reading) -> bool {
        let faster = one.solved && other.solved && seconds(one) < 0.5 * seconds(other) && seconds(other) > 0.1;
        self.goal.better(one.score, other.score) || one.score == other.score && faster
    }

    /// A table in Markdown, best first, the default in bold.
    pub fn markdown(&self) -> String {
        let runs = self.runs.len();
        let title = format!("### `{}`, {}\n\n", self.problem, humantime::format_duration(self.time));
        if runs == 0 {
            return title + "Nothing was finished.\n";
        }
        let is_solved = self.runs.iter().flatten().any(|reading| reading.solved);
        let solved_columns = if is_solved { [" solved | mean seconds |", "---:|---:|"] } else { ["", ""] };
        let mut rows = format!(
            "{title}| search | mean rank | mean score |{}\n|---|---:|---:|{}\n",
            solved_columns[0], solved_columns[1]
        );
        let ranks = self.ranks();
        let mut order: Vec<usize> = (0..self.searches.len()).collect();
        order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
        for search in order {
            let own = || self.runs.iter().map(|run| &run[search]);
            let summary = Summary::new(own().map(|reading| reading.score)).expect("there are runs");
            let error = summary.deviation / (runs as f64).sqrt();
            let name = match &self.searches[search] {
                name if *name == self.default => format!("**`{name}`**"),
                name => format!("`{name}`"),
            };
            let _ = write!(rows, "| {name} | {:.2} | {} ± {} |", ranks[search], figure(summary.mean), figure(error));
            if is_solved {
                let solved = own().filter(|reading| reading.solved).count();
                let seconds = own().map(seconds).sum::<f64>() / runs as f64;
                let _ = write!(rows, " {solved} of {runs} | {seconds:.2} |");
            }
            rows.push('\n');
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(score: f64, seconds: f64, solved: bool) -> Reading {
        Reading { score, seconds: Some(seconds), solved, ..Reading::default() }
    }

    fn table(runs: Vec<Vec<Reading>>) -> CandidateTable {
        let searches = ["dfs", "playout", "nested(1)"].map(str::to_owned).to_vec();
        let (problem, default) = ("sudoku".to_owned(), "playout".to_owned());
        CandidateTable { problem, time: Duration::from_secs(1), goal: Goal::Min, default, searches, runs }
    }

    #[test]
    fn ranks_are_shared_by_equals() {
        let one = |score| reading(score, 1.0, false);
        let table = table(vec![vec![one(3.0), one(3.0), one(1.0)], vec![one(1.0), one(3.0), one(2.0)]]);
        assert_eq!(table.ranks(), [1.75, 2.75, 1.5]);
    }

    #[test]
    fn of_two_that_solve_it_the_faster_is_ahead() {
        let table = table(vec![vec![reading(0.0, 5.0, true), reading(0.0, 0.4, true), reading(7.0, 1.0, false)]]);
        assert_eq!(table.ranks(), [2.0, 1.0, 3.0]);
        assert!(table.markdown().contains("| **`playout`** | 1.00 | 0 ± 0 | 1 of 1 | 0.40 |"), "{}", table.markdown());
    }

    #[test]
    fn every_candidate_can_be_run() {
        let registry = Registry::standard();
        for Candidates { name, searches } in Candidates::standard() {
            let problem = registry.open(&name.replace("{run}", "1")).unwrap_or_else(|error| panic!("{error}"));
            for search in searches {
                let parsed = search.parse().unwrap_or_else(|error| panic!("{name}: {search}: {error}"));
                problem.estimate(&parsed, &[]).unwrap_or_else(|error| panic!("{name}: {search}: {error}"));
            }
        }
    }
}
