//! How the cells of an observation are laid out.

use super::const_for;

/// A part of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObservationPart {
    /// The name of the part.
    pub name: &'static str,
    /// The index of its first cell.
    pub start: usize,
    /// How many cells it has.
    pub len: usize,
    /// The smallest value that a cell takes.
    pub low: i8,
    /// The largest value that a cell takes.
    pub high: i8,
    /// What the cells mean, relative to the viewer.
    pub meaning: &'static str,
}

/// Numbers that experts of a game look at and no cell says: inputs of networks, see `sarai::nets::Encoding::Expert`.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Their names, and what they mean. Networks are made for these names: one whose number is computed in another way
    /// takes another name.
    pub parts: &'static [(&'static str, &'static str)],
    /// Whether they are the viewer's and there are as many of the enemy after them.
    pub sides: bool,
    /// Writes all of them, by the cells of an observation.
    pub write: fn(&[i8], &mut [f32]),
}

impl Features {
    /// None.
    pub const NONE: Self = Features { parts: &[], sides: false, write: |_, _| {} };

    /// The name and the meaning of each.
    pub fn named(&self) -> Vec<(String, &'static str)> {
        let of = |side: &'static str| {
            self.parts.iter().map(move |&(name, meaning)| (format!("{side}{name}"), meaning))
        };
        if self.sides { of("own_").chain(of("enemy_")).collect() } else { of("").collect() }
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "a count")]
    pub const fn len(&self) -> usize {
        self.parts.len() * (1 + self.sides as usize)
    }
}

/// Parts one after the other, each with its name, how many cells it has, their largest value and what they mean; the
/// smallest value is 0.
///
/// ```
/// use sarai::rules::observation::{ObservationPart, cells, layout};
/// const PARTS: [ObservationPart; 2] = layout([("track", 24, 1, "a stone"), ("die", 1, 6, "what was thrown")]);
/// assert_eq!((PARTS[1].start, cells(&PARTS)), (24, 25));
/// ```
pub const fn layout<const N: usize>(
    parts: [(&'static str, usize, i8, &'static str); N],
) -> [ObservationPart; N] {
    let mut laid = [ObservationPart { name: "", start: 0, len: 0, low: 0, high: 0, meaning: "" }; N];
    let mut start = 0;
    const_for!(0, N, |at| {
        let (name, len, high, meaning) = parts[at];
        laid[at] = ObservationPart { name, start, len, low: 0, high, meaning };
        start += len;
    });
    laid
}

/// Declares the parts of an observation in order, each with what its cells mean, its name, and the values and the number of
/// its cells: this makes `PARTS`, the number of cells `LEN`, and `AT`, where each part begins.
macro_rules! observation {
    ($( $(#[doc = $meaning:literal])+ $name:ident: [0..=$high:expr; $len:expr], )*) => {
        const PARTS: &[$crate::rules::ObservationPart] =
            &$crate::rules::layout([
                $((stringify!($name), $len, $high, concat!($($meaning),+).trim_ascii_start())),*
            ]);
        const LEN: usize = $crate::rules::cells(PARTS);

        #[allow(dead_code, reason = "not every part is found by where it begins")]
        struct At { $($name: usize),* }
        const AT: At = {
            let mut end = 0;
            At { $($name: { end += $len; end - $len }),* }
        };
    };
}
pub(crate) use observation;

/// How many cells the parts have together.
pub const fn cells(parts: &[ObservationPart]) -> usize {
    let mut cells = 0;
    const_for!(0, parts.len(), |at| {
        cells += parts[at].len;
    });
    cells
}
