//! Spending time where it decides most: the runs that claims without a verdict lack, the cheapest claims first.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::wanted::{Wanted, collect};
use super::{Done, LabEffort, Progress, Runner, RunnerError};
use crate::experiment::Experiment;
use crate::judge::{OpenClaim, open_claims};

/// What a row of the paper's size lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lack {
    runs: u64,
    /// Seconds a run; nothing if that is not known.
    each: Option<f64>,
}

impl Lack {
    /// The seconds of one thread that all of them take.
    fn seconds(self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.each.map_or(f64::INFINITY, |each| each * self.runs as f64) }
    }
}

/// A claim without a verdict: the keys of its rows, and whether the runs may well leave it open.
#[derive(Clone, Debug)]
struct Candidate {
    rows: BTreeSet<String>,
    is_uncertain: bool,
}

impl Runner<'_> {
    /// Runs what open claims lack, the cheapest claims first, until the time is used up or no claim is open that runs could decide.
    ///
    /// A verdict needs exactly the runs that its file asks for, so looking at the verdicts in between changes no error rate.
    pub(super) fn decide(
        &mut self,
        experiments: &[&Experiment],
        time: Duration,
        began: Instant,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, RunnerError> {
        let mut done: BTreeMap<(String, String), Done> = BTreeMap::new();
        let mut estimates = BTreeMap::new();
        let mut given_up = BTreeSet::new();
        loop {
            let left = time.saturating_sub(began.elapsed());
            if left.is_zero() || self.cancel.is_cancelled() {
                break;
            }
            let candidates: Vec<Candidate> = open_claims(self.store, experiments.iter().copied())?
                .iter()
                .map(Candidate::of)
                .filter(|claim| claim.rows.is_disjoint(&given_up))
                .collect();
            let needed: BTreeSet<&String> = candidates.iter().flat_map(|claim| &claim.rows).collect();
            let mut wanted = collect(experiments, self.registry, self.device);
            wanted.retain(|row| needed.contains(&row.full_key));
            let mut lacks = BTreeMap::new();
            let is_over = || self.cancel.is_cancelled() || began.elapsed() >= time;
            for row in wanted.iter_mut().take_while(|_| !is_over()) {
                row.at_full_size();
                let lack = self.lack(row, &mut estimates, began, listener)?;
                lacks.insert(row.full_key.clone(), lack);
            }
            // The report says what the rows would cost that do not run.
            let costs = wanted.iter().filter(|row| row.device().is_cpu()).filter_map(|row| {
                let lack = lacks.get(&row.full_key).filter(|lack| lack.runs > 0)?;
                Some((&*row.full_key, lack.each?))
            });
            self.expect_seconds(costs)?;
            if self.cancel.is_cancelled() || began.elapsed() >= time {
                break;
            }
            let left = time.saturating_sub(began.elapsed()).as_secs_f64();
            let chosen = choose(&candidates, &lacks, left, self.workers.max(1));
            if chosen.is_empty() {
                break;
            }
            wanted.retain(|row| chosen.contains(&row.full_key));
            for row in wanted.iter_mut().filter(|row| row.device().is_cpu()) {
                row.row.sizes.iter_mut().for_each(|size| size.expect = lacks[&row.full_key].each);
            }
            let order: Vec<String> = wanted.iter().map(|row| row.full_key.clone()).collect();
            // A round is a command of its own, of the time that is left.
            let before = began.elapsed();
            let mut heard = |news: &Progress| listener(&Progress { elapsed: before + news.elapsed, ..news.clone() });
            let effort = LabEffort::Budget(time.saturating_sub(before));
            let made = self.run_wanted(wanted, effort, Instant::now(), &mut heard)?;
            for (row, full_key) in made.into_iter().zip(order) {
                // What cannot be run, or was stopped, would be so again.
                if row.runs.1.saturating_sub(row.runs.0) >= lacks[&full_key].runs {
                    given_up.insert(full_key);
                }
                done.insert((row.experiment.clone(), row.row.clone()), row);
            }
        }
        Ok(done.into_values().collect())
    }

    /// The runs that a row lacks, and what one takes: as measured, or else as estimated once for all rounds.
    fn lack(
        &self,
        row: &Wanted<'_>,
        estimates: &mut BTreeMap<String, Option<f64>>,
        began: Instant,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Lack, RunnerError> {
        let Some((key, instrument)) = row.keys.first().zip(row.instruments.first()) else {
            return Ok(Lack { runs: row.row.runs, each: None });
        };
        let (have, measured) = self.made(key, row)?;
        let runs = row.row.runs.saturating_sub(have.len() as u64);
        let each = match measured {
            None if runs > 0 => *estimates.entry(key.clone()).or_insert_with(|| {
                let doing = format!("{}: {}: how long will it take?", row.experiment.id, row.label);
                listener(&Progress { elapsed: began.elapsed(), left: None, readings: 0, doing, trouble: None });
                row.row.sizes.first().and_then(|size| size.expect).or_else(|| instrument.estimate())
            }),
            measured => measured,
        };
        Ok(Lack { runs, each })
    }
}

impl Candidate {
    fn of(open: &OpenClaim<'_>) -> Self {
        let key = |&(series, row): &(usize, usize)| open.experiment.row(series, row).sizes[0].definition.key();
        Candidate { rows: open.judgement.rows.iter().map(key).collect(), is_uncertain: open.is_uncertain }
    }
}

/// The rows to run next, in `left` seconds on so many threads: those of the cheapest claims, for half of the time, so that later choices know
/// more about times. A claim costs what rows that are chosen already do not provide. If not even one claim fits, the cheapest one of which
/// a run fits, for its runs are kept.
fn choose(candidates: &[Candidate], lacks: &BTreeMap<String, Lack>, left: f64, threads: usize) -> BTreeSet<String> {
    let lack = |key: &String| lacks.get(key).copied().unwrap_or(Lack { runs: 0, each: None });
    let (mut chosen, mut spent) = (BTreeSet::new(), 0.0);
    let all = 0.9 * left * threads as f64;
    // A run that would not end in time would be lost.
    let fits = |claim: &&Candidate| {
        claim.rows.iter().map(lack).all(|lack| lack.runs == 0 || lack.each.is_none_or(|each| each <= 0.9 * left))
    };
    let mut waiting: Vec<&Candidate> = candidates.iter().filter(fits).collect();
    loop {
        let cost = |claim: &Candidate| {
            claim.rows.iter().filter(|key| !chosen.contains(*key)).map(|key| lack(key).seconds()).sum::<f64>()
        };
        let order = |a: &f64, b: &f64| a.total_cmp(b);
        let cheapest = waiting
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| a.is_uncertain.cmp(&b.is_uncertain).then_with(|| order(&cost(a), &cost(b))));
        let Some((index, claim)) = cheapest.map(|(index, claim)| (index, *claim)) else { return chosen };
        let more = cost(claim);
        if !chosen.is_empty() && spent + more > all / 2.0 {
            return chosen;
        }
        spent += more;
        chosen.extend(claim.rows.iter().filter(|key| lack(key).runs > 0).cloned());
        waiting.swap_remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(rows: &[&str]) -> Candidate {
        Candidate { rows: rows.iter().map(|key| (*key).to_owned()).collect(), is_uncertain: false }
    }

    fn lacks(rows: &[(&str, u64, f64)]) -> BTreeMap<String, Lack> {
        let lack = |&(key, runs, each): &(&str, u64, f64)| {
            (key.to_owned(), Lack { runs, each: Some(each).filter(|each| *each > 0.0) })
        };
        rows.iter().map(lack).collect()
    }

    fn chosen(candidates: &[Candidate], lacks: &BTreeMap<String, Lack>, left: f64) -> Vec<String> {
        choose(candidates, lacks, left, 1).into_iter().collect()
    }

    #[test]
    fn the_cheapest_claims_come_first() {
        let lacks = lacks(&[("dear", 100, 1.0), ("cheap", 10, 1.0), ("also cheap", 20, 1.0), ("done", 0, 5.0)]);
        let claims = [claim(&["dear"]), claim(&["also cheap", "done"]), claim(&["cheap"])];
        assert_eq!(chosen(&claims, &lacks, 100.0), ["also cheap", "cheap"], "half of the time, and nothing twice");
        assert_eq!(chosen(&claims, &lacks, 1_000.0), ["also cheap", "cheap", "dear"]);
        assert_eq!(chosen(&claims, &lacks, 5.0), ["cheap"], "part of the cheapest, for its runs are kept");
        assert!(chosen(&claims, &lacks, 1.0).is_empty(), "not even one run fits");
    }

    /// A row that two claims need is paid for once.
    #[test]
    fn shared_rows_are_paid_for_once() {
        let lacks = lacks(&[("shared", 30, 1.0), ("own", 10, 1.0), ("other", 35, 1.0)]);
        let claims = [claim(&["other"]), claim(&["shared", "own"]), claim(&["shared"])];
        assert_eq!(chosen(&claims, &lacks, 100.0), ["own", "shared"]);
    }

    #[test]
    fn uncertain_and_unknown_claims_are_last() {
        let mut record = claim(&["record"]);
        record.is_uncertain = true;
        let lacks = lacks(&[("record", 1, 0.1), ("known", 40, 1.0), ("unknown", 5, 0.0)]);
        let claims = [record, claim(&["unknown"]), claim(&["known"])];
        assert_eq!(chosen(&claims, &lacks, 100.0), ["known"]);
        assert_eq!(chosen(&claims[..2], &lacks, 100.0), ["unknown"], "alone, for nobody knows what it takes");
        assert_eq!(chosen(&claims[..1], &lacks, 100.0), ["record"]);
    }
}
