//! Models from text.

use std::ops::Range;

use nestling::Goal;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::Model;
use super::compile::{Kind, Names, Variable, compile, is_name, is_reserved};
use super::definition::{Codes, ModelDefinition, Rule, State};
use super::evaluate::{Data, LARGEST};
use super::language;

/// The most choices, and the most moves of a game.
const MOST: usize = 10_000;

/// The most numbers of a state.
const MOST_NUMBERS: usize = 100_000;

/// The most steps that computing one state and its choices may take.
const MOST_STEPS: f64 = 1e8;

/// What is wrong with a model, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there and what would be right.
    pub reason: String,
}

/// The keys of a model.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: Option<Spanned<String>>,
    goal: Option<Spanned<String>>,
    choices: Option<Spanned<Value>>,
    repeat: Option<bool>,
    length: Option<Spanned<Value>>,
    code: Option<Spanned<String>>,
    bound: Option<Spanned<Value>>,
    legal: Option<Spanned<String>>,
    done: Option<Spanned<String>>,
    score: Option<Spanned<String>>,
    #[serde(default)]
    data: toml::map::Map<String, Value>,
    #[serde(default)]
    state: toml::map::Map<String, Value>,
}

/// The text of a model, to find the lines of its keys.
struct Source<'t> {
    text: &'t str,
}

impl Model {
    /// Reads a model. The keys are described in `docs/GUIDE.md`.
    ///
    /// ```
    /// use nestling_puzzles::model::Model;
    /// let error = Model::read("choices = 3\nlength = 2\nscore = \"played[0] + boat\"").unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: score: there is no name \"boat\"; there are step, length, played");
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not a model, or one of its expressions has no value in some random games.
    pub fn read(text: &str) -> Result<Model, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source { text };
        let raw: Raw = toml::from_str(text).map_err(|error| source.parser(&error))?;
        let model = Model::new(source.definition(raw)?);
        model.try_out()?;
        Ok(model)
    }
}

impl Source<'_> {
    fn line(&self, place: usize) -> usize {
        1 + self.text[..place.min(self.text.len())].matches('\n').count()
    }

    fn error(&self, span: Range<usize>, key: &str, reason: impl Into<String>) -> ReadError {
        ReadError { line: self.line(span.start), reason: format!("{key}: {}", reason.into()) }
    }

    /// The message of the parser.
    fn parser(&self, error: &toml::de::Error) -> ReadError {
        let line = self.line(error.span().unwrap_or(0..0).start);
        let reason = error.message().lines().map(str::trim).collect::<Vec<_>>().join("; ");
        ReadError { line, reason: nestling_presentation::shown(&reason, 180) }
    }

    /// The line of a key in a table of the file, such as `weight` in `[data]`.
    fn line_of(&self, table: &str, key: &str) -> usize {
        let mut inside = String::new();
        let mut found = None;
        for (number, line) in (1..).zip(self.text.lines().map(str::trim)) {
            if line.starts_with('[') {
                inside = line.trim_matches(['[', ']', ' ']).to_owned();
            }
            let name = line.split(['=', ' ']).next().unwrap_or_default();
            let is_here = inside == table && name == key || inside == format!("{table}.{key}");
            let is_inline = name == table && line.contains(key);
            if found.is_none() && (is_here || is_inline) {
                found = Some(number);
            }
        }
        found.unwrap_or(1)
    }

    fn definition(&self, raw: Raw) -> Result<ModelDefinition, ReadError> {
        let missing =
            |key: &str, example: &str| ReadError { line: 1, reason: format!("{key} is missing; write {example}") };
        let choices = raw.choices.ok_or_else(|| missing("choices", "choices = [\"red\", \"blue\"], or choices = 5"))?;
        let choices = self.choices(&choices)?;
        let repeat = raw.repeat.unwrap_or(true);
        let length = match &raw.length {
            Some(length) => self.whole(length, "length", MOST)?,
            None if !repeat => choices.len(),
            None => return Err(missing("length", "length = 10, the most moves of a game, or repeat = false")),
        };
        let goal = self.word(&raw.goal, "goal", &[("max", Goal::Max), ("min", Goal::Min)])?;
        let codes = match &raw.code {
            Some(_) => self.word(&raw.code, "code", &Codes::ALL)?,
            None if repeat => Codes::Step,
            None => Codes::Choice,
        };
        let bound = raw.bound.as_ref().map(|bound| {
            let number = number(bound.get_ref()).ok_or("a number is needed");
            number.map_err(|reason| self.error(bound.span(), "bound", reason))
        });
        let data = self.data(&raw.data)?;
        let variables = self.variables(&raw.state, &data)?;
        let mut names = Names {
            data: &data,
            state: &variables.iter().map(|(variable, _)| variable.clone()).collect::<Vec<_>>(),
            choices: choices.len(),
            length,
            has_choice: true,
        };
        let state = variables.into_iter().map(|(variable, start)| self.state(&raw.state, variable, start, &names));
        let state = state.collect::<Result<Vec<_>, _>>()?;
        let legal = raw.legal.map(|text| self.rule(&text, "legal", &names, Kind::Truth)).transpose()?;
        names.has_choice = false;
        let done = raw.done.map(|text| self.rule(&text, "done", &names, Kind::Truth)).transpose()?;
        let score = raw
            .score
            .ok_or_else(|| missing("score", "score = \"…\", an expression for the score of a finished game"))?;
        let score = self.rule(&score, "score", &names, Kind::Number)?;
        let name = raw.name.map(|name| nestling_presentation::shown(name.get_ref(), 100));
        let bound = bound.transpose()?;
        let definition =
            ModelDefinition { name, goal, choices, repeat, length, codes, bound, state, legal, done, score, data };
        let steps = definition.steps();
        if steps > MOST_STEPS {
            return Err(ReadError {
                line: definition.legal.as_ref().map_or(1, |legal| legal.line),
                reason: format!(
                    "the legal choices of one state can take {steps:.0} steps, more than {MOST_STEPS:.0}; use fewer choices or shorter lists"
                ),
            });
        }
        Ok(definition)
    }

    fn choices(&self, choices: &Spanned<Value>) -> Result<Vec<String>, ReadError> {
        let wrong = |reason: String| self.error(choices.span(), "choices", reason);
        let names = match choices.get_ref() {
            Value::Integer(_) => {
                let count = self.whole(choices, "choices", MOST)?;
                return Ok((0..count).map(|choice| choice.to_string()).collect());
            }
            Value::Array(names) => names,
            _ => return Err(wrong("write a list of names, or how many choices there are".to_owned())),
        };
        if names.is_empty() || names.len() > MOST {
            return Err(wrong(format!("{} choices; there must be from 1 to {MOST}", names.len())));
        }
        let mut texts: Vec<String> = Vec::new();
        for name in names {
            let text = match name {
                Value::String(text) => text.clone(),
                Value::Integer(number) => number.to_string(),
                other => return Err(wrong(format!("a {} is not a name; write it in quotes", other.type_str()))),
            };
            let shown = nestling_presentation::shown(&text, 30);
            if text.is_empty() || text.trim() != text || text.contains(char::is_control) || text.starts_with('#') {
                return Err(wrong(format!(
                    "{shown:?} cannot be a name: it is empty, begins with # or a blank, or has a line break"
                )));
            }
            if texts.contains(&text) {
                return Err(wrong(format!("{shown:?} is there twice")));
            }
            texts.push(text);
        }
        Ok(texts)
    }

    fn whole(&self, value: &Spanned<Value>, key: &str, most: usize) -> Result<usize, ReadError> {
        let whole = value.get_ref().as_integer().and_then(|whole| usize::try_from(whole).ok());
        let whole = whole.filter(|whole| (1..=most).contains(whole));
        whole.ok_or_else(|| self.error(value.span(), key, format!("a whole number from 1 to {most} is needed")))
    }

    /// One of several words; the first if there is none.
    fn word<T: Copy>(&self, text: &Option<Spanned<String>>, key: &str, words: &[(&str, T)]) -> Result<T, ReadError> {
        let Some(text) = text else { return Ok(words[0].1) };
        let found = words.iter().find(|(word, _)| word == text.get_ref());
        found.map(|&(_, value)| value).ok_or_else(|| {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            self.error(text.span(), key, format!("write {}", known.join(" or ")))
        })
    }

    fn rule(&self, text: &Spanned<String>, key: &str, names: &Names<'_>, kind: Kind) -> Result<Rule, ReadError> {
        self.rule_at(text.get_ref(), self.line(text.span().start), key, names, kind)
    }

    fn rule_at(&self, text: &str, line: usize, key: &str, names: &Names<'_>, kind: Kind) -> Result<Rule, ReadError> {
        let wrong = |reason: String| ReadError { line, reason: format!("{key}: {reason}") };
        let tree = language::parse(text).map_err(wrong)?;
        let (node, steps) = compile(&tree, names, kind).map_err(wrong)?;
        Ok(Rule { key: key.to_owned(), line, tree, node, steps })
    }

    fn check_name(&self, table: &str, name: &str, taken: impl FnOnce(&str) -> bool) -> Result<(), ReadError> {
        let wrong = |reason: &str| {
            let line = self.line_of(table, name);
            Err(ReadError { line, reason: format!("{table}.{}: {reason}", nestling_presentation::shown(name, 40)) })
        };
        match name {
            _ if !is_name(name) => wrong("a name has letters, digits and _, and begins with a letter"),
            _ if is_reserved(name) => wrong("this word has a meaning of its own; choose another name"),
            _ if taken(name) => wrong("the name is in [data] too; choose another"),
            _ => Ok(()),
        }
    }

    fn data(&self, table: &Table) -> Result<Vec<(String, Data)>, ReadError> {
        let mut all = Vec::new();
        for (name, value) in table {
            self.check_name("data", name, |_| false)?;
            let wrong = |reason: String| ReadError {
                line: self.line_of("data", name),
                reason: format!("data.{name}: {reason}"),
            };
            all.push((name.clone(), data(value).map_err(wrong)?));
        }
        Ok(all)
    }

    /// The variables of the state, with their numbers at the start.
    fn variables(&self, table: &Table, data: &[(String, Data)]) -> Result<Vec<(Variable, Vec<f64>)>, ReadError> {
        let (mut all, mut place) = (Vec::new(), 0);
        for (name, value) in table {
            self.check_name("state", name, |name| data.iter().any(|(other, _)| other == name))?;
            let wrong = |reason: &str| ReadError {
                line: self.line_of("state", name),
                reason: format!("state.{name}: {reason}"),
            };
            let Value::Table(parts) = value else {
                return Err(wrong("write { start = 0, next = \"…\" }: the value at the start, and after a move"));
            };
            if let Some(unknown) = parts.keys().find(|key| !["start", "next", "at", "size"].contains(&&key[..])) {
                return Err(wrong(&format!(
                    "unknown key {:?}; there are start, next, at and size",
                    nestling_presentation::shown(unknown, 30)
                )));
            }
            let start = parts.get("start").map(self::data).transpose().map_err(|reason| wrong(&reason))?;
            let size = parts.get("size").map(|size| {
                let size = size.as_integer().and_then(|size| usize::try_from(size).ok());
                size.filter(|size| (1..=MOST).contains(size))
                    .ok_or_else(|| wrong(&format!("size: a whole number from 1 to {MOST} is needed")))
            });
            let (size, start) = match (size.transpose()?, start) {
                (_, None) => return Err(wrong("start is missing; write { start = 0, next = \"…\" }")),
                (None, Some(Data::Number(number))) => (None, vec![number]),
                (Some(size), Some(Data::Number(number))) => (Some(size), vec![number; size]),
                (None, Some(Data::Numbers(numbers))) => (Some(numbers.len()), numbers),
                (Some(_), Some(_)) => {
                    return Err(wrong("size is only for a start that is one number, which is then repeated"));
                }
                (None, Some(Data::Lists(_))) => return Err(wrong("start is a number or a list of numbers")),
            };
            if place + start.len() > MOST_NUMBERS {
                return Err(wrong(&format!("the state has more than {MOST_NUMBERS} numbers")));
            }
            let variable = Variable { name: name.clone(), place, size };
            place += start.len();
            all.push((variable, start));
        }
        Ok(all)
    }

    fn state(&self, table: &Table, variable: Variable, start: Vec<f64>, names: &Names<'_>) -> Result<State, ReadError> {
        let (name, parts) = (variable.name.clone(), &table[&variable.name]);
        let line = self.line_of("state", &name);
        let rule = |key: &str| match parts.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => {
                self.rule_at(text, line, &format!("state.{name}.{key}"), names, Kind::Number).map(Some)
            }
            Some(_) => Err(ReadError { line, reason: format!("state.{name}.{key}: write an expression in quotes") }),
        };
        let (next, at) = (rule("next")?, rule("at")?);
        let wrong = |reason: &str| Err(ReadError { line, reason: format!("state.{name}: {reason}") });
        match (variable.size, &next, &at) {
            (None, _, Some(_)) => wrong("at is only for lists; this is a number"),
            (Some(_), Some(_), None) => wrong("a list needs at = \"…\", the index of the element that changes"),
            (Some(_), None, Some(_)) => wrong("at without next; write next = \"…\", the new value of the element"),
            _ => Ok(State { variable, start, next, at }),
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    number.filter(|number| number.abs() <= LARGEST)
}

/// Numbers, lists of numbers, and lists of lists.
fn data(value: &Value) -> Result<Data, String> {
    if let Value::Boolean(_) = value {
        return Err("true and false are not data; use 1 and 0".to_owned());
    }
    let Value::Array(items) = value else {
        let reason = || "data are numbers, lists of numbers, and lists of such lists".to_owned();
        return number(value).map(Data::Number).ok_or_else(reason);
    };
    let items = items.iter().map(data).collect::<Result<Vec<_>, _>>()?;
    let numbers = items.iter().filter(|item| matches!(item, Data::Number(_))).count();
    match numbers {
        0 if !items.is_empty() => Ok(Data::Lists(items)),
        _ if numbers == items.len() => Ok(Data::Numbers(
            items.into_iter().map(|item| if let Data::Number(number) = item { number } else { 0.0 }).collect(),
        )),
        _ => Err("a list has only numbers, or only lists".to_owned()),
    }
}
