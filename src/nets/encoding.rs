//! How the cells of an observation become the inputs of a network.

use serde::{Deserialize, Serialize};

use super::{MAX_CELLS, MAX_FEATURES};
use crate::rules::{Features, ObservationPart, cells};

/// From this value on a count adds to one input.
const STEPS: u8 = 3;

/// The largest bound of a cell that is a count of pieces; what may be larger is a number such as that of turns left.
const LARGEST_COUNT: i8 = 16;

/// How the cells of an observation become inputs. A cell that is 0 has no input that is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// One input a cell: its value.
    Raw,
    /// One input a cell: its value divided by the largest that it takes.
    Scaled,
    /// A cell that takes 0 to `high`, where `high` is 16 or less, has an input each for "1 or more", "2 or more" and "3 or
    /// more", as far as it may hold so much, and one more for what is beyond 3, in halves: a blot, a made point and a stack
    /// are different things, and not multiples of each other. Other cells are scaled.
    Unary,
    /// The inputs of [`Encoding::Unary`], and then the [`Features`] of the game, if it has any.
    Expert,
}

impl Encoding {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, Encoding); 4] = [
        ("raw", Encoding::Raw),
        ("scaled", Encoding::Scaled),
        ("unary", Encoding::Unary),
        ("expert", Encoding::Expert),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// The inputs of one cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The number of its first input.
    first: u32,
    /// How many inputs say "so much or more".
    ones: i8,
    low: i8,
    high: i8,
    /// The input after these is what is beyond them, divided by this.
    divisor: f32,
}

/// What is done with each input that is not 0. No closure, which the compiler might leave outside the form for this
/// processor: see [`crate::base::cpu`].
pub(super) trait Take {
    /// Takes an input, by its number, and its value.
    fn take(&mut self, input: usize, value: f32);
}

/// The inputs, one beside the other.
struct Written<'a>(&'a mut [f32]);

impl Take for Written<'_> {
    #[cfg_attr(fast, inline(always))]
    fn take(&mut self, input: usize, value: f32) {
        self.0[input] = value;
    }
}

/// The inputs of an observation.
#[derive(Clone, Debug)]
pub struct Inputs {
    encoding: Encoding,
    cells: Vec<Cell>,
    /// How many inputs the cells have.
    of_cells: usize,
    features: Features,
}

/// What the features of an observation are.
pub(super) type Featured = [f32; MAX_FEATURES];

impl Inputs {
    /// The inputs of observations of this layout.
    ///
    /// # Panics
    /// When it has more than [`MAX_CELLS`] cells or [`MAX_FEATURES`] features.
    pub fn new(encoding: Encoding, layout: &[ObservationPart], features: Features) -> Self {
        assert!(cells(layout) <= MAX_CELLS, "an observation of more than {MAX_CELLS} cells");
        assert!(features.len() <= MAX_FEATURES, "more than {MAX_FEATURES} features");
        let mut all = Vec::with_capacity(cells(layout));
        let mut len = 0;
        for part in layout {
            let (low, high) = (part.low, part.high);
            let is_count = low == 0 && high <= LARGEST_COUNT;
            let (ones, divisor, inputs) = match encoding {
                Encoding::Unary | Encoding::Expert if is_count => {
                    let ones = high.min(STEPS as i8);
                    (ones, 2.0, ones as u32 + u32::from(high > ones))
                }
                Encoding::Raw => (0, 1.0, 1),
                _ => (0, f32::from(high.unsigned_abs().max(low.unsigned_abs()).max(1)), 1),
            };
            for _ in 0..part.len {
                all.push(Cell { first: len, ones, low, high, divisor });
                len += inputs;
            }
        }
        let features = if encoding == Encoding::Expert { features } else { Features::NONE };
        Inputs { encoding, cells: all, of_cells: len as usize, features }
    }

    /// What they are made by.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "every game has some")]
    pub fn len(&self) -> usize {
        self.of_cells + self.features.len()
    }

    /// How many cells an observation has.
    pub fn num_cells(&self) -> usize {
        self.cells.len()
    }

    /// The first cell that holds what it cannot hold, with the smallest and the largest value that it can.
    pub fn foreign(&self, observation: &[i8]) -> Option<(usize, i8, i8)> {
        let fits = |(&value, cell): (&i8, &Cell)| cell.low <= value && value <= cell.high;
        let at = observation.iter().zip(&self.cells).position(|pair| !fits(pair))?;
        Some((at, self.cells[at].low, self.cells[at].high))
    }

    /// The features of an observation.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn featured(&self, observation: &[i8; MAX_CELLS]) -> Featured {
        let mut featured = [0.0; MAX_FEATURES];
        let count = self.features.len();
        if count > 0 {
            (self.features.write)(&observation[..self.cells.len()], &mut featured[..count]);
        }
        featured
    }

    /// Hands over each input that is not 0, in ascending order.
    #[cfg_attr(fast, inline(always))]
    #[expect(clippy::needless_range_loop, reason = "by index, as everything that is hot in `super::mlp`")]
    pub(super) fn each(&self, observation: &[i8; MAX_CELLS], featured: &Featured, to: &mut impl Take) {
        // Eight cells at a time: most are 0.
        let (words, _) = observation.as_chunks::<8>();
        for number in 0..self.cells.len().div_ceil(8) {
            let word = &words[number];
            let [a, b, c, d, e, f, g, h] = *word;
            let bytes = [a as u8, b as u8, c as u8, d as u8, e as u8, f as u8, g as u8, h as u8];
            let mut word = u64::from_le_bytes(bytes);
            while word != 0 {
                let within = word.trailing_zeros() / 8;
                word &= !(0xff << (8 * within));
                let at = 8 * number + within as usize;
                let Some(&Cell { first, ones, divisor, .. }) = self.cells.get(at) else { break };
                let value = observation[at];
                let first = first as usize;
                for input in 0..value.min(ones) {
                    to.take(first + input as usize, 1.0);
                }
                if value < 0 || value > ones {
                    to.take(first + ones as usize, f32::from(value.wrapping_sub(ones)) / divisor);
                }
            }
        }
        for at in 0..self.features.len() {
            if featured[at] != 0.0 {
                to.take(self.of_cells + at, featured[at]);
            }
        }
    }

    /// Writes all of them.
    ///
    /// # Panics
    /// When the observation or `out` has another length, or a cell holds what it cannot hold.
    pub fn write(&self, observation: &[i8], out: &mut [f32]) {
        assert_eq!(out.len(), self.len(), "a number for each input");
        assert_eq!(observation.len(), self.cells.len(), "a value for each cell");
        assert_eq!(self.foreign(observation), None, "a value that its cell can hold");
        out.fill(0.0);
        let mut cells = [0; MAX_CELLS];
        cells[..observation.len()].copy_from_slice(observation);
        self.each(&cells, &self.featured(&cells), &mut Written(out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::layout;

    const LAYOUT: [ObservationPart; 4] =
        layout([("point", 2, 15, ""), ("seat", 1, 1, ""), ("die", 1, 2, ""), ("turns", 1, 127, "")]);

    fn encoded(encoding: Encoding, observation: [i8; 5]) -> Vec<f32> {
        let inputs = Inputs::new(encoding, &LAYOUT, Features::NONE);
        let mut out = vec![9.0; inputs.len()];
        inputs.write(&observation, &mut out);
        out
    }

    #[test]
    fn each_encoding_is_what_it_says() {
        assert_eq!(encoded(Encoding::Raw, [2, 15, 1, 2, 127]), [2.0, 15.0, 1.0, 2.0, 127.0]);
        assert_eq!(encoded(Encoding::Scaled, [3, 15, 1, 1, 127]), [3.0 / 15.0, 1.0, 1.0, 0.5, 1.0]);
        assert_eq!(
            encoded(Encoding::Unary, [2, 15, 1, 2, 127]),
            [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 6.0, 1.0, 1.0, 1.0, 1.0]
        );
        assert_eq!(encoded(Encoding::Unary, [0, 4, 0, 1, 0])[4..], [1.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 0.0]);
        assert!((0..4).all(|at| encoded(Encoding::ALL[at].1, [0; 5]).iter().all(|&x| x == 0.0)));
    }

    #[test]
    fn cells_below_zero_are_scaled() {
        let parts = [ObservationPart { name: "", start: 0, len: 2, low: -4, high: 2, meaning: "" }];
        let inputs = Inputs::new(Encoding::Unary, &parts, Features::NONE);
        let mut out = [0.0; 2];
        inputs.write(&[-4, 2], &mut out);
        assert_eq!(out, [-1.0, 0.5]);
    }

    #[test]
    fn foreign_cells_are_found() {
        let inputs = Inputs::new(Encoding::Unary, &LAYOUT, Features::NONE);
        assert_eq!(inputs.foreign(&[0, 15, 1, 2, 127]), None);
        assert_eq!(inputs.foreign(&[0, 16, 1, 2, 127]), Some((1, 0, 15)));
        assert_eq!(inputs.foreign(&[0, 1, -1, 2, 127]), Some((2, 0, 1)));
    }
}
