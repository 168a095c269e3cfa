//! What a person sees at the end of a run.

use anyhow::Result;
use nestling::Goal;
use nestling_registry::{Instance, Solved};

use crate::text;

/// The picture, the score beside the record, what ran, and how to see it again.
pub(crate) fn print(problem: &dyn Instance, search: &str, seed: u64, solved: &Solved) -> Result<()> {
    if solved.complete {
        text::print(&problem.draw(&solved.moves, text::canvas())?)?;
    }
    text::print(&format!("\n{}{}\n", score(problem, solved), beside_record(problem, solved)))?;
    if let Some(best_seen) = solved.best_seen {
        text::print(&format!("the best game seen on the way has {best_seen}\n"))?;
    }
    let (work, seconds) = (solved.work.playouts, solved.elapsed.as_secs_f64());
    let rate = text::roughly(work as f64 / seconds.max(1e-6));
    let played = text::count(work);
    text::print(&format!(
        "{search}, seed {seed}: {played} playouts in {}, {rate} a second; {}\n",
        text::measured(solved.elapsed),
        stopped(solved)
    ))?;
    text::print(&format!("repeat it: {}\n", again(problem, search, seed, solved)))?;
    Ok(())
}

fn score(problem: &dyn Instance, solved: &Solved) -> String {
    let Solved { score, complete, .. } = solved;
    let name = problem.name();
    match problem.unit() {
        Some(unit) if *complete => format!("{name}: {score} {unit}"),
        _ if *complete => format!("{name}: score {score}"),
        _ => format!("{name}: estimate {score}"),
    }
}

fn beside_record(problem: &dyn Instance, solved: &Solved) -> String {
    let Some(record) = problem.record().filter(|_| solved.complete) else {
        return if solved.proven { ", proven best".to_owned() } else { String::new() };
    };
    let (best, holder) = (record.score, &record.holder);
    let proven = if record.proven { ", proven best" } else { "" };
    if problem.goal().better(solved.score, best) {
        return format!(": A NEW RECORD! The old one was {best} ({holder})");
    }
    if solved.score == best {
        return format!(", which equals the record ({holder}{proven})");
    }
    let behind = match problem.goal() {
        Goal::Max => format!("{} short of", best - solved.score),
        Goal::Min => format!("{} above", solved.score - best),
    };
    format!(", {behind} the record of {best} ({holder}{proven})")
}

fn stopped(solved: &Solved) -> &'static str {
    use nestling::Stop;
    match solved.stop {
        Stop::Finished => "finished",
        Stop::Playouts => "stopped by the budget in playouts",
        Stop::Time => "stopped by the time",
        Stop::Target => "stopped at the target",
        Stop::Bound => "stopped at the proven bound",
        Stop::Cancelled => "interrupted",
    }
}

/// The command that gives the same result again.
pub(crate) fn again(problem: &dyn Instance, search: &str, seed: u64, solved: &Solved) -> String {
    let name = problem.name();
    match &solved.recipe {
        Some(recipe) => {
            let from = if recipe.from > 0 { format!(" --from GAME@{}", recipe.from) } else { String::new() };
            let (search, seed, playouts) = (&recipe.search, recipe.seed, recipe.playouts);
            format!("nestling solve {name} -s '{search}' --seed {seed}{from} --playouts {playouts}")
        }
        None => {
            let budget = match solved.stop {
                nestling::Stop::Finished => String::new(),
                _ => format!(" --playouts {}", solved.counts.playouts),
            };
            format!("nestling solve {name} -s '{search}' --seed {seed}{budget}")
        }
    }
}
