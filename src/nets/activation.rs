//! What a layer does to its sums. Only IEEE additions, multiplications, divisions and comparisons, each rounded by
//! itself, so that every machine gets the same bits; no mathematics of a library.

use serde::{Deserialize, Serialize};

/// So many numbers are worked on together. It is part of the arithmetic: see [`super::Mlp`].
pub(super) const LANES: usize = 8;

/// What a layer does to its sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// Nothing.
    Identity,
    /// `max(x, 0)`.
    Relu,
    /// `min(max(x, 0), 1)`.
    ClippedRelu,
    /// `x / (1 + |x|)`.
    Softsign,
    /// `1 / (1 + exp(-x))`.
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
}

impl Activation {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, Activation); 6] = [
        ("identity", Activation::Identity),
        ("relu", Activation::Relu),
        ("clipped_relu", Activation::ClippedRelu),
        ("softsign", Activation::Softsign),
        ("sigmoid", Activation::Sigmoid),
        ("tanh", Activation::Tanh),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// Applies it to each number.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn apply(self, values: &mut [f32]) {
        for number in 0..values.len() / LANES {
            let at = number * LANES;
            let mut lanes = [0.0; LANES];
            lanes.copy_from_slice(&values[at..at + LANES]);
            self.apply_lanes(&mut lanes);
            values[at..at + LANES].copy_from_slice(&lanes);
        }
        for at in values.len() / LANES * LANES..values.len() {
            let mut lanes = [values[at]; LANES];
            self.apply_lanes(&mut lanes);
            values[at] = lanes[0];
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn apply_lanes(self, lanes: &mut [f32; LANES]) {
        // By index, as everything that is hot here: see `super::mlp`.
        macro_rules! each {
            (|$x:ident| $y:expr) => {
                for lane in 0..LANES {
                    let $x = lanes[lane];
                    lanes[lane] = $y;
                }
            };
        }
        match self {
            Activation::Identity => {}
            Activation::Relu => each!(|x| if x > 0.0 { x } else { 0.0 }),
            Activation::ClippedRelu => each!(|x| clamp(x, 0.0, 1.0)),
            Activation::Softsign => each!(|x| x / (1.0 + x.abs())),
            Activation::Sigmoid => each!(|x| sigmoid(x)),
            Activation::Tanh => each!(|x| 2.0 * sigmoid(2.0 * x) - 1.0),
        }
    }
}

/// Like `f32::clamp`, in a form of which the compiler makes two instructions for eight numbers.
#[cfg_attr(fast, inline(always))]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

#[cfg_attr(fast, inline(always))]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The exponential function, right to some units in the last place, with a polynomial after Cephes' `expf`. The library's
/// is right to the last bit or nearly so, but differs from one library to another, and takes one number at a time.
#[cfg_attr(fast, inline(always))]
fn exp(x: f32) -> f32 {
    /// Adding it to a number below 2^22 rounds that to a whole number, in the low bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    // Beyond this a result is no normal number.
    let x = clamp(x, -87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let power = (shifted.to_bits().wrapping_sub(ROUND.to_bits())).wrapping_add(127) << 23;
    // The natural logarithm of 2 in two parts, of which the first times n is exact.
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_2e-4;
    p = p * r + 1.398_2e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    (p * r * r + r + 1.0) * f32::from_bits(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(activation: Activation, x: f32) -> f32 {
        let mut values = [x];
        activation.apply(&mut values);
        values[0]
    }

    #[test]
    fn each_is_what_its_formula_says() {
        for step in -4000..=4000 {
            let x = step as f32 / 100.0;
            let wide = f64::from(x);
            for (activation, expected) in [
                (Activation::Identity, wide),
                (Activation::Relu, wide.max(0.0)),
                (Activation::ClippedRelu, wide.clamp(0.0, 1.0)),
                (Activation::Softsign, wide / (1.0 + wide.abs())),
                (Activation::Sigmoid, 1.0 / (1.0 + libm::exp(-wide))),
                (Activation::Tanh, libm::tanh(wide)),
            ] {
                let found = f64::from(applied(activation, x));
                assert!((found - expected).abs() < 3e-7, "{activation:?} of {x}: {found}, not {expected}");
            }
        }
        for x in [-1e30, -1000.0, 1000.0, 1e30] {
            let sign = f32::from(u8::from(x > 0.0));
            assert_eq!(applied(Activation::Sigmoid, x).round(), sign);
            assert_eq!(applied(Activation::Tanh, x), 2.0 * sign - 1.0);
        }
    }

    #[test]
    fn slopes_are_those_of_the_curves() {
        for (_, activation) in Activation::ALL {
            for step in -30..30 {
                // Beside the corners.
                let x = step as f32 / 10.0 + 0.05;
                let slope = (applied(activation, x + 0.01) - applied(activation, x - 0.01)) / 0.02;
                let told = activation.slope(applied(activation, x));
                assert!((slope - told).abs() < 2e-3, "{activation:?} at {x}: {told}, not {slope}");
            }
        }
    }

    #[test]
    fn names_are_those_of_files() {
        for (name, activation) in Activation::ALL {
            assert_eq!(activation.name(), name);
            assert_eq!(serde_json::to_value(activation).expect("plain"), name);
        }
    }
}
