//! A solved table in memory.

use super::{Cell, Pair, Place};
use crate::base::error::Error;
use crate::base::memory::room_for;

/// Cells as numbers of the few different ones that there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Codes {
    /// At most 256 different cells.
    Narrow(Vec<u8>),
    /// More, low byte first.
    Wide(Vec<u16>),
}

/// The code of a cell in one byte or in two.
pub(super) trait Code: Copy + Default + Send {
    fn of(number: u16) -> Self;
    fn number(self) -> u16;
}

impl Code for u8 {
    #[cfg_attr(fast, inline(always))]
    fn of(number: u16) -> Self {
        number as u8
    }
    fn number(self) -> u16 {
        self as u16
    }
}

impl Code for u16 {
    #[cfg_attr(fast, inline(always))]
    fn of(number: u16) -> Self {
        number
    }
    fn number(self) -> u16 {
        self
    }
}

/// The table of one pair, solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Whose table it is.
    pub pair: Pair,
    /// How many columns a row has.
    pub columns: u32,
    /// The different cells, in ascending order of their bits.
    pub palette: Vec<Cell>,
    /// Which of them each cell is, row by row.
    pub codes: Codes,
}

impl Finished {
    /// A table of these cells, which are read twice.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn of<I: Iterator<Item = Cell>>(
        pair: Pair,
        columns: u32,
        len: usize,
        cells: impl Fn() -> I,
    ) -> Result<Finished, Error> {
        let mut seen = vec![false; 1 << 16];
        cells().for_each(|cell| seen[cell.to_bits() as usize] = true);
        let palette: Vec<Cell> =
            (0..=u16::MAX).filter(|&bits| seen[bits as usize]).map(Cell::from_bits).collect();
        let mut number = vec![0u16; 1 << 16];
        palette.iter().enumerate().for_each(|(n, cell)| number[cell.to_bits() as usize] = n as u16);
        let codes = if palette.len() <= 256 {
            let mut codes = room_for(len)?;
            codes.extend(cells().map(|cell| number[cell.to_bits() as usize] as u8));
            Codes::Narrow(codes)
        } else {
            let mut codes = room_for(len)?;
            codes.extend(cells().map(|cell| number[cell.to_bits() as usize]));
            Codes::Wide(codes)
        };
        Ok(Finished { pair, columns, palette, codes })
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        match &self.codes {
            Codes::Narrow(codes) => codes.len(),
            Codes::Wide(codes) => codes.len(),
        }
    }

    /// Whether there are none: never, as a table has rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell with this number.
    #[cfg_attr(fast, inline(always))]
    pub fn at(&self, index: usize) -> Cell {
        self.palette[self.code(index)]
    }

    /// Where the cell with this number is in the palette.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn code(&self, index: usize) -> usize {
        match &self.codes {
            Codes::Narrow(codes) => codes[index] as usize,
            Codes::Wide(codes) => codes[index] as usize,
        }
    }

    /// The cell in this place.
    #[cfg_attr(fast, inline(always))]
    pub fn get(&self, place: Place) -> Cell {
        self.at(place.index(self.columns))
    }
}
