//! The arithmetic of a network.
//!
//! All of it is in f32, every operation is rounded by itself (no fused multiply-add), and the order of additions is fixed,
//! so that a position has the same bits on every machine, thread and in every batch:
//! - A unit of the first layer begins with its bias and adds its inputs that are not 0, in ascending order.
//! - A unit of a later layer with 8 units or more does the same.
//! - A unit of a later layer with fewer units, or of the last layer of a network with logits, has 8 sums: sum `k` begins with 0 and adds inputs `k`, `k + 8`, and so on.
//!   Then sums 4 to 7 are added to sums 0 to 3, of these the last two to the first two, the second to the first, and the
//!   bias to that.
//!
//! Eight units (or sums) go through the processor together, which changes nothing in what each of them adds.
//!
//! Loops go by index: what iterators are made of is not always compiled into the form for this processor.
#![expect(clippy::needless_range_loop, reason = "see above")]

use super::MAX_CELLS;
use super::activation::{Activation, LANES};
use super::encoding::{Featured, Inputs, Take};
use crate::base::cpu::multiversion;
use crate::rules::{Encode, Player};

#[cfg(not(target_family = "wasm"))]
mod learning;

/// The most layers of a network.
pub const MAX_LAYERS: usize = 8;

/// The most units of a layer.
pub const MAX_UNITS: usize = 1024;

/// So many lanes of sums stay in registers while the inputs go by.
const TOGETHER: usize = 8;

/// Goes through the units of a layer, so many lanes at a time: each form is long, and what is left over in two rounds takes
/// little longer than in one.
macro_rules! tiles {
    ($width:expr, |$lanes:ident, $at:ident| $each:expr) => {{
        let mut $at = 0;
        macro_rules! tile {
            ($count:expr) => {{
                const $lanes: usize = $count;
                $each;
                $count
            }};
        }
        while $at < $width {
            $at += LANES
                * match ($width - $at) / LANES {
                    1 => tile!(1),
                    2 | 3 => tile!(2),
                    4 => tile!(4),
                    5..TOGETHER => tile!(5),
                    _ => tile!(TOGETHER),
                };
        }
    }};
}

/// A layer, as it is given: unit by unit, as in PyTorch.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// For each unit, the weight of each input.
    pub weights: Vec<f32>,
    /// For each unit, what it adds.
    pub bias: Vec<f32>,
    /// What is made of the sums.
    pub activation: Activation,
}

/// How the weights of a layer lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Input by input, the units padded to whole lanes.
    ByInput,
    /// Unit by unit, the inputs padded.
    ByUnit,
}

/// A layer, as it is worked with.
#[derive(Clone, Debug)]
struct Packed {
    inputs: usize,
    units: usize,
    layout: Layout,
    weights: Vec<f32>,
    bias: Vec<f32>,
    activation: Activation,
}

fn padded(len: usize) -> usize {
    len.next_multiple_of(LANES)
}

impl Packed {
    fn new(Layer { weights, bias, activation }: Layer, inputs: usize, layout: Layout) -> Self {
        let units = bias.len();
        assert_eq!(weights.len(), units * inputs, "a weight for each input of each unit");
        let mut packed = Packed { inputs, units, layout, weights: Vec::new(), bias, activation };
        match layout {
            Layout::ByInput => {
                packed.bias.resize(padded(units), 0.0);
                packed.weights.resize(inputs * padded(units), 0.0);
            }
            Layout::ByUnit => packed.weights.resize(units * padded(inputs), 0.0),
        }
        for unit in 0..units {
            for input in 0..inputs {
                let at = packed.at(unit, input);
                packed.weights[at] = weights[unit * inputs + input];
            }
        }
        packed
    }

    fn at(&self, unit: usize, input: usize) -> usize {
        match self.layout {
            Layout::ByInput => input * padded(self.units) + unit,
            Layout::ByUnit => unit * padded(self.inputs) + input,
        }
    }

    fn unpacked(&self) -> Layer {
        let weight = |number| self.weights[self.at(number / self.inputs, number % self.inputs)];
        Layer {
            weights: (0..self.units * self.inputs).map(weight).collect(),
            bias: self.bias[..self.units].to_vec(),
            activation: self.activation,
        }
    }

    /// The units, of a layer that is not the first. What is before and after them in whole lanes may be anything, but a
    /// number; the weights there are 0.
    #[cfg_attr(fast, inline(always))]
    fn dense(&self, from: &[f32], to: &mut [f32]) {
        match self.layout {
            Layout::ByInput => {
                let width = padded(self.units);
                let (mut live, mut count) = ([0; MAX_UNITS], 0);
                for input in 0..self.inputs {
                    live[count] = input as u16;
                    count += usize::from(from[input] != 0.0);
                }
                tiles!(width, |K, at| self.tile::<K>(from, &live[..count], at, to));
                self.activation.apply(&mut to[..width]);
            }
            Layout::ByUnit => {
                for unit in 0..self.units {
                    to[unit] = self.unit(from, unit);
                }
                self.activation.apply(&mut to[..self.units]);
            }
        }
    }

    /// The sums of so many lanes of units from unit `at` on, of these inputs.
    #[cfg_attr(fast, inline(always))]
    fn tile<const K: usize>(&self, from: &[f32], live: &[u16], at: usize, to: &mut [f32]) {
        let mut all = Sums::<K>::new(self, at);
        for number in 0..live.len() {
            let input = live[number] as usize;
            all.take(input, from[input]);
        }
        all.write(to);
    }

    /// One unit before its activation, of a layer that lies by units.
    #[cfg_attr(fast, inline(always))]
    fn unit(&self, from: &[f32], unit: usize) -> f32 {
        let width = padded(self.inputs);
        let (from, row) = (&from[..width], &self.weights[unit * width..][..width]);
        let mut sums = [0.0; LANES];
        for lanes in 0..width / LANES {
            for lane in 0..LANES {
                sums[lane] += from[lanes * LANES + lane] * row[lanes * LANES + lane];
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        (((a + e) + (c + g)) + ((b + f) + (d + h))) + self.bias[unit]
    }
}

/// A multilayer perceptron.
///
/// ```
/// use sarai::games::shah::Shah;
/// use sarai::nets::{Activation, Encoding, Inputs, Layer, Mlp};
/// use sarai::{Encode, Game, Player};
/// let game = Shah::new(Default::default())?;
/// let inputs = Inputs::new(Encoding::Raw, Shah::OBSERVATION, Shah::FEATURES);
/// // One unit, which counts the empty points.
/// let cells = |part: &'static str| Shah::OBSERVATION.iter().filter(move |p| p.name == part).flat_map(|p| p.start..p.start + p.len);
/// let mut weights = vec![0.0; inputs.len()];
/// cells("empty").for_each(|cell| weights[cell] = 1.0);
/// let mlp = Mlp::new(inputs, vec![Layer { weights, bias: vec![0.5], activation: Activation::Identity }]);
/// let mut out = [0.0];
/// mlp.judge(&game, &game.initial_state(), Player(0), &mut out);
/// assert_eq!(out, [24.5]);
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mlp {
    inputs: Inputs,
    first: Packed,
    later: Vec<Packed>,
    /// The units of the largest layer, padded.
    widest: usize,
}

impl Mlp {
    /// A network of these layers.
    ///
    /// # Panics
    /// When there are none or more than [`MAX_LAYERS`], one has no unit or more than [`MAX_UNITS`], or a layer does not have
    /// a weight for each unit of the one before it.
    pub fn new(inputs: Inputs, layers: Vec<Layer>) -> Self {
        Self::packed(inputs, layers, false)
    }

    /// The same for one whose outputs are asked for one by one, of which most are not needed: the logits of actions.
    ///
    /// # Panics
    /// As [`Mlp::new`].
    pub fn one_by_one(inputs: Inputs, layers: Vec<Layer>) -> Self {
        Self::packed(inputs, layers, true)
    }

    fn packed(inputs: Inputs, layers: Vec<Layer>, one_by_one: bool) -> Self {
        assert!((1..=MAX_LAYERS).contains(&layers.len()), "1 to {MAX_LAYERS} layers");
        let last = layers.len() - 1;
        let mut before = inputs.len();
        let mut packed = Vec::with_capacity(layers.len());
        for (number, layer) in layers.into_iter().enumerate() {
            let units = layer.bias.len();
            assert!((1..=MAX_UNITS).contains(&units), "1 to {MAX_UNITS} units");
            let by_unit = number > 0 && (units < LANES || one_by_one && number == last);
            let layout = if by_unit { Layout::ByUnit } else { Layout::ByInput };
            packed.push(Packed::new(layer, before, layout));
            before = units;
        }
        let widest = packed.iter().map(|layer| padded(layer.units)).max().unwrap_or(0);
        let first = packed.remove(0);
        Mlp { inputs, first, later: packed, widest }
    }

    /// How cells become inputs.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The layers, as they were given.
    pub fn layers(&self) -> Vec<Layer> {
        std::iter::once(&self.first).chain(&self.later).map(Packed::unpacked).collect()
    }

    /// How many numbers come out.
    pub fn outputs(&self) -> usize {
        self.later.last().unwrap_or(&self.first).units
    }

    /// The units of each layer, the last of which are the outputs.
    pub fn units(&self) -> impl Iterator<Item = usize> {
        std::iter::once(&self.first).chain(&self.later).map(|layer| layer.units)
    }

    /// What comes out for a position, as this player sees it.
    ///
    /// # Panics
    /// When `out` does not have [`Mlp::outputs`] cells, or the observations of the game are not those of the network.
    #[cfg_attr(fast, inline(always))]
    pub fn judge<G: Encode>(&self, game: &G, state: &G::State, viewer: Player, out: &mut [f32]) {
        let mut cells = [0; MAX_CELLS];
        game.observe(state, viewer, &mut cells[..G::OBSERVATION_LEN]);
        self.outputs_of(&cells, None, out);
    }

    /// Only these outputs, in this order, of a network that is made for it with [`Mlp::one_by_one`].
    ///
    /// # Panics
    /// When it is not, there is no such output, `out` does not have a cell for each, or the observations of the game are not
    /// those of the network.
    #[cfg_attr(fast, inline(always))]
    pub fn judge_some<G: Encode>(
        &self,
        game: &G,
        state: &G::State,
        viewer: Player,
        wanted: &[u16],
        out: &mut [f32],
    ) {
        let mut cells = [0; MAX_CELLS];
        game.observe(state, viewer, &mut cells[..G::OBSERVATION_LEN]);
        self.outputs_of(&cells, Some(wanted), out);
    }

    /// What comes out for an observation.
    ///
    /// # Panics
    /// When `out` does not have [`Mlp::outputs`] cells, or the observation has another length or a value that its cell
    /// cannot hold.
    pub fn evaluate(&self, observation: &[i8], out: &mut [f32]) {
        assert_eq!(observation.len(), self.inputs.num_cells(), "a value for each cell");
        assert_eq!(self.inputs.foreign(observation), None, "a value that its cell can hold");
        let mut cells = [0; MAX_CELLS];
        cells[..observation.len()].copy_from_slice(observation);
        self.outputs_of(&cells, None, out);
    }

    /// Compiled once, and not with each game and each place where it is asked: it is long.
    #[inline(never)]
    fn outputs_of(&self, cells: &[i8; MAX_CELLS], wanted: Option<&[u16]>, out: &mut [f32]) {
        forward(self, cells, wanted, out);
    }

    #[cfg_attr(fast, inline(always))]
    fn forward_within<const W: usize>(
        &self,
        cells: &[i8; MAX_CELLS],
        wanted: Option<&[u16]>,
        out: &mut [f32],
    ) {
        let (mut here, mut next) = ([0.0; W], [0.0; W]);
        self.first_layer(cells, &mut here);
        let whole = self.later.len() - usize::from(wanted.is_some() && !self.later.is_empty());
        for layer in &self.later[..whole] {
            layer.dense(&here[..padded(layer.inputs)], &mut next);
            // What is beyond the units belongs to a layer before.
            next[layer.units..padded(layer.units)].fill(0.0);
            std::mem::swap(&mut here, &mut next);
        }
        let Some(wanted) = wanted else { return out.copy_from_slice(&here[..self.outputs()]) };
        let out = &mut out[..wanted.len()];
        let Some(last) = self.later.last() else {
            return (0..wanted.len()).for_each(|at| out[at] = here[wanted[at] as usize]);
        };
        for at in 0..wanted.len() {
            out[at] = last.unit(&here, wanted[at] as usize);
        }
        last.activation.apply(out);
    }

    #[cfg_attr(fast, inline(always))]
    fn first_layer(&self, cells: &[i8; MAX_CELLS], to: &mut [f32]) {
        let width = self.first.bias.len();
        let featured = self.inputs.featured(cells);
        tiles!(width, |K, at| self.sums::<K>(cells, &featured, at, to));
        self.first.activation.apply(&mut to[..width]);
        to[self.first.units..width].fill(0.0);
    }

    /// The sums of so many lanes of units, from unit `at` on.
    #[cfg_attr(fast, inline(always))]
    fn sums<const K: usize>(&self, cells: &[i8; MAX_CELLS], featured: &Featured, at: usize, to: &mut [f32]) {
        let mut all = Sums::<K>::new(&self.first, at);
        self.inputs.each(cells, featured, &mut all);
        all.write(to);
    }
}

/// Sums of some lanes of units of a layer that lies by inputs.
struct Sums<'a, const K: usize> {
    sums: [[f32; LANES]; K],
    weights: &'a [f32],
    width: usize,
    /// The first of the units.
    at: usize,
}

impl<'a, const K: usize> Sums<'a, K> {
    #[cfg_attr(fast, inline(always))]
    fn new(Packed { weights, bias, .. }: &'a Packed, at: usize) -> Self {
        let mut all = Sums { sums: [[0.0; LANES]; K], weights, width: bias.len(), at };
        let bias = &bias[at..][..K * LANES];
        for lanes in 0..K {
            for lane in 0..LANES {
                all.sums[lanes][lane] = bias[lanes * LANES + lane];
            }
        }
        all
    }

    #[cfg_attr(fast, inline(always))]
    fn write(&self, to: &mut [f32]) {
        for lanes in 0..K {
            to[self.at + lanes * LANES..][..LANES].copy_from_slice(&self.sums[lanes]);
        }
    }
}

impl<const K: usize> Take for Sums<'_, K> {
    #[cfg_attr(fast, inline(always))]
    fn take(&mut self, input: usize, value: f32) {
        let row = &self.weights[input * self.width + self.at..][..K * LANES];
        for lanes in 0..K {
            for lane in 0..LANES {
                self.sums[lanes][lane] += value * row[lanes * LANES + lane];
            }
        }
    }
}

multiversion! {
    fn forward[](mlp: &Mlp, cells: &[i8; MAX_CELLS], wanted: Option<&[u16]>, out: &mut [f32]) -> () {
        match mlp.widest {
            ..=64 => mlp.forward_within::<64>(cells, wanted, out),
            65..=256 => mlp.forward_within::<256>(cells, wanted, out),
            _ => mlp.forward_within::<MAX_UNITS>(cells, wanted, out),
        }
    }
}
