//! The natural logarithm and its inverse by additions, multiplications and divisions alone, which every machine rounds
//! alike. The last bit of `f64::ln` and `f64::exp` differs from one system's mathematics library to another's: weights that
//! differ in it would order words differently, and scores be other bytes in a table.

use std::f64::consts::{LN_2, SQRT_2};

/// Terms of the series behind the first. The next one would be below 2⁻⁵⁷ of the sum.
const TERMS: u32 = 10;

/// ln x for normal positive numbers, with a relative error below 3 · 10⁻¹⁶ (about one unit in the last place); -∞ for 0
/// and negative numbers.
pub fn ln(x: f64) -> f64 {
    if x <= 0.0 {
        return f64::NEG_INFINITY;
    }
    // x = m · 2ⁿ with m in [√½, √2): an exponent field of 1023 stands for 2⁰.
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let (bits, one) = (x.to_bits(), 1.0f64.to_bits());
    let mut exponent = (bits >> FRACTION_BITS) as f64 - (one >> FRACTION_BITS) as f64;
    let mut m = f64::from_bits(bits & ((1 << FRACTION_BITS) - 1) | one);
    if m >= SQRT_2 {
        m /= 2.0;
        exponent += 1.0;
    }
    // ln m = 2 artanh s = 2s + 2s (s²/3 + s⁴/5 + …), |s| ≤ 0.172. Since 2s = f - s·f and f is exact, the rounding of s
    // hardly matters.
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let series = (1..=TERMS).rev().fold(0.0, |sum, term| (sum + 1.0 / f64::from(2 * term + 1)) * square);
    exponent * LN_2 + (f - s * (f - 2.0 * series))
}

/// Terms of the series of the exponential function behind the first. The next one would be below 2⁻⁵⁷ of the sum.
const EXP_TERMS: u32 = 14;
/// Leading bits of ln 2, whose product with a small whole number is exact, and what is missing to ln 2.
const LN_2_PARTS: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
/// Least argument with a normal result, and greatest with a finite one.
const EXP_ARGUMENTS: std::ops::RangeInclusive<f64> = -708.0..=709.0;

/// eˣ with a relative error below 5 · 10⁻¹⁶; 0 below -708, infinite above 709.
pub fn exp(x: f64) -> f64 {
    if !EXP_ARGUMENTS.contains(&x) {
        return if x.is_nan() {
            x
        } else if x < 0.0 {
            0.0
        } else {
            f64::INFINITY
        };
    }
    // eˣ = 2ⁿ · eʳ with |r| ≤ ½ ln 2.
    let n = (x / LN_2).round();
    let [leading, rest] = LN_2_PARTS;
    let r = (x - n * leading) - n * rest;
    let series = (1..=EXP_TERMS).rev().fold(1.0, |sum, term| 1.0 + r / f64::from(term) * sum);
    // The exponent field of 2ⁿ is 1023 + n, between 2 and 2046.
    series * f64::from_bits(((1023.0 + n) as u64) << (f64::MANTISSA_DIGITS - 1))
}

/// The logistic function 1 / (1 + e⁻ˣ) with an error below 0.015, by a Padé approximant of the hyperbolic tangent: models of
/// the cleaner were fitted with it.
pub fn logistic(x: f32) -> f32 {
    let y = (x / 2.0).clamp(-3.0, 3.0);
    0.5 + 0.5 * y * (27.0 + y * y) / (27.0 + 9.0 * y * y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn relative_error(x: f64) -> f64 {
        let want = x.ln();
        if want == 0.0 { ln(x).abs() } else { ((ln(x) - want) / want).abs() }
    }

    #[test]
    fn special_values() {
        assert_eq!([1.0, 0.0, -1.0].map(ln), [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY]);
        assert!([2.0, 10.0, 1e300, f64::MIN_POSITIVE, f64::MAX].into_iter().all(|x| relative_error(x) < 3e-16));
    }

    #[test]
    fn ratios_of_counts_are_near_the_logarithm() {
        let errors = (1..700u32).flat_map(|a| (1..700u32).map(move |b| relative_error(f64::from(a) / f64::from(b))));
        let worst = errors.fold(0.0, f64::max);
        assert!(worst < 3e-16, "{worst:e}");
    }

    /// Pinned: the same bits on every machine.
    #[test]
    fn values_are_pinned() {
        let bits = [2.0, 3.0, 10.0, 1.5, 0.7, 1e6, 123_456.789].map(|x| format!("{:016x}", ln(x).to_bits()));
        assert_eq!(bits, PINNED);
    }

    const PINNED: [&str; 7] = [
        "3fe62e42fefa39ef",
        "3ff193ea7aad030a",
        "40026bb1bbb55515",
        "3fd9f323ecbf984c",
        "bfd6d3c324e13f50",
        "402ba18a998fffa0",
        "40277281cad8a844",
    ];

    fn exp_error(x: f64) -> f64 {
        ((exp(x) - x.exp()) / x.exp()).abs()
    }

    #[test]
    fn the_exponential_function_has_its_special_values() {
        assert_eq!([0.0, -1e9, 1e9, f64::NEG_INFINITY].map(exp), [1.0, 0.0, f64::INFINITY, 0.0]);
        assert!(exp(f64::NAN).is_nan());
        assert!([1.0, -1.0, 709.0, -708.0, 1e-300].into_iter().all(|x| exp_error(x) < 5e-16));
        // Pinned: the same bits on every machine.
        assert_eq!([1.0, -8.0, 0.1].map(|x| format!("{:016x}", exp(x).to_bits())), EXP_PINNED);
    }

    const EXP_PINNED: [&str; 3] = ["4005bf0a8b14576a", "3f35fc21041027ad", "3ff1aec7b35a00d4"];

    proptest! {
        #[test]
        fn any_number_is_near_its_exponential(x in -708f64..709.0, small in -1f64..1.0) {
            prop_assert!(exp_error(x) < 5e-16 && exp_error(small) < 5e-16);
        }

        #[test]
        fn any_number_is_near_its_logarithm(x in 1e-300f64..1e300, near_one in 0.5f64..2.0) {
            prop_assert!(relative_error(x) < 3e-16 && relative_error(near_one) < 3e-16);
        }
    }
}
