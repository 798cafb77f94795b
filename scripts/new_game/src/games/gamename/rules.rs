//! The options of Gamename and its presets.

use crate::rules::Preset;
use crate::rules::options::{Takes, options};

options! {
    /// The options of a game of Gamename.
    ///
    /// ```
    /// use sarai::Game;
    /// use sarai::games::gamename;
    /// let rules = |pieces| gamename::Rules { pieces, ..Default::default() };
    /// assert!(gamename::Gamename::new(rules(6)).is_ok());
    /// let error = gamename::Gamename::new(rules(7)).unwrap_err();
    /// assert_eq!(error.to_string(), "option 'pieces' got 7; it takes an integer from 1 to 6");
    /// ```
    pub struct Rules {
        /// how many pieces each player has (R1)
        pieces: u8 = 4 => Takes::integers(1, 6),
        /// whether bearing off takes an exact throw (R5)
        exact: bool = true,
        /// how many turns may pass before the game is a draw
        max_turns: u16 = 1000 => Takes::integers(1, 65535),
    }
}

pub(super) const PRESETS: &[Preset<Rules>] =
    &[Preset { name: "gamename", meaning: "the game as the source describes it", rules: Rules::default }];
