//! Every reading as a line of CSV, with the command that makes it again.

use std::fmt::Write;

use nestling_registry::{Device, shell_word};
use nestling_store::{Store, StoreError};

use crate::experiment::{Definition, Experiment, SearchDefinition};
use crate::instrument::seed_of;
use crate::reading::{Reading, Sample, samples};

/// The columns of [`readings_csv`].
const COLUMNS: &str =
    "experiment,row,size,run,seed,score,seconds,playouts,moves,solved,device,machine,version,lab_seed,command";

/// All readings of some experiments in a store as CSV: one line for each run, with the seed of the run and a command that makes it
/// again. Rows that run the same thing repeat its readings.
///
/// # Errors
///
/// When the store cannot be read.
pub fn readings_csv(store: &Store, experiments: &[Experiment]) -> Result<String, StoreError> {
    let mut text = format!("{COLUMNS}\n");
    for experiment in experiments {
        for (series, rows) in experiment.series.iter().enumerate() {
            for (index, row) in rows.rows.iter().enumerate() {
                for size in &row.sizes {
                    let label = experiment.label(series, index);
                    let what = size.instead.as_deref().unwrap_or("full");
                    for definition in std::iter::once(size.definition.clone()).chain(size.definition.on_gpu()) {
                        for sample in samples(store, &definition.key())?.0 {
                            add(&mut text, [&experiment.id, &label, what], &definition, &sample);
                        }
                    }
                }
            }
        }
    }
    Ok(text)
}

fn add(text: &mut String, [experiment, row, size]: [&str; 3], definition: &Definition, sample: &Sample) {
    let key = definition.key();
    for (&number, reading) in &sample.readings {
        let seed = seed_of(sample.seed, &key, number);
        let Reading { score, seconds, playouts, moves, solved, .. } = reading;
        let seconds = seconds.map_or(String::new(), |seconds| seconds.to_string());
        let device = if definition.device().is_cpu() { "cpu" } else { "cuda" };
        let command = command(definition, number, seed)
            .unwrap_or_else(|| format!("nestling lab run {experiment} --full --seed {}", sample.seed));
        let texts = [experiment, row, size].map(quoted).join(",");
        let (machine, command) = (quoted(&sample.machine), quoted(&command));
        writeln!(
            text,
            "{texts},{number},{seed},{score},{seconds},{playouts},{moves},{solved},{device},{machine},{},{},{command}",
            sample.version, sample.seed
        )
        .expect("a text takes a line");
    }
}

/// The command that makes one run again; none where only the lab makes such runs.
fn command(definition: &Definition, number: u64, seed: u64) -> Option<String> {
    match definition {
        Definition::Search(search) if search.warm.is_none() => {
            let SearchDefinition { search: expression, seconds, playouts, device, .. } = search;
            let mut command = format!(
                "nestling solve {} -s {} --seed {seed}",
                shell_word(&search.problem(number)),
                shell_word(expression)
            );
            if let Some(seconds) = seconds {
                command += &format!(" --time {seconds}s");
            }
            if let Some(playouts) = playouts {
                command += &format!(" --playouts {playouts}");
            }
            command += if *device == Device::Cuda { " --device cuda" } else { " --threads 1" };
            Some(command)
        }
        Definition::Match { game, player, opponent } => {
            let [one, other] = if number.is_multiple_of(2) { [player, opponent] } else { [opponent, player] };
            Some(format!(
                "nestling match {} {} {} --games 1 --seed {seed}",
                shell_word(game),
                shell_word(one),
                shell_word(other)
            ))
        }
        Definition::Search(_) | Definition::Exact { .. } | Definition::Technique { .. } => None,
    }
}

/// A field as CSV takes it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
