//! The natural logarithm by additions, multiplications and divisions alone, which every machine rounds alike.
//! The last bit of `f64::ln` differs from one system's mathematics library to another's, and weights of words
//! that differ in it would order words differently.

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

    proptest! {
        #[test]
        fn any_number_is_near_its_logarithm(x in 1e-300f64..1e300, near_one in 0.5f64..2.0) {
            prop_assert!(relative_error(x) < 3e-16 && relative_error(near_one) < 3e-16);
        }
    }
}
