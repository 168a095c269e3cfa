//! What a person sees at the end of a run.

use anyhow::Result;
use nestling::{Goal, Stop};
use nestling_registry::{Instance, Order, Solved};

use crate::solve::Job;
use crate::{stored, text};

/// The picture, the score beside the record, what ran, and how to see it again.
pub(crate) fn print(job: &Job<'_>, order: &Order, solved: &Solved) -> Result<()> {
    if solved.complete {
        text::print(&job.problem.draw(&solved.moves, text::canvas())?)?;
    }
    // A proof from inside a game says nothing of the whole.
    let proven = solved.proven && (order.from.is_empty() || solved.stop == Stop::Bound);
    match job.problem.verdict(solved.score, proven).filter(|_| solved.complete) {
        Some(verdict) => text::print(&format!("\n{}: {verdict}\n", job.problem.name()))?,
        None => {
            let beside = beside_record(job.problem, order, solved);
            text::print(&format!("\n{}{beside}\n", score(job.problem, solved)))?;
        }
    }
    if let Some(best_seen) = solved.best_seen {
        text::print(&format!("the best game seen on the way has {best_seen}\n"))?;
    }
    let Order { search, seed, device, .. } = order;
    let on = if device.is_cpu() { String::new() } else { format!(" on {device}") };
    let (played, time) = (text::plural(solved.counts.playouts, "playout"), text::measured(solved.elapsed));
    text::print(&format!("{search}{on}, seed {seed}: {played} in {time}{}; {}\n", rate(solved), stopped(solved)))?;
    // The first line has said what equals or breaks the record.
    let is_record = job.problem.record().is_some_and(|record| job.problem.goal().reaches(solved.score, record.score));
    if let Some(feat) = stored::feat(job, solved.score).filter(|_| solved.complete && !is_record) {
        text::print(&format!("{feat}\n"))?;
    }
    go_on(job, solved)?;
    if solved.counts.playouts > 0 || solved.stop == Stop::Finished {
        text::print(&format!("repeat it: {}\n", again(job, order, solved)))?;
    }
    Ok(())
}

/// How to go on with a run that is not at its end.
fn go_on(job: &Job<'_>, solved: &Solved) -> Result<()> {
    let Some((run, option)) = job.stored.as_ref().and_then(|stored| Some((stored.run()?, stored.option()))) else {
        return Ok(());
    };
    let more = match solved.stop {
        _ if job.order.cancel.is_cancelled() || solved.stop == Stop::Failed => "",
        Stop::Time if job.args.runs == 1 => " --time LONGER",
        Stop::Playouts if job.args.runs == 1 => " --playouts MORE",
        _ => return Ok(()),
    };
    text::print(&format!("kept as run {run}; go on: {} runs resume {run}{more}{option}\n", text::program()))?;
    Ok(())
}

fn score(problem: &dyn Instance, solved: &Solved) -> String {
    let Solved { score, complete, .. } = solved;
    let name = problem.name();
    match problem.unit() {
        Some(unit) if *complete => format!("{name}: {score} {unit}"),
        _ if *complete => format!("{name}: score {score}"),
        _ if solved.nothing => format!("{name}: no game was finished"),
        _ => format!("{name}: estimate {score}"),
    }
}

fn beside_record(problem: &dyn Instance, order: &Order, solved: &Solved) -> String {
    let proven = match (solved.proven, order.from.len()) {
        (false, _) => String::new(),
        (true, 0) => "; proven: nothing is better".to_owned(),
        (true, from) => format!("; proven: nothing is better from move {from} on"),
    };
    let Some(record) = problem.record().filter(|_| solved.complete) else { return proven };
    let (best, holder) = (record.score, &record.holder);
    let optimal = if record.proven { ", proven best" } else { "" };
    if problem.goal().better(solved.score, best) {
        return format!(": A NEW RECORD! The old one was {best} ({holder}){proven}");
    }
    if solved.score == best {
        return format!(", which equals the record ({holder}{optimal})");
    }
    let behind = match problem.goal() {
        Goal::Max => format!("{} short of", best - solved.score),
        Goal::Min => format!("{} above", solved.score - best),
    };
    format!(", {behind} the record of {best} ({holder}{optimal}){proven}")
}

/// Playouts a second, where the run was long enough to tell.
fn rate(solved: &Solved) -> String {
    let seconds = solved.elapsed.as_secs_f64();
    if seconds < 0.1 {
        return String::new();
    }
    format!(", {} a second", text::roughly(solved.counts.playouts as f64 / seconds))
}

fn stopped(solved: &Solved) -> &'static str {
    match solved.stop {
        Stop::Finished => "finished",
        Stop::Playouts => "stopped by the budget in playouts",
        Stop::Time => "stopped by the time",
        Stop::Target => "stopped at the target",
        Stop::Bound => "stopped at the proven bound",
        Stop::Cancelled => "interrupted",
        Stop::Failed => "ended by a failure of the device",
    }
}

/// The command that gives the same result again.
fn again(job: &Job<'_>, order: &Order, solved: &Solved) -> String {
    let (program, problem) = (text::program(), text::quoted(job.problem.name()));
    let device = if order.device.is_cpu() { String::new() } else { format!(" --device {}", order.device) };
    let command = |search: &str, seed: u64| {
        format!("{program} solve {problem} -s {} --seed {seed}{device}", text::quoted(search))
    };
    match &solved.recipe {
        Some(recipe) => {
            let from = match (recipe.from, &job.output) {
                (0, _) => String::new(),
                (from, Some(output)) => format!(" --from {}@{from}", text::quoted(&text::name(output.path()))),
                // The sub-search starts inside the game above, which is in no file yet.
                (from, None) => format!(" --from THIS_GAME@{from}"),
            };
            format!("{}{from} --playouts {}", command(&recipe.search, recipe.seed), recipe.playouts)
        }
        None => {
            let from = job.args.from.as_ref().map(|from| format!(" --from {}", text::quoted(from))).unwrap_or_default();
            let budget = match solved.stop {
                Stop::Finished => String::new(),
                _ => format!(" --playouts {}", solved.counts.playouts),
            };
            format!("{}{from}{budget}", command(&order.search.to_string(), order.seed))
        }
    }
}
