//! `nestling hunt`: a search for a record that may take days, and its statistics.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use nestling::{Find, Goal};
use nestling_registry::{Instance, Registry};

use crate::args::HuntArgs;
use crate::failure::Exit;
use crate::{problem, solve, text};

/// How far from the record a game may be to be kept.
const SHORT: f64 = 3.0;

/// How many families a summary lists.
const LISTED: usize = 20;

pub(crate) fn hunt(args: HuntArgs, registry: &Registry, began: Instant) -> Result<Exit> {
    let problem = problem::open(&args.problem, registry)?;
    let (goal, record) = (problem.goal(), problem.record());
    let name = problem.name();
    let unknown = || anyhow!("{name}: no record is known; give the scores to hunt for with --target and --keep");
    let worse = |by: f64| record.as_ref().map(|record| goal.value(goal.value(record.score) - by));
    if let Some(record) = record.as_ref().filter(|record| record.proven && args.target.is_none()) {
        return Err(anyhow!("{name}: {} is proven to be the best score; there is no record to hunt for", record.score));
    }
    let target = args.target.or(worse(-1.0)).ok_or_else(unknown)?;
    let keep = args.keep.or(worse(SHORT)).ok_or_else(unknown)?;
    ensure!(goal.reaches(target, keep), "--keep {keep}: must not be better than the target, {target}");
    solve::solve(&args.into_solve(target, keep), registry, began)
}

/// The games that a hunt has kept, by family: for Morpion Solitaire, by their dots.
pub(crate) struct Finds {
    goal: Goal,
    /// The score from which on games are kept.
    keep: f64,
    families: HashMap<Vec<u8>, Family>,
    /// The best that each search has reached.
    searches: HashMap<u64, f64>,
}

struct Family {
    score: f64,
    searches: HashSet<u64>,
    /// The published record of this family.
    published: Option<String>,
}

impl Finds {
    pub fn new(problem: &dyn Instance, keep: f64) -> Self {
        let published = problem.published().into_iter().filter_map(|record| {
            let family = problem.family(&problem.certify(&record.moves).ok()?).ok()?;
            Some((family, Family { score: record.score, searches: HashSet::new(), published: Some(record.id) }))
        });
        Finds { goal: problem.goal(), keep, families: published.collect(), searches: HashMap::new() }
    }

    pub fn add(&mut self, problem: &dyn Instance, find: &Find) {
        let Ok(family) = problem.family(&find.found.game) else { return };
        let score = find.found.score();
        let new = || Family { score, searches: HashSet::new(), published: None };
        let family = self.families.entry(family).or_insert_with(new);
        family.searches.insert(find.search);
        family.score = self.goal.best(family.score, score);
        let best = self.searches.entry(find.search).or_insert(score);
        *best = self.goal.best(*best, score);
    }

    /// A few words for the line of progress.
    pub fn brief(&self) -> String {
        let (searches, families) = (self.searches.len(), self.found().count());
        format!("{searches} searches reached {}, {families} families, ", self.keep)
    }

    fn found(&self) -> impl Iterator<Item = &Family> {
        self.families.values().filter(|family| !family.searches.is_empty())
    }

    /// The games that were found, the best first.
    pub fn summary(&self) -> String {
        if self.searches.is_empty() {
            return format!("no search has reached {} yet\n", self.keep);
        }
        let searches = self.by_score(self.searches.values().copied());
        let families = self.by_score(self.found().map(|family| family.score));
        let value = |family: &Family| self.goal.value(family.score);
        let mut best: Vec<&Family> = self.found().collect();
        best.sort_by(|one, other| {
            value(other).total_cmp(&value(one)).then(other.searches.len().cmp(&one.searches.len()))
        });
        let rows = best.iter().take(LISTED).map(|family| {
            let published = family.published.as_ref().map_or("none".to_owned(), Clone::clone);
            [family.score.to_string(), family.searches.len().to_string(), published]
        });
        let table = text::table(["best", "found by searches", "published game of the family"], rows);
        format!("searches by their best score: {searches}\nfamilies by their best score: {families}\n{table}")
    }

    /// How often there is each score, the best first: "178 (2), 177 (31)".
    fn by_score(&self, scores: impl Iterator<Item = f64>) -> String {
        let mut scores: Vec<f64> = scores.collect();
        scores.sort_by(|one, other| self.goal.value(*other).total_cmp(&self.goal.value(*one)));
        let counted = scores.chunk_by(|one, other| one == other).map(|same| format!("{} ({})", same[0], same.len()));
        counted.collect::<Vec<_>>().join(", ")
    }
}
