//! Exponential and logarithm with the same results on every machine.
//!
//! The system's functions differ in the last bit from machine to machine, and one bit is enough to change a random choice and with it a
//! whole search. These use only additions, multiplications and divisions in a fixed order, which IEEE 754 rounds the same everywhere. Both
//! are accurate to a few units in the last place.

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

/// Adding this to a number of moderate size rounds it to an integer, which is then in the low bits of the sum.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// e to the power of `x`, for x from −708 to 708; larger and smaller x are clamped to that range. There are no branches, so that a loop of
/// it compiles to vector code.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-708.0, 708.0);
    let shifted = x * LOG2_E + ROUNDING;
    let power = shifted - ROUNDING;
    let rest = (x - power * LN_2_HIGH) - power * LN_2_LOW;
    let series = EXP_SERIES.iter().fold(0.0, |sum, &coefficient| sum * rest + coefficient);
    series * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52))
}

/// Replaces every number by its exponential.
#[inline(always)]
pub(crate) fn exp_all(numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|number| *number = exp(*number));
}

/// The natural logarithm of a positive, normal `x`.
pub fn ln(x: f64) -> f64 {
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
        assert_eq!((exp(0.0), ln(1.0)), (1.0, 0.0));
        assert_eq!((exp(-1e9), exp(1e9)), (exp(-708.0), exp(708.0)));
        let mut many = [0.5, -3.0, 700.0];
        exp_all(&mut many);
        assert_eq!(many, [exp(0.5), exp(-3.0), exp(700.0)]);
    }

    /// A changed bit here changes searches elsewhere.
    #[test]
    fn bits_are_pinned() {
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
        assert_eq!(ln(10.0).to_bits(), 0x4002_6bb1_bbb5_5516);
    }
}
