//! How a budget is divided: everybody gets the same, those who need less leave the rest to the others, and who cannot do anything
//! useful with that takes a smaller size, or leaves.

/// The demand of a row.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// Its sizes, the whole one first.
    pub sizes: Vec<SizeDemand>,
    /// How many runs it wants, and how few make sense.
    pub runs: u64,
    pub least: u64,
    /// How much it gets beside others.
    pub share: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SizeDemand {
    /// Seconds a run, if that is known.
    pub cost: Option<f64>,
    /// Runs that are there already.
    pub have: u64,
}

/// The share of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Allotment {
    /// At most so many seconds for runs of this size.
    Run { size: usize, seconds: f64 },
    /// Nothing: its smallest size would have needed so many seconds, of which it could have had so many.
    Nothing { needed: f64, offered: f64 },
}

/// Divides so many seconds of one thread.
pub(super) fn allot(demands: &[Demand], capacity: f64) -> Vec<Allotment> {
    let fair = capacity / demands.iter().map(|demand| demand.share).sum::<f64>().max(1e-9);
    let mut chosen: Vec<Option<usize>> = demands.iter().map(|demand| (!demand.sizes.is_empty()).then_some(0)).collect();
    let mut refused = vec![Allotment::Nothing { needed: 0.0, offered: 0.0 }; demands.len()];
    loop {
        let level = level(demands, &chosen, capacity);
        let lacking = |&index: &usize| {
            let (demand, size) = (&demands[index], chosen[index]?);
            let needed = demand.needed(size);
            let lack = needed / (demand.share * level).max(1e-9);
            (lack > 1.0).then_some((index, size, needed, lack))
        };
        // One at a time: what the greediest leaves may be enough for the others.
        let all = 0..demands.len();
        let Some((index, size, needed, _)) = all.filter_map(|index| lacking(&index)).max_by(|a, b| a.3.total_cmp(&b.3))
        else {
            return demands
                .iter()
                .zip(chosen)
                .zip(refused)
                .map(|((demand, size), refused)| match size {
                    Some(size) => Allotment::Run { size, seconds: demand.most(size, level, fair) },
                    None => refused,
                })
                .collect();
        };
        if size + 1 < demands[index].sizes.len() {
            chosen[index] = Some(size + 1);
        } else {
            chosen[index] = None;
            refused[index] = Allotment::Nothing { needed, offered: demands[index].share * level };
        }
    }
}

impl Demand {
    /// The time that the least useful number of runs still needs.
    fn needed(&self, size: usize) -> f64 {
        let SizeDemand { cost, have } = self.sizes[size];
        self.least.saturating_sub(have) as f64 * cost.unwrap_or(0.0)
    }

    /// The time that all runs still need.
    fn wanted(&self, size: usize) -> f64 {
        let SizeDemand { cost, have } = self.sizes[size];
        let runs = self.runs.saturating_sub(have) as f64;
        if runs == 0.0 { 0.0 } else { cost.map_or(f64::INFINITY, |cost| runs * cost) }
    }

    /// The time that a run may take: longer than expected, up to a fair part of the whole.
    fn most(&self, size: usize, level: f64, fair: f64) -> f64 {
        let wanted = self.wanted(size);
        if wanted == 0.0 { 0.0 } else { (self.share * level).min((ERROR * wanted).max(self.share * fair)) }
    }
}

/// How many times as long as expected runs may take.
const ERROR: f64 = 3.0;

/// How much a row of share 1 can have at most, so that all of them have the whole.
fn level(demands: &[Demand], chosen: &[Option<usize>], capacity: f64) -> f64 {
    let mut asking: Vec<(f64, f64)> = demands
        .iter()
        .zip(chosen)
        .filter_map(|(demand, size)| size.map(|size| (demand.wanted(size) / demand.share, demand.share)))
        .collect();
    asking.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut left, mut shares) = (capacity, asking.iter().map(|(_, share)| share).sum::<f64>());
    for (wanted, share) in asking {
        if wanted * shares >= left {
            return left / shares;
        }
        left -= wanted * share;
        shares -= share;
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(costs: &[f64], runs: u64, least: u64) -> Demand {
        let sizes = costs.iter().map(|&cost| SizeDemand { cost: Some(cost).filter(|cost| *cost > 0.0), have: 0 });
        Demand { sizes: sizes.collect(), runs, least, share: 1.0 }
    }

    fn run(size: usize, seconds: f64) -> Allotment {
        Allotment::Run { size, seconds }
    }

    #[test]
    fn there_is_enough_for_all() {
        let demands = [demand(&[1.0], 10, 5), demand(&[2.0], 20, 5)];
        assert_eq!(allot(&demands, 100.0), [run(0, 50.0), run(0, 120.0)], "they may take longer than expected");
        assert_eq!(allot(&[], 100.0), []);
    }

    #[test]
    fn the_modest_leave_something_to_the_others() {
        let demands = [demand(&[1.0], 10, 5), demand(&[1.0], 100, 5), demand(&[1.0], 200, 5)];
        assert_eq!(allot(&demands, 110.0), [run(0, 110.0 / 3.0), run(0, 50.0), run(0, 50.0)]);
        let mut demands = demands;
        demands[2].share = 3.0;
        assert_eq!(allot(&demands, 110.0), [run(0, 25.0), run(0, 25.0), run(0, 75.0)]);
    }

    #[test]
    fn who_cannot_afford_the_least_takes_less_or_leaves() {
        // Five runs of 100 s do not fit, five of 1 s do.
        let demands = [demand(&[1.0], 100, 5), demand(&[100.0, 1.0], 100, 5)];
        assert_eq!(allot(&demands, 60.0), [run(0, 30.0), run(1, 30.0)]);
        let demands = [demand(&[1.0], 100, 5), demand(&[100.0], 100, 5)];
        assert_eq!(allot(&demands, 60.0), [run(0, 60.0), Allotment::Nothing { needed: 500.0, offered: 30.0 }]);
        // What is there already counts.
        let mut demands = demands;
        demands[1].sizes[0].have = 5;
        assert_eq!(allot(&demands, 60.0), [run(0, 30.0), run(0, 30.0)]);
        demands[1].sizes[0].have = 100;
        assert_eq!(allot(&demands, 60.0), [run(0, 60.0), run(0, 0.0)]);
    }

    #[test]
    fn unknown_costs_get_what_there_is() {
        let demands = [demand(&[0.0], 100, 5), demand(&[1.0], 4, 4)];
        assert_eq!(allot(&demands, 60.0), [run(0, 56.0), run(0, 30.0)]);
        assert_eq!(
            allot(&[demand(&[], 1, 1)], 60.0),
            [Allotment::Nothing { needed: 0.0, offered: 0.0 }],
            "there is nothing to run"
        );
    }
}
