//! What runs would cost on a GPU, from the speeds that docs/GPU.md records; nothing where none was measured.

use crate::experiment::{Definition, SearchDefinition};

/// The GPU whose speeds these are.
pub const MEASURED_GPU: &str = "NVIDIA H200";

/// How many searches it runs at once; the speeds are those of all of them together.
const AT_ONCE: u64 = 4_224;

/// Moves of playouts per second, in billions, of `AT_ONCE` searches on 5D and on 5T: the table "Measured" of docs/GPU.md. Other options and
/// levels were not measured.
const SPEEDS: [(&str, f64, f64); 6] = [
    ("playout", 7.30, 7.15),
    ("nested(1)", 4.56, 4.65),
    ("nested(2)", 4.32, 4.54),
    ("nrpa(1)", 8.43, 8.62),
    ("nrpa(2)", 8.20, 8.23),
    ("nrpa(3)", 8.18, 8.08),
];

/// The hours that so many runs would take, as many of them at once as there is room for; `moves` are those of one run.
pub(crate) fn gpu_hours(definition: &Definition, runs: u64, moves: Option<f64>) -> Option<f64> {
    let Definition::Search(SearchDefinition { problem, search, seconds: None, playouts: None, warm: None, .. }) =
        definition
    else {
        return None;
    };
    let repeated = search.strip_prefix("repeat(").and_then(|rest| rest.strip_suffix(')')?.split_once(", "));
    let (times, search) = match repeated {
        Some((times, search)) => (times.parse().ok()?, search),
        None => (1, &**search),
    };
    let &(_, on_5d, on_5t) = SPEEDS.iter().find(|(known, ..)| *known == search)?;
    let speed = match &**problem {
        "morpion-5d" => on_5d,
        "morpion-5t" => on_5t,
        _ => return None,
    };
    // A search alone is as slow as one of many.
    let rounds = (runs * times).div_ceil(AT_ONCE);
    Some((rounds * AT_ONCE) as f64 * moves? / times as f64 / (speed * 1e9) / 3_600.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestling_registry::Device;

    fn definition(search: &str) -> Definition {
        let (problem, search) = ("morpion-5d".to_owned(), search.to_owned());
        let (parts, seconds, playouts, warm, track, device) = (None, None, None, None, false, Device::Cpu);
        Definition::Search(SearchDefinition { problem, search, parts, seconds, playouts, warm, track, device })
    }

    #[test]
    fn only_measured_speeds_give_a_cost() {
        // 4,224,000 games of 43 moves fill the device a thousand times.
        let hours = gpu_hours(&definition("repeat(4224, playout)"), 1_000, Some(4_224.0 * 43.0)).unwrap();
        assert!((hours * 3_600.0 - 4_224_000.0 * 43.0 / 7.30e9).abs() < 1e-9, "{hours}");
        // One search takes as long as 4,224.
        let [one, all] = [1, 4_224].map(|runs| gpu_hours(&definition("nrpa(3)"), runs, Some(7e7)));
        assert!(one.is_some() && one == all);
        for unknown in ["nrpa(4)", "nested(2, memory=off)", "repeat(10, nested(3))", "uct(1000)", "repeat(pool)"] {
            assert_eq!(gpu_hours(&definition(unknown), 1, Some(1e9)), None, "{unknown}");
        }
        assert_eq!(gpu_hours(&definition("nrpa(3)"), 1, None), None, "the moves of a run are not known");
    }
}
