//! How a network learns; not built for browsers.

use super::{Layout, MAX_UNITS, Mlp, padded};
use crate::base::cpu::multiversion;
use crate::nets::MAX_CELLS;
use crate::nets::activation::Activation;
use crate::nets::encoding::Take;
use crate::rules::{Encode, Player};

impl Mlp {
    /// Takes a step down the slope of half the squared distance of the outputs from `targets`, or of the cross-entropy where
    /// they are sigmoids: the weights of the first layer by `rates.0`, those of the last by `rates.1`.
    ///
    /// # Panics
    /// When there is not exactly one hidden layer, or not a target for each output.
    #[cfg_attr(fast, inline(always))]
    pub(crate) fn learn<G: Encode>(
        &mut self,
        game: &G,
        state: &G::State,
        viewer: Player,
        rates: (f32, f32),
        targets: &[f32],
    ) {
        let mut cells = [0; MAX_CELLS];
        game.observe(state, viewer, &mut cells[..G::OBSERVATION_LEN]);
        self.learn_from(&cells, rates, targets);
    }

    #[inline(never)]
    fn learn_from(&mut self, cells: &[i8; MAX_CELLS], rates: (f32, f32), targets: &[f32]) {
        learn(self, cells, rates, targets);
    }

    #[cfg_attr(fast, inline(always))]
    fn learn_within<const W: usize>(&mut self, cells: &[i8; MAX_CELLS], rates: (f32, f32), targets: &[f32]) {
        let (mut hidden, mut out, mut slopes) = ([0.0; W], [0.0; W], [0.0; W]);
        self.first_layer(cells, &mut hidden);
        let Mlp { inputs, first, later, .. } = self;
        let [last] = &mut later[..] else { panic!("a network with one hidden layer") };
        let width = padded(last.inputs);
        last.dense(&hidden[..width], &mut out);
        assert!(last.layout == Layout::ByUnit && targets.len() == last.units, "a target for each output");
        let (hidden, slopes) = (&hidden[..width], &mut slopes[..width]);
        for output in 0..targets.len() {
            let mut down = targets[output] - out[output];
            if last.activation != Activation::Sigmoid {
                down *= last.activation.slope(out[output]);
            }
            let step = rates.1 * down;
            let weights = &mut last.weights[output * width..][..width];
            for unit in 0..width {
                slopes[unit] += down * weights[unit];
                weights[unit] += step * hidden[unit];
            }
            last.bias[output] += step;
        }
        for unit in 0..width {
            slopes[unit] *= rates.0 * first.activation.slope(hidden[unit]);
        }
        // Units that are there to fill the lanes learn nothing.
        slopes[first.units..].fill(0.0);
        let bias = &mut first.bias[..width];
        for unit in 0..width {
            bias[unit] += slopes[unit];
        }
        let steps = &*slopes;
        let featured = inputs.featured(cells);
        inputs.each(cells, &featured, &mut Steps { steps, weights: &mut first.weights });
    }
}

impl Activation {
    /// The slope, by what it has made of the sum.
    #[cfg_attr(fast, inline(always))]
    pub(in crate::nets) fn slope(self, y: f32) -> f32 {
        match self {
            Activation::Identity => 1.0,
            Activation::Relu => f32::from(u8::from(y > 0.0)),
            Activation::ClippedRelu => f32::from(u8::from(y > 0.0 && y < 1.0)),
            Activation::Softsign => (1.0 - y.abs()) * (1.0 - y.abs()),
            Activation::Sigmoid => y * (1.0 - y),
            Activation::Tanh => 1.0 - y * y,
        }
    }
}

/// How far the weights of the first layer go, for an input of 1.
struct Steps<'a> {
    steps: &'a [f32],
    weights: &'a mut [f32],
}

impl Take for Steps<'_> {
    #[cfg_attr(fast, inline(always))]
    fn take(&mut self, input: usize, value: f32) {
        let steps = self.steps;
        let row = &mut self.weights[input * steps.len()..][..steps.len()];
        for unit in 0..steps.len() {
            row[unit] += value * steps[unit];
        }
    }
}

multiversion! {
    fn learn[](mlp: &mut Mlp, cells: &[i8; MAX_CELLS], rates: (f32, f32), targets: &[f32]) -> () {
        match mlp.widest {
            ..=64 => mlp.learn_within::<64>(cells, rates, targets),
            65..=256 => mlp.learn_within::<256>(cells, rates, targets),
            _ => mlp.learn_within::<MAX_UNITS>(cells, rates, targets),
        }
    }
}
