//! Exponential and logarithm of our own.
//!
//! The system's differ in the last bit from machine to machine, and one bit is enough to change a random choice and with
//! it a whole search. These use only additions, multiplications and divisions in a fixed order, which IEEE 754 rounds the
//! same everywhere. Both are accurate to a few units in the last place.

const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
const LOG2_E: f64 = std::f64::consts::LOG2_E;

/// Coefficients 1/k! of the exponential series, from k = 13 down to 0: enough for |x| ≤ ln 2 / 2.
const EXP_SERIES: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// e to the power of `x`; 0 below about −708, infinite above about 709.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -708.0 {
        return 0.0;
    }
    if x > 709.0 {
        return f64::INFINITY;
    }
    let power = (x * LOG2_E).round_ties_even();
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let series = EXP_SERIES.iter().fold(0.0, |sum, &coefficient| sum * rest + coefficient);
    series * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

/// The natural logarithm of a positive, normal `x`.
pub(crate) fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "the logarithm of {x} was asked for");
    let bits = x.to_bits();
    let mut power = ((bits >> 52) as i64 - 1023) as f64;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        power += 1.0;
    }
    // ln m = 2 artanh((m − 1)/(m + 1)), and that quotient is at most 0.172.
    let quotient = (mantissa - 1.0) / (mantissa + 1.0);
    let square = quotient * quotient;
    let series = (0..11).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    power * LN_2_HIGH + (2.0 * quotient * series + power * LN_2_LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_systems_own() {
        for step in -6_990..7_000 {
            let x = f64::from(step) * 0.1013;
            if x.abs() < 708.0 {
                assert!((exp(x) / x.exp() - 1.0).abs() < 1e-15, "exp {x}");
            }
        }
        for step in 1..100_000 {
            let x = f64::from(step) * 0.37;
            assert!((ln(x) - x.ln()).abs() <= 4e-16 * x.ln().abs().max(1.0), "ln {x}");
        }
        assert_eq!((exp(0.0), ln(1.0), exp(-1e9), exp(1e9)), (1.0, 0.0, 0.0, f64::INFINITY));
    }

    /// One changed bit here is a changed search somewhere else.
    #[test]
    fn bits_are_pinned() {
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
        assert_eq!(ln(10.0).to_bits(), 0x4002_6bb1_bbb5_5516);
    }
}
