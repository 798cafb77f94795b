//! What is asked of a picture.

use super::theme::{LIGHT, Theme};
use crate::base::error::Error;

/// The narrowest and the broadest that a picture is shown, in pixels.
const WIDTHS: std::ops::RangeInclusive<f64> = 16.0..=16384.0;

/// What a move leaves to who plays it: 1 won, 0 drawn, -1 lost; and in how many turns the game ends, where that is known.
pub type MoveValue = (i8, Option<i64>);

/// What is asked of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The colours.
    pub theme: &'static Theme,
    /// The width in pixels, 16 to 16384; the height follows.
    pub size: f64,
    /// The seat from whose side the board is seen.
    pub orientation: usize,
    /// Whether the places are named beside the board or on it.
    pub coordinates: bool,
    /// Who moved last and the name of that action, to be marked.
    pub last: Option<(usize, String)>,
    /// Names of actions to be marked as legal moves.
    pub legal: Vec<String>,
    /// What actions are worth, by name, to be marked: for games that show them.
    pub values: Option<Vec<(String, MoveValue)>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            theme: &LIGHT,
            size: 480.0,
            orientation: 0,
            coordinates: true,
            last: None,
            legal: Vec::new(),
            values: None,
        }
    }
}

/// Refuses a width that no picture has.
pub(super) fn check_size(size: f64) -> Result<(), Error> {
    if WIDTHS.contains(&size) {
        return Ok(());
    }
    let (least, most) = (WIDTHS.start(), WIDTHS.end());
    Err(Error::new(format!("size must be a width in pixels from {least} to {most}, got {size}")))
}
