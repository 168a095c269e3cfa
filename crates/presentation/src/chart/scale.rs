//! From values to places on the page, and where the ticks go.

/// About `count` round numbers from `least` to `greatest` or a little beyond: steps of 1, 2 or 5 times a power of ten.
///
/// ```
/// assert_eq!(nestling_presentation::chart::ticks(52.0, 64.0, 5), [52.0, 54.0, 56.0, 58.0, 60.0, 62.0, 64.0]);
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
    logarithmic: bool,
}

impl Scale {
    /// A scale that holds all these values, ending at ticks. Those of a logarithmic one are above 0.
    pub fn new(values: impl Iterator<Item = f64>, place: (f64, f64), logarithmic: bool) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (least, greatest) = (least.min(value), greatest.max(value));
        }
        if least > greatest {
            (least, greatest) = if logarithmic { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let ticks = if logarithmic {
            powers(least, greatest)
        } else {
            if least == greatest {
                (least, greatest) = (least - 1.0, greatest + 1.0);
            }
            ticks(least, greatest, 6)
        };
        let (from, to) = (ticks[0], ticks[ticks.len() - 1]);
        Scale { ticks, from, to, place, logarithmic }
    }

    pub fn at(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value / self.from).ln() / (self.to / self.from).ln()
        } else {
            let length = self.to - self.from;
            // Numbers so large that they differ by nothing, or by more than a number holds, lie in the middle.
            if length > 0.0 && length.is_finite() { (value - self.from) / length } else { 0.5 }
        };
        self.place.0 + share * (self.place.1 - self.place.0)
    }

    /// A tick's label.
    pub fn label(&self, tick: f64) -> String {
        if !self.logarithmic {
            return label(tick, &self.ticks);
        }
        let exponent = tick.log10();
        if (-4.0..4.5).contains(&exponent) {
            return trimmed(&format!("{tick:.5}"));
        }
        let raised = |digit: char| match digit {
            '-' => '⁻',
            digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize],
        };
        let (power, factor) = (exponent.floor(), tick / 10f64.powf(exponent.floor()));
        let factor = if factor < 1.5 { String::new() } else { format!("{factor:.0}·") };
        format!("{factor}10{}", format!("{power:.0}").chars().map(raised).collect::<String>())
    }
}

/// Powers of ten around these numbers; twice and five times them where there would be few, every second or third where there
/// would be many.
fn powers(least: f64, greatest: f64) -> Vec<f64> {
    let (first, last) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
    let step = (last - first) / 9 + 1;
    let factors: &[f64] = if last - first < 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let exponents = (first..last + step + 1).step_by(step.unsigned_abs() as usize);
    let ticks = exponents.flat_map(|exponent| factors.iter().map(move |factor| factor * 10f64.powi(exponent)));
    let all: Vec<f64> = ticks.collect();
    // Powers are rounded, so that one may just miss the number it stands for.
    let below = all.iter().rposition(|&tick| tick <= least * 1.000_001).unwrap_or(0);
    let above = all.iter().position(|&tick| tick >= greatest * 0.999_999).unwrap_or(all.len() - 1);
    all[below..=above.max(below + 1)].to_vec()
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
    fn logarithms_have_powers_for_ticks() {
        assert_eq!(powers(10.0, 10_000.0), [10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!(powers(3.0, 3.0), [2.0, 5.0]);
        assert_eq!(powers(1.0, 1.0), [1.0, 2.0]);
        assert_eq!(powers(0.3, 8.0), [0.2, 0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(powers(1e-9, 1e9).len(), 7);
        assert!(powers(1e-300, 1e300).len() <= 12);
        let scale = Scale::new([1e-3, 1e7].into_iter(), (0.0, 100.0), true);
        assert_eq!(
            (scale.label(1e-3), scale.label(1000.0), scale.label(1e7)),
            ("0.001".into(), "1000".into(), "10⁷".into())
        );
        assert!((scale.at(100.0) - 50.0).abs() < 1e-9);
        assert_eq!(Scale::new(std::iter::empty(), (0.0, 1.0), true).ticks, [1.0, 2.0, 5.0, 10.0]);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(label(0.6000000000000001, &[0.4, 0.6]), "0.6");
        assert_eq!(label(-0.0, &[0.0, 1.0]), "0");
        assert_eq!(label(1500.0, &[1000.0, 1500.0]), "1500");
    }
}
