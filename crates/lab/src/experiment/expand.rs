//! From a series to its rows: every combination of values, filled into the texts.

use std::time::Duration;

use nestling::search::Nested;
use nestling::{Search, Ties};
use nestling_registry::{Device, Registry};
use toml::Spanned;

use super::error::{ExperimentError, Source};
use super::{AxisValue, Definition, Row, RowSeries, SearchDefinition, Size, raw};
use crate::instrument::{self, WARM};

/// The number of runs of a row, if the experiment does not give it.
const RUNS: u64 = 100;

/// The fewest runs that most rules can judge by.
const LEAST: u64 = 5;

/// The meaning of the texts of a series.
pub(super) struct Expander<'a> {
    pub source: &'a Source<'a>,
    pub registry: &'a Registry,
}

/// The values of one row, by axis.
type AxisValues<'a> = Vec<(&'a str, &'a AxisValue)>;

impl Expander<'_> {
    pub fn series(&self, spanned: &Spanned<raw::Series>) -> Result<RowSeries, ExperimentError> {
        let raw = spanned.get_ref();
        for (axis, values) in &raw.over {
            let wrong = match axis.as_str() {
                "run" | "part" => Some("is set by the program for every run, and cannot be an axis".to_owned()),
                _ if values.get_ref().is_empty() => Some("has no values".to_owned()),
                _ => None,
            };
            if let Some(wrong) = wrong {
                return Err(self.source.error(values.span(), &format!("over.{axis}"), wrong));
            }
        }
        let runs = raw.runs.as_ref().map_or(RUNS, |runs| *runs.get_ref());
        let least = raw.least.as_ref().map_or(LEAST.min(runs), |least| *least.get_ref());
        if least == 0 || least > runs {
            let field = raw.least.as_ref().or(raw.runs.as_ref()).map_or(spanned.span(), Spanned::span);
            return Err(self.source.error(
                field,
                "runs",
                format!("least = {least} must be from 1 to the number of runs, {runs}"),
            ));
        }
        let share = raw.share.as_ref().map_or(1.0, |share| *share.get_ref());
        if let Some(field) = raw.share.as_ref().filter(|_| !(0.1..=100.0).contains(&share)) {
            return Err(self.source.error(field.span(), "share", "a share lies between 0.1 and 100"));
        }
        if let Some(field) = raw.no_smaller.as_ref().filter(|_| !raw.instead.is_empty()) {
            let reason = "the series has a smaller size (series.instead); remove one of them";
            return Err(self.source.error(field.span(), "no_smaller", reason));
        }
        let no_smaller = raw.no_smaller.as_ref().map(|why| why.get_ref().clone());
        let row = |values: AxisValues<'_>| {
            let sizes = self.sizes(spanned, &values)?;
            let values = values.iter().map(|(_, value)| (*value).clone()).collect();
            let (not_run, no_smaller) = (raw.not_run.clone(), no_smaller.clone());
            Ok(Row { values, sizes, not_run, no_smaller, runs, least, share })
        };
        Ok(RowSeries {
            name: raw.name.get_ref().clone(),
            axes: raw.over.keys().cloned().collect(),
            rows: combinations(raw).into_iter().map(row).collect::<Result<_, _>>()?,
            variant: raw.variant.clone(),
        })
    }

    fn sizes(&self, spanned: &Spanned<raw::Series>, values: &AxisValues<'_>) -> Result<Vec<Size>, ExperimentError> {
        let raw = spanned.get_ref();
        let instruments = [raw.search.is_some(), raw.exact.is_some(), raw.player.is_some(), raw.not_run.is_some()];
        if instruments.iter().filter(|given| **given).count() != 1 {
            let reason = "a series must have exactly one of search, exact, player and not_run";
            return Err(self.source.error(raw.name.span(), "series", reason));
        }
        if raw.not_run.is_some() {
            return Ok(Vec::new());
        }
        let whole = Texts {
            problem: raw.problem.as_ref(),
            search: raw.search.as_ref(),
            time: raw.time.as_ref(),
            playouts: raw.playouts.as_ref(),
        };
        let expect = |text: &Option<Spanned<String>>| {
            text.as_ref().map(|expect| self.seconds(expect, "expect", values)).transpose()
        };
        let definition = self.definition(spanned, &whole, values)?;
        let mut sizes = vec![Size { definition, instead: None, expect: expect(&raw.expect)? }];
        for instead in &raw.instead {
            let smaller = instead.get_ref();
            let texts = Texts {
                problem: smaller.problem.as_ref().or(whole.problem),
                search: smaller.search.as_ref().or(whole.search),
                time: smaller.time.as_ref().or(whole.time),
                playouts: smaller.playouts.as_ref().or(whole.playouts),
            };
            let what =
                fill(&smaller.what, values).map_err(|reason| self.source.error(instead.span(), "what", reason))?;
            let definition = self.definition(spanned, &texts, values)?;
            if sizes.iter().all(|size| size.definition != definition) {
                sizes.push(Size { definition, instead: Some(what), expect: expect(&smaller.expect)? });
            }
        }
        Ok(sizes)
    }

    fn definition(
        &self,
        spanned: &Spanned<raw::Series>,
        texts: &Texts<'_>,
        values: &AxisValues<'_>,
    ) -> Result<Definition, ExperimentError> {
        let (raw, source) = (spanned.get_ref(), self.source);
        let Some(problem) = texts.problem else {
            return Err(source.error(raw.name.span(), "problem", "is missing"));
        };
        let filled = |text: &Spanned<String>, field: &str| {
            fill(text.get_ref(), values).map_err(|reason| source.error(text.span(), field, reason))
        };
        let (problem_span, problem) = (problem.span(), filled(problem, "problem")?);
        self.known(&problem).map_err(|reason| source.error(problem_span.clone(), "problem", reason))?;
        if let Some(exact) = &raw.exact {
            let (level, memory) =
                nested(&filled(exact, "exact")?).map_err(|reason| source.error(exact.span(), "exact", reason))?;
            let depth = problem.strip_prefix("left-move:").and_then(|depth| depth.parse().ok());
            let depth = depth.filter(|depth| (1..=200).contains(depth)).ok_or_else(|| {
                source.error(problem_span, "problem", "the exact distribution is known for left-move:DEPTH up to 200")
            })?;
            return Ok(Definition::Exact { depth, level, memory });
        }
        if let (Some(player), opponent) = (&raw.player, &raw.opponent) {
            let Some(opponent) = opponent else {
                return Err(source.error(player.span(), "opponent", "is missing"));
            };
            let strategy = |text: &Spanned<String>, field: &str| {
                let parsed = self.registry.players().parse(&filled(text, field)?);
                let parsed = parsed.map_err(|error| source.error(text.span(), field, error))?;
                match parsed.files().first() {
                    Some(file) => {
                        Err(source.error(text.span(), field, format!("{file:?}: experiments cannot read files")))
                    }
                    None => Ok(parsed.to_string()),
                }
            };
            let (player, opponent) = (strategy(player, "player")?, strategy(opponent, "opponent")?);
            return Ok(Definition::Match { game: problem, player, opponent });
        }
        let text = texts.search.expect("it is the only one left");
        let (span, search) = (text.span(), filled(text, "search")?);
        let wrong = |reason: String| source.error(span.clone(), "search", reason);
        let parsed = self.registry.searches().parse(&search).map_err(|error| wrong(error.to_string()))?;
        if let Some(technique) = &raw.technique {
            let technique = filled(technique, "technique")?;
            instrument::technique(&technique, &problem, &parsed).map_err(wrong)?;
            return Ok(Definition::Technique { problem, technique, search: parsed.to_string() });
        }
        let seconds = texts.time.map(|time| self.seconds(time, "time", values)).transpose()?;
        let playouts = texts.playouts.map(|playouts| self.playouts(playouts, values)).transpose()?;
        if parsed.is_endless() && seconds.is_none() && playouts.is_none() {
            return Err(wrong(format!("{parsed} never ends; give it time or playouts")));
        }
        if let Some(file) = parsed.files().into_iter().find(|file| raw.warm.is_none() || *file != WARM) {
            let reason = format!(
                "experiments cannot read files; with warm = \"a published game\" the search may use warm={WARM}"
            );
            return Err(wrong(format!("{file:?}: {reason}")));
        }
        let parts = raw.parts.as_ref().map(|parts| *parts.get_ref());
        if parts.is_some_and(|parts| parts < 2) || parts.is_some() != problem.contains("{part}") {
            let reason = "{part} in the problem and parts = 2 or more must be used together";
            return Err(source.error(problem_span, "parts", reason));
        }
        let (search, warm, track) =
            (parsed.to_string(), raw.warm.as_ref().map(|warm| warm.get_ref().clone()), raw.track);
        let device = Device::Cpu;
        Ok(Definition::Search(SearchDefinition { problem, search, parts, seconds, playouts, warm, track, device }))
    }

    /// Whether there is a problem of that name. What its parameters say may depend on files that are not here.
    fn known(&self, problem: &str) -> Result<(), String> {
        let name = problem.split(':').next().unwrap_or_default();
        if self.registry.list().any(|(known, _)| known == name) {
            return Ok(());
        }
        match self.registry.open(name) {
            Err(error) => Err(error.to_string()),
            Ok(_) => Ok(()),
        }
    }

    fn seconds(&self, time: &Spanned<String>, field: &str, values: &AxisValues<'_>) -> Result<f64, ExperimentError> {
        let wrong = |reason| self.source.error(time.span(), field, reason);
        let filled = fill(time.get_ref(), values).map_err(wrong)?;
        let parsed = humantime::parse_duration(&filled).map_err(|error| error.to_string());
        match parsed {
            Ok(Duration::ZERO) => Err(wrong("the time must be more than zero".to_owned())),
            Ok(time) => Ok(time.as_secs_f64()),
            Err(reason) => Err(wrong(format!("{reason}; write 30s, 5m or 1h30m"))),
        }
    }

    fn playouts(&self, playouts: &Spanned<AxisValue>, values: &AxisValues<'_>) -> Result<u64, ExperimentError> {
        let wrong = |reason| self.source.error(playouts.span(), "playouts", reason);
        let filled = fill(&playouts.get_ref().to_string(), values).map_err(wrong)?;
        let number = filled.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| wrong(format!("{filled:?} is not a number of playouts")))
    }
}

/// The texts of one size.
struct Texts<'a> {
    problem: Option<&'a Spanned<String>>,
    search: Option<&'a Spanned<String>>,
    time: Option<&'a Spanned<String>>,
    playouts: Option<&'a Spanned<AxisValue>>,
}

/// All combinations of values, the last axis changing first.
fn combinations(raw: &raw::Series) -> Vec<AxisValues<'_>> {
    let mut rows = vec![Vec::new()];
    for (axis, values) in &raw.over {
        let mut longer = Vec::new();
        for row in &rows {
            for value in values.get_ref() {
                let mut row: AxisValues<'_> = row.clone();
                row.push((axis, value));
                longer.push(row);
            }
        }
        rows = longer;
    }
    rows
}

/// A text with the values of a row in place of `{axis}`; `{run}` and `{part}` stay.
fn fill(template: &str, values: &AxisValues<'_>) -> Result<String, String> {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| format!("{template:?}: a brace is not closed"))?;
        text += before;
        match values.iter().find(|(axis, _)| *axis == name) {
            Some((_, value)) => text += &value.to_string(),
            None if matches!(name, "run" | "part") => text += &format!("{{{name}}}"),
            None => {
                let known: Vec<&str> = values.iter().map(|(axis, _)| *axis).chain(["run", "part"]).collect();
                return Err(format!("there is no axis {name:?}; there are {}", known.join(", ")));
            }
        }
        rest = after;
    }
    Ok(text + rest)
}

/// The level and memory of `nested(level, memory=…)`.
fn nested(text: &str) -> Result<(u32, bool), String> {
    let search: Search = text.parse().map_err(|error: nestling::ParseError| error.to_string())?;
    if search.is_of::<Nested>() && Ties::of(&search) == Definition::TIES {
        let (level, memory) = (search.integer("level") as u32, search.is_on("memory"));
        if level <= if memory { 2 } else { 8 } {
            return Ok((level, memory));
        }
    }
    Err("the exact distribution is known for nested(l, memory=off) up to level 8, and nested(l) up to level 2"
        .to_owned())
}
