//! From values to places on the page, and where the ticks go.

/// About `count` round numbers from `least` to `greatest` or a little beyond: steps of 1, 2 or 5 times a power of ten.
///
/// ```
/// assert_eq!(nestling_chart::ticks(52.0, 64.0, 5), [52.0, 54.0, 56.0, 58.0, 60.0, 62.0, 64.0]);
/// ```
pub fn ticks(least: f64, greatest: f64, count: usize) -> Vec<f64> {
    let rough = (greatest - least) / count.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![least];
    }
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.8).unwrap_or(10.0);
    let step = factor * power;
    let (first, last) = ((least / step).floor(), (greatest / step).ceil());
    (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect()
}

/// A line from one end of an axis to the other.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub ticks: Vec<f64>,
    from: f64,
    to: f64,
    place: (f64, f64),
}

impl Scale {
    /// A scale that holds all these values, ending at ticks.
    pub fn around(values: impl Iterator<Item = f64>, place: (f64, f64)) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (least, greatest) = (least.min(value), greatest.max(value));
        }
        if least > greatest {
            (least, greatest) = (0.0, 1.0);
        }
        if least == greatest {
            (least, greatest) = (least - 1.0, greatest + 1.0);
        }
        let ticks = ticks(least, greatest, 6);
        let (from, to) = (ticks[0], ticks[ticks.len() - 1]);
        Scale { ticks, from, to, place }
    }

    pub fn at(&self, value: f64) -> f64 {
        self.place.0 + (value - self.from) / (self.to - self.from) * (self.place.1 - self.place.0)
    }
}

/// A place on the page, to a hundredth.
pub(crate) fn number(value: f64) -> String {
    trimmed(&format!("{value:.2}"))
}

/// A tick's label: as many decimals as its step needs.
pub(crate) fn label(value: f64, ticks: &[f64]) -> String {
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

fn trimmed(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-3.0, 1234.0, 5).first(), Some(&-200.0));
        assert_eq!(ticks(7.0, 7.0, 5), [7.0]);
        assert_eq!(ticks(f64::NAN, 7.0, 5).len(), 1);
        for (least, greatest) in [(0.001, 0.0013), (1e9, 3e9), (58.0, 66.0)] {
            let ticks = ticks(least, greatest, 6);
            assert!(ticks.len() <= 10 && ticks[0] <= least && ticks[ticks.len() - 1] >= greatest, "{ticks:?}");
        }
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(label(0.6000000000000001, &[0.4, 0.6]), "0.6");
        assert_eq!(label(-0.0, &[0.0, 1.0]), "0");
        assert_eq!(label(1500.0, &[1000.0, 1500.0]), "1500");
    }
}
