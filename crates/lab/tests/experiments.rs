//! The experiments that come with the program.

use std::collections::HashSet;

use nestling_lab::{papers, standard};

/// Every table and figure of every paper has an experiment, or says why there is nothing to run; and no experiment is about
/// something that is not listed.
#[test]
fn every_table_and_figure_is_there() {
    let experiments = standard();
    let (mut listed, mut missing) = (HashSet::new(), Vec::new());
    for paper in papers() {
        for item in &paper.items {
            let about = experiments.iter().filter(|experiment| experiment.paper == paper.id);
            let found = about.filter(|experiment| experiment.sources.contains(&item.name)).count();
            if (found == 0) != item.nothing.is_some() {
                missing.push(format!("{}: {}", paper.id, item.name));
            }
            assert!(listed.insert((paper.id.clone(), item.name.clone())), "{} is listed twice", item.name);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    for experiment in &experiments {
        for source in &experiment.sources {
            assert!(listed.contains(&(experiment.paper.clone(), source.clone())), "{}: {source}", experiment.id);
        }
    }
}
