//! Reading an experiment: everything that can be wrong with a file is found here.

use nestling_registry::Registry;
use toml::Spanned;

use super::error::{ExperimentError, Source};
use super::expand::Expander;
use super::{
    Claim, Definition, Experiment, Kind, MarginRule, Measure, Plot, PlotKind, PublishedFigure, RowSeries, Selection,
    raw,
};

impl Experiment {
    /// Reads an experiment from the text of a file; its id is the file's name without the ending.
    ///
    /// ```
    /// use nestling_lab::Experiment;
    /// use nestling_registry::Registry;
    ///
    /// let text = r#"
    /// title = "Lefts of a playout"
    /// paper = "by hand"
    /// source = ["an example"]
    /// [[series]]
    /// name = "playouts"
    /// problem = "left-move:{depth}"
    /// search = "playout"
    /// over = { depth = [10, 20] }
    /// [[claim]]
    /// of = "playouts"
    /// kind = "mean"
    /// margin = 0.5
    /// published = [5, 10]
    /// "#;
    /// let experiment = Experiment::read("lefts.toml", text, &Registry::standard())?;
    /// assert_eq!((experiment.id.as_str(), experiment.series[0].rows.len()), ("lefts", 2));
    ///
    /// let broken = text.replace("playout\"", "playut\"");
    /// let error = Experiment::read("lefts.toml", &broken, &Registry::standard()).unwrap_err();
    /// assert!(error.to_string().starts_with("lefts.toml, line 8: search: "), "{error}");
    /// # Ok::<(), nestling_lab::ExperimentError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The error, with file, line and field.
    pub fn read(file: &str, text: &str, registry: &Registry) -> Result<Self, ExperimentError> {
        let source = Source { file, text };
        let raw: raw::Experiment = toml::from_str(text).map_err(|error| source.parser(&error))?;
        let expander = Expander { source: &source, registry };
        let series: Vec<RowSeries> =
            raw.series.iter().map(|series| expander.series(series)).collect::<Result<_, _>>()?;
        let checker = Checker { source: &source, series: &series };
        for (index, name) in raw.series.iter().map(|series| &series.get_ref().name).enumerate() {
            if series[..index].iter().any(|other| other.name == *name.get_ref()) {
                return Err(source.error(name.span(), "name", "another series already has this name"));
            }
        }
        let claims = raw.claim.iter().map(|claim| checker.claim(claim)).collect::<Result<_, _>>()?;
        let plots = raw.plot.iter().map(|plot| checker.plot(plot, &raw.title)).collect::<Result<_, _>>()?;
        let games = raw.games.iter().map(|name| checker.named(name, "games")).collect::<Result<_, _>>()?;
        if raw.source.is_empty() || raw.title.trim().is_empty() {
            return Err(source.error(0..0, "source", "title and source must not be empty"));
        }
        let id = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".toml").to_owned();
        let raw::Experiment { title, paper, source: sources, note, rounds, known_values, .. } = raw;
        Ok(Experiment { id, title, paper, sources, note, rounds, known_values, series, claims, plots, games })
    }
}

/// The series that claims and plots refer to.
struct Checker<'a> {
    source: &'a Source<'a>,
    series: &'a [RowSeries],
}

impl Checker<'_> {
    fn named(&self, name: &Spanned<String>, field: &str) -> Result<usize, ExperimentError> {
        let found = self.series.iter().position(|series| series.name == *name.get_ref());
        found.ok_or_else(|| {
            let known: Vec<_> = self.series.iter().map(|series| format!("{:?}", series.name)).collect();
            let reason = format!("there is no series {:?}; there are {}", name.get_ref(), known.join(", "));
            self.source.error(name.span(), field, reason)
        })
    }

    /// `name`, or `name[axis=value, …]`.
    fn selection(&self, text: &Spanned<String>, field: &str) -> Result<Selection, ExperimentError> {
        let wrong = |reason: String| self.source.error(text.span(), field, reason);
        let whole = text.get_ref();
        let exact = self.series.iter().position(|series| series.name == *whole);
        let (name, filters) = match whole.strip_suffix(']').and_then(|inner| inner.split_once('[')) {
            Some((name, filters)) if exact.is_none() => (name, filters),
            _ => (whole.as_str(), ""),
        };
        let series = self.named(&Spanned::new(text.span(), name.to_owned()), field)?;
        let axes = &self.series[series].axes;
        let mut rows: Vec<usize> = (0..self.series[series].rows.len()).collect();
        for filter in filters.split(',').map(str::trim).filter(|filter| !filter.is_empty()) {
            let (axis, value) =
                filter.split_once('=').ok_or_else(|| wrong(format!("{filter:?}: write axis=value in the brackets")))?;
            let axis = axes.iter().position(|known| known == axis.trim()).ok_or_else(|| {
                wrong(format!("the series has no axis {:?}; it has {}", axis.trim(), axes.join(", ")))
            })?;
            rows.retain(|&row| self.series[series].rows[row].values[axis].to_string() == value.trim());
        }
        if rows.is_empty() {
            return Err(wrong(format!("{filters:?} chooses no row of {name:?}")));
        }
        Ok(Selection { series, rows })
    }

    fn claim(&self, spanned: &Spanned<raw::Claim>) -> Result<Claim, ExperimentError> {
        let raw = spanned.get_ref();
        let of = self.selection(&raw.of, "of")?;
        let than = raw.than.as_ref().map(|than| self.selection(than, "than")).transpose()?;
        let kind = *raw.kind.get_ref();
        let needs = |what: &str, field: &str| Err(self.source.error(raw.kind.span(), field, what));
        match &than {
            None if kind.compares() => return needs("this kind of claim needs a series to compare with", "than"),
            Some(_) if !kind.compares() => return needs("this kind of claim takes no series to compare with", "than"),
            Some(than) if kind == Kind::Distribution && !self.is_exact(than) => {
                return needs("a distribution must be compared with a series that is exact", "than");
            }
            Some(than) if kind != Kind::Distribution && ![1, of.rows.len()].contains(&than.rows.len()) => {
                let reason = format!("{} rows cannot be compared with {}", of.rows.len(), than.rows.len());
                return needs(&reason, "than");
            }
            _ => {}
        }
        let axes = self.series[of.series].axes.len();
        if kind.is_shape() && (axes != 1 || of.rows.len() < 3) {
            return needs("the series needs one axis with at least three values", "of");
        }
        if kind == Kind::Best && of.rows.len() != 1 {
            return needs("this kind of claim is about one row; choose it with [axis=value]", "of");
        }
        if kind == Kind::Share && raw.target.is_none() {
            return needs("this kind of claim needs the score to reach", "target");
        }
        let published = self.published(raw, of.rows.len())?;
        let is_statement = matches!(kind, Kind::Better | Kind::Alike | Kind::Distribution | Kind::Best | Kind::Shown);
        if !is_statement && !kind.is_shape() && published.is_empty() {
            return needs("this kind of claim needs the published number", "published");
        }
        let what = raw.what.unwrap_or(match kind {
            Kind::Time | Kind::TotalTime => Measure::Seconds,
            Kind::Count => Measure::Solved,
            _ => Measure::Score,
        });
        if what == Measure::Found && !std::iter::once(&of).chain(&than).all(|rows| self.is_tracked(rows)) {
            return needs("playouts until the best score are known of a series with track = true", "what");
        }
        let parts = |row: &usize| self.series[of.series].rows[*row].sizes.iter().map(|size| size.definition.parts());
        if let Some(part) = &raw.part
            && of.rows.iter().flat_map(parts).any(|parts| !(1..=parts).contains(part.get_ref()))
        {
            return Err(self.source.error(part.span(), "part", "the series has no such part"));
        }
        let (margin, part) = (self.margin(raw, kind)?, raw.part.as_ref().map(|part| *part.get_ref()));
        if kind == Kind::Alike
            && matches!(
                what,
                Measure::Seconds | Measure::Nanoseconds | Measure::Playouts | Measure::Moves | Measure::Found
            )
        {
            return needs("times and numbers of playouts are compared by kind = \"ratio\"", "kind");
        }
        let (text, target, why, margin_why) = (raw.text.clone(), raw.target, raw.why.clone(), raw.margin_why.clone());
        Ok(Claim { text, of, than, what, kind, published, target, part, margin, margin_why, why })
    }

    /// The difference, or the factor, that does not matter.
    fn margin(&self, raw: &raw::Claim, kind: Kind) -> Result<f64, ExperimentError> {
        let wrong = |span, reason: &str| Err(self.source.error(span, "margin", reason));
        let (is_factor, usual) = match kind.margin() {
            MarginRule::Needed => (false, None),
            MarginRule::NeededFactor => (true, None),
            MarginRule::Usual(usual) => (false, Some(usual)),
            MarginRule::Factor(usual) => (true, Some(usual)),
            MarginRule::None => {
                let span = raw.margin.as_ref().map(Spanned::span);
                return span.map_or(Ok(0.0), |span| wrong(span, "this kind of claim has no margin"));
            }
        };
        let Some(margin) = &raw.margin else {
            let needed = match is_factor {
                true => "this kind of claim needs a margin: the factor, such as 1.2, that counts as the same",
                false => "this kind of claim needs a margin: the difference that counts as the same",
            };
            return usual.map_or_else(|| wrong(raw.kind.span(), needed), Ok);
        };
        let value = *margin.get_ref();
        match is_factor {
            true if !(value > 1.0 && value.is_finite()) => {
                wrong(margin.span(), "the margin of a ratio or a time is a factor above 1")
            }
            false if !(value >= 0.0 && value.is_finite()) => wrong(margin.span(), "a margin is not negative"),
            _ => Ok(value),
        }
    }

    /// Whether the improvements of all runs are kept.
    fn is_tracked(&self, selection: &Selection) -> bool {
        let rows = &self.series[selection.series].rows;
        let tracked = |row: &usize| {
            rows[*row].sizes.iter().all(|size| matches!(&size.definition, Definition::Search(search) if search.track))
        };
        selection.rows.iter().all(tracked)
    }

    fn is_exact(&self, selection: &Selection) -> bool {
        let rows = &self.series[selection.series].rows;
        let exact = |row: &usize| matches!(rows[*row].sizes[..], [ref size] if matches!(size.definition, Definition::Exact { .. }));
        selection.rows.iter().all(exact)
    }

    /// The numbers of a claim, one for each of its rows.
    fn published(&self, raw: &raw::Claim, rows: usize) -> Result<Vec<Option<PublishedFigure>>, ExperimentError> {
        let Some(spanned) = &raw.published else { return Ok(Vec::new()) };
        let precision = raw.precision.as_ref().map(|precision| *precision.get_ref());
        let mut numbers = Vec::new();
        flatten(spanned.get_ref(), precision, &mut numbers)
            .map_err(|reason| self.source.error(spanned.span(), "published", reason))?;
        if numbers.len() != rows {
            let reason = format!("found {} numbers for {rows} rows", numbers.len());
            return Err(self.source.error(spanned.span(), "published", reason));
        }
        Ok(numbers)
    }

    fn plot(&self, spanned: &Spanned<raw::Plot>, title: &str) -> Result<Plot, ExperimentError> {
        let raw = spanned.get_ref();
        let series = match &raw.series {
            Some(names) => names.iter().map(|name| self.named(name, "series")).collect::<Result<_, _>>()?,
            None => (0..self.series.len()).collect::<Vec<_>>(),
        };
        let wrong = |reason: &str| {
            let span = raw.x.as_ref().map_or(spanned.span(), Spanned::span);
            Err(self.source.error(span, "x", reason))
        };
        let x = raw.x.as_ref().map_or("", |x| x.get_ref().as_str());
        match raw.kind {
            PlotKind::Curve if series.iter().any(|&index| !self.series[index].axes.iter().any(|axis| axis == x)) => {
                return wrong("the x of a curve must be an axis that all its series have");
            }
            PlotKind::Progress if !matches!(x, "seconds" | "playouts") => {
                return wrong("the x of progress must be seconds or playouts");
            }
            _ => {}
        }
        let y = raw.y.unwrap_or_default();
        let title = raw.title.clone().unwrap_or_else(|| title.to_owned());
        Ok(Plot { title, kind: raw.kind, series, x: x.to_owned(), y, log_x: raw.log_x, log_y: raw.log_y })
    }
}

fn flatten(
    published: &raw::PublishedFigure,
    precision: Option<f64>,
    numbers: &mut Vec<Option<PublishedFigure>>,
) -> Result<(), String> {
    let mut push = |value: f64, decimals: usize| {
        let precision = precision.unwrap_or(0.5 * 0.1_f64.powi(decimals as i32));
        numbers.push(Some(PublishedFigure { value, precision }));
    };
    match published {
        raw::PublishedFigure::Whole(whole) => push(*whole as f64, 0),
        raw::PublishedFigure::Number(number) if number.is_finite() => {
            push(*number, number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len()));
        }
        raw::PublishedFigure::Number(number) => return Err(format!("{number} cannot be a published number")),
        raw::PublishedFigure::Illegible(text) if text == "?" => numbers.push(None),
        raw::PublishedFigure::Illegible(text) => {
            return Err(format!("{text:?} is not a number; write \"?\" for a number that cannot be read"));
        }
        raw::PublishedFigure::List(list) => {
            return list.iter().try_for_each(|inner| flatten(inner, precision, numbers));
        }
    }
    Ok(())
}
