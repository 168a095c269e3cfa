//! Law: runs of many kinds that share workers have the outcomes that they have alone, and one that fails costs the others nothing.

use super::laws::searches;
use super::*;

/// Some runs of each search.
struct Mixed<'p> {
    runs: VecDeque<AssortedRun<'p>>,
    unwanted: BTreeSet<u64>,
    outcomes: BTreeMap<u64, Result<Outcome, String>>,
    troubles: u32,
}

const EACH: u64 = 5;

impl<'p> Mixed<'p> {
    fn new(searches: &'p [Ready]) -> Self {
        let run = |number| {
            let kind = number / EACH;
            AssortedRun { number, kind, ready: &searches[kind as usize], seed: 100 + number }
        };
        let runs = (0..EACH * searches.len() as u64).map(run).collect();
        Mixed { runs, unwanted: BTreeSet::new(), outcomes: BTreeMap::new(), troubles: 0 }
    }
}

impl<'p> Assorted<'p> for Mixed<'p> {
    fn next(&mut self) -> Option<AssortedRun<'p>> {
        self.runs.pop_front()
    }

    fn has_more(&self) -> bool {
        !self.runs.is_empty()
    }

    fn is_unwanted(&self, run: u64) -> bool {
        self.unwanted.contains(&run)
    }

    fn trouble(&mut self, _: &str) {
        self.troubles += 1;
    }

    fn done(&mut self, run: u64, outcome: Result<Outcome, String>) {
        assert!(self.outcomes.insert(run, outcome).is_none(), "run {run} is done once");
    }

    fn may_wait(&self) -> bool {
        true
    }

    fn is_cancelled(&self) -> bool {
        false
    }
}

fn assert_all_alike(searches: &[Ready], mixed: &Mixed<'_>, except: u64) {
    assert_eq!(mixed.outcomes.len() as u64, EACH * searches.len() as u64);
    for (&number, outcome) in mixed.outcomes.iter().filter(|(number, _)| **number != except) {
        let ready = &searches[(number / EACH) as usize];
        let expected = ready.with(100 + number, 1).start(Controls::default()).unwrap();
        assert_alike(&expected, outcome.as_ref().unwrap(), &format!("run {number}: {}", ready.search()));
    }
}

#[test]
fn different_runs_share_unruly_workers() {
    let (searches, mut troubles) = (searches(), 0);
    for schedule in 0..8 {
        let mut mixed = Mixed::new(&searches);
        // Some of the searches are means, whose false reports cannot be detected.
        let mut unruly = Unruly { is_checkable: false, ..Unruly::new(schedule, &searches[0]) };
        let mut workers = InProcess::new([3], |waiting| {
            for bundle in &*waiting {
                let kinds: BTreeSet<u64> = bundle.tasks.iter().map(|task| index(task) / EACH).collect();
                assert_eq!(kinds.len(), 1, "tasks that take long do not wait behind each other");
            }
            Ok(unruly.act(waiting))
        });
        start_assorted_on(&mut workers, &mut mixed).unwrap();
        workers.assert_settled();
        assert_all_alike(&searches, &mixed, u64::MAX);
        troubles += mixed.troubles;
    }
    assert!(troubles > 20, "only {troubles} troubles");
}

#[test]
fn a_run_that_fails_costs_the_others_nothing() {
    let (searches, broken) = (searches(), 7);
    let mut mixed = Mixed::new(&searches);
    let mut workers = InProcess::new([2], |waiting| {
        let Some(bundle) = waiting.pop() else { return Ok(Vec::new()) };
        if bundle.tasks.iter().any(|task| index(task) == broken) {
            return Ok(vec![(bundle.number, Delivery::Failed("it panics".to_owned()))]);
        }
        Ok(whole(&bundle))
    });
    start_assorted_on(&mut workers, &mut mixed).unwrap();
    workers.assert_settled();
    assert_eq!(mixed.outcomes[&broken], Err("task 7 went wrong 3 times: it panics".to_owned()));
    assert_all_alike(&searches, &mixed, broken);
}

#[test]
fn a_run_that_nobody_wants_any_more_is_given_up() {
    let (searches, slow) = (searches(), 12);
    let mut mixed = Mixed { unwanted: BTreeSet::from([slow]), ..Mixed::new(&searches) };
    let mut workers = InProcess::new([4], |waiting| {
        let quick = waiting.iter().position(|bundle| bundle.tasks.iter().all(|task| index(task) != slow));
        Ok(quick.map_or_else(Vec::new, |at| whole(&waiting.remove(at))))
    });
    start_assorted_on(&mut workers, &mut mixed).unwrap();
    workers.assert_settled();
    assert_eq!(mixed.outcomes[&slow].as_ref().unwrap().stop, Stop::Cancelled);
    assert_all_alike(&searches, &mixed, slow);
}
