//! The output at the end of a run.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use nestling::{Answer, Certified, Goal, Outcome, Recipe, Stop};
use nestling_registry::{Instance, RunSpec, shortened};

use crate::keeper::Keeper;
use crate::solve::Job;
use crate::{files, problem, text};

/// The picture, the score beside the record, what ran, and how to see it again; with `--quiet` only the result.
pub(crate) fn print(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome) -> Result<()> {
    if job.shown.quiet {
        return Ok(text::print(&result(job, spec, outcome))?);
    }
    let picture = outcome.game().map(|game| job.problem().draw(game, text::canvas())).transpose()?.unwrap_or_default();
    text::print(&format!("{picture}\n{}", result(job, spec, outcome)))?;
    hints(job, spec, outcome)
}

/// The result of the run, the search that found it, and the file that it was written to.
fn result(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome) -> String {
    // A proof from inside a game says nothing of the whole.
    let proven = outcome.proven && (spec.from.is_empty() || outcome.stop == Stop::Bound);
    let mut lines = match outcome.game().and_then(|game| job.problem().meaning(game.score(), proven)) {
        Some(meaning) => format!("{}: {}\n", shortened(job.problem().name()), meaning.words),
        None => format!("{}{}\n", score(job.problem(), &outcome.answer), beside_record(job.problem(), spec, outcome)),
    };
    if let Some(best_seen) = &outcome.best_seen {
        lines +=
            &format!("the best game seen during the search has {}\n", text::figure(job.problem(), best_seen.score()));
    }
    let (search, seed, device) = (spec.expression(), spec.seed.unwrap_or_default(), spec.device);
    let on = if device.is_cpu() { String::new() } else { format!(" on {device}") };
    let (played, time) = (text::plural(outcome.played().playouts, "playout"), text::measured(outcome.elapsed));
    lines += &format!("{search}{on}, seed {seed}: {played} in {time}{}; {}\n", rate(outcome), stopped(outcome));
    if let Some(conclusion) = job.output.as_ref().and_then(Keeper::conclusion) {
        lines += &format!("{conclusion}\n");
    }
    if let Some(game) = job.output.as_ref().and_then(Keeper::unwritten) {
        lines += &format!("the game that could not be written:\n{game}");
    }
    lines
}

/// Notes, and commands for the next step.
fn hints(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome) -> Result<()> {
    if let Some(note) = outcome.game().and_then(|game| uncommon(job, game)) {
        text::print(&format!("{note}\n"))?;
    }
    if let Some(finds) = job.finds() {
        text::print(&finds.summary())?;
    }
    go_on(job, outcome)?;
    if let Some(command) = again(job, spec, outcome) {
        // A command is only good as it is.
        text::print_as_it_is(&format!("repeat it: {command}\n"))?;
    }
    Ok(())
}

/// What there is to say of a game that the first line has not said: that tells what equals or breaks the record.
fn uncommon(job: &Job<'_>, game: &Certified) -> Option<String> {
    let record = job.problem().record().filter(|record| job.problem().goal().reaches(game.score(), record.score));
    if record.is_some() { None } else { improvement_note(job, game.score()) }
}

/// What there is to say about a score that equals or beats the published record, or the best game here so far.
pub(crate) fn improvement_note(job: &Job<'_>, score: f64) -> Option<String> {
    let (problem, goal) = (job.problem(), job.problem().goal());
    if let Some(record) = problem.record().filter(|record| goal.reaches(score, record.score)) {
        let (best, holder) = (record.score, record.holder);
        return Some(match score == best {
            true => format!("{score} equals the record of {best} ({holder})"),
            false => format!("{score} is better than {best}, {}", unsure(&holder)),
        });
    }
    let (best, run) = job.stored.as_ref()?.previous_best()?;
    let [told, before] = [score, best].map(|score| text::figure(problem, score));
    if goal.better(score, best) {
        Some(format!("{told} is the best of your runs so far; the previous best was {before} (run {run})"))
    } else {
        (score == best).then(|| format!("{told} equals the best of your runs so far (run {run})"))
    }
}

/// How to resume an unfinished run.
fn go_on(job: &Job<'_>, outcome: &Outcome) -> Result<()> {
    let Some((run, option)) = job.stored.as_ref().and_then(|stored| Some((stored.run()?, stored.option()))) else {
        return Ok(());
    };
    let more = match (outcome.stop, job.spec().time, job.spec().playouts) {
        _ if job.cancel.is_cancelled() || outcome.stop == Stop::Failed => String::new(),
        _ if job.spec().runs > 1 => return Ok(()),
        (Stop::Time, Some(time), _) => format!(" --time {}", short(time.saturating_mul(2))),
        (Stop::Playouts, _, Some(playouts)) => format!(" --playouts {}", playouts.saturating_mul(2)),
        _ => return Ok(()),
    };
    text::print_as_it_is(&format!(
        "stored as run {run}; continue it: {} runs resume {run}{more}{option}\n",
        text::program()
    ))?;
    Ok(())
}

fn score(problem: &dyn Instance, answer: &Answer) -> String {
    let name = shortened(problem.name());
    match (answer, problem.unit()) {
        (Answer::Game(game), Some(unit)) => format!("{name}: {} {unit}", game.score()),
        (Answer::Game(game), None) => format!("{name}: score {}", game.score()),
        (Answer::Estimate { score, .. }, _) => format!("{name}: estimate {score}"),
        (Answer::Nothing, _) => format!("{name}: no game was finished"),
    }
}

/// What to say of a record that was beaten: others may have beaten it too since this program was written.
fn unsure(holder: &str) -> String {
    format!("THE BEST THAT WE KNOW OF ({holder}). Check what is known today before you claim a record")
}

fn beside_record(problem: &dyn Instance, spec: &RunSpec, outcome: &Outcome) -> String {
    let proven = match (outcome.proven, spec.from.len()) {
        (false, _) => String::new(),
        (true, 0) => "; proven: no game is better".to_owned(),
        (true, from) => format!("; proven: no game with the same first {from} moves is better"),
    };
    let (Some(record), Some(game)) = (problem.record(), outcome.game()) else { return proven };
    let (score, best, holder) = (game.score(), record.score, &record.holder);
    let optimal = if record.proven { ", proven best" } else { "" };
    if problem.goal().better(score, best) {
        return format!(", better than {best}, {}{proven}", unsure(holder));
    }
    if score == best {
        return format!(", which equals the record ({holder}{optimal})");
    }
    let behind = match problem.goal() {
        Goal::Max => format!("{} short of", best - score),
        Goal::Min => format!("{} above", score - best),
    };
    format!(", {behind} the record of {best} ({holder}{optimal}){proven}")
}

/// Playouts a second, where the run was long enough to tell.
fn rate(outcome: &Outcome) -> String {
    let seconds = outcome.elapsed.as_secs_f64();
    if seconds < 0.1 {
        return String::new();
    }
    format!(", {} a second", text::roughly(outcome.played().playouts as f64 / seconds))
}

fn stopped(outcome: &Outcome) -> &'static str {
    match outcome.stop {
        Stop::Finished => "finished",
        Stop::Playouts => "stopped by the playout limit",
        Stop::Time => "stopped by the time limit",
        Stop::Target => "stopped at the target",
        Stop::Bound => "stopped at the proven bound",
        Stop::Cancelled => "interrupted",
        Stop::Failed => "ended by a failure of the device",
        _ => outcome.stop.word(),
    }
}

/// The command that gives the same result again; none if there is no result, or a file that it would need is gone.
fn again(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome) -> Option<String> {
    let Recipe { search, seed, from, playouts } = spec.again(outcome)?;
    if job.ready.search().files().iter().any(|file| !Path::new(file).exists()) {
        return None;
    }
    let (before, start) = match from {
        0 => (String::new(), String::new()),
        from => start(job, spec, outcome, from),
    };
    let (problem, input) = problem::retyped(job.problem().name());
    if !before.is_empty() && !input.is_empty() {
        // Both the puzzle and the moves would have to come from standard input.
        return None;
    }
    let (program, search) = (text::program(), text::shell_word(&search));
    let device = if spec.device.is_cpu() { String::new() } else { format!(" --device {}", spec.device) };
    let budget = playouts.map_or_else(String::new, |playouts| format!(" --playouts {playouts}"));
    Some(format!("{before}{program} solve {problem} -s {search} --seed {seed}{device}{start}{budget}{input}"))
}

/// How a command begins after the first moves of the result: from a file that has them, or from a command before it that writes
/// them down. The text of that command comes first.
fn start(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome, from: usize) -> (String, String) {
    let given = spec.from_file.as_deref().filter(|_| from == spec.from.len());
    let there = given.filter(|given| files::game_and_moves(given).is_ok_and(|(file, _)| file.is_file()));
    if let Some(file) = there {
        return (String::new(), format!(" --from {}", text::shell_word(file)));
    }
    if let Some(file) = job.output.as_ref().and_then(Keeper::written) {
        return (String::new(), format!(" --from {}@{from}", text::shell_word(file)));
    }
    let lines =
        std::iter::once(format!("# problem: {}", job.problem().name())).chain(outcome.texts()[..from].iter().cloned());
    let lines: Vec<String> = lines.map(|line| text::shell_word(&line)).collect();
    (format!("printf '%s\\n' {} | ", lines.join(" ")), " --from -".to_owned())
}

/// A time as `--time` takes it.
fn short(time: Duration) -> String {
    humantime::format_duration(time).to_string().replace(' ', "")
}
