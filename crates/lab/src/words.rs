//! Numbers as people read them.

/// A number with as many digits as are worth reading: whole if it is whole, else about four, three below 1.
///
/// ```
/// use nestling_lab::figure;
/// assert_eq!((figure(65937.0), figure(61.018), figure(0.012345)), ("65,937".into(), "61.02".into(), "0.0123".into()));
/// assert_eq!((figure(-0.5), figure(1234.56), figure(f64::INFINITY)), ("-0.5".into(), "1,235".into(), "∞".into()));
/// ```
pub fn figure(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() {
            "—"
        } else if number > 0.0 {
            "∞"
        } else {
            "-∞"
        }
        .to_owned();
    }
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-6..1e15).contains(&magnitude) {
        return format!("{number:.2e}");
    }
    let digits = if magnitude < 1.0 { 2 } else { 3 };
    let decimals = match number.fract() == 0.0 {
        true => 0,
        false => (digits - magnitude.log10().floor() as i32).clamp(0, 9) as usize,
    };
    let text = format!("{magnitude:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    let sign = if number < 0.0 && (grouped != "0" || !fraction.is_empty()) { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{fraction}") }
}

/// An error, which is known to two digits at most.
pub(crate) fn error(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return figure(number);
    }
    let power = 10f64.powf(number.abs().log10().floor() - 1.0);
    figure((number / power).round() * power)
}

/// So many seconds, roughly: 3 ms, 20 s, 4 min, 3 days.
///
/// ```
/// assert_eq!([0.003, 20.0, 250.0].map(nestling_lab::lasting), ["3 ms", "20 s", "4.2 min"]);
/// ```
pub fn lasting(seconds: f64) -> String {
    const UNITS: [(f64, &str); 6] = [
        (0.1, "ms"),
        (120.0, "s"),
        (7_200.0, "min"),
        (172_800.0, "h"),
        (63_115_200.0, "days"),
        (f64::INFINITY, "years"),
    ];
    const LENGTHS: [f64; 6] = [0.001, 1.0, 60.0, 3_600.0, 86_400.0, 31_557_600.0];
    let unit = UNITS.iter().position(|(most, _)| seconds < *most).unwrap_or(UNITS.len() - 1);
    let number = seconds / LENGTHS[unit];
    let rounded = if number < 10.0 { (number * 10.0).round() / 10.0 } else { number.round() };
    format!("{} {}", figure(rounded), UNITS[unit].1)
}

/// From one number to another; just the one if they are the same.
pub fn range(low: f64, high: f64) -> String {
    if low == high { figure(low) } else { format!("{} to {}", figure(low), figure(high)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rough() {
        let rough = [0.0034, 20.4, 250.0, 9_000.0, 200_000.0, 1e9].map(lasting);
        assert_eq!(rough, ["3.4 ms", "20 s", "4.2 min", "2.5 h", "2.3 days", "32 years"]);
        assert_eq!((error(0.01234), error(123.4), error(0.0)), ("0.012".into(), "120".into(), "0".into()));
    }
}
