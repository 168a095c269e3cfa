//! The experiments that come with the program.

use std::collections::HashSet;

use nestling_lab::{Definition, Kind, papers, standard};

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

/// A margin that a file states has its reason, and what the paper does not describe says so.
#[test]
fn margins_have_reasons() {
    for experiment in standard() {
        for claim in &experiment.claims {
            let label = claim.text.clone().unwrap_or_else(|| experiment.series[claim.of.series].name.clone());
            let is_needed =
                matches!(claim.kind, Kind::Mean | Kind::Total | Kind::Share | Kind::Count | Kind::Alike | Kind::Ratio);
            assert!(!is_needed || claim.margin_why.is_some(), "{}: {label}: a margin without a reason", experiment.id);
        }
    }
}

/// A row whose runs may be stopped has a smaller size, or its file says why there is none; a row is one of many where its series has an axis that makes
/// it smaller.
#[test]
fn long_rows_have_a_smaller_size_or_a_reason() {
    let long = |search: &str| {
        let level = |name: &str| search.strip_prefix(name).and_then(|rest| rest.chars().next()?.to_digit(10));
        level("nested(").is_some_and(|level| level >= 3) || level("nrpa(").is_some_and(|level| level >= 4)
    };
    for experiment in standard() {
        for row in experiment.series.iter().flat_map(|series| &series.rows) {
            let Some(size) = row.sizes.first() else { continue };
            let search = match &size.definition {
                Definition::Search(search) if search.problem.starts_with("morpion") => &search.search,
                _ => continue,
            };
            assert!(!long(search) || row.sizes.len() > 1 || row.no_smaller.is_some(), "{}: {search}", experiment.id);
        }
    }
}
