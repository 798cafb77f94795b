//! The options of Shuanglu and its presets.

use crate::rules::Preset;
use crate::rules::options::{Takes, options, words};

words! {
    /// Where the pieces stand at the start.
    pub enum Setup {
        /// As in the English game: two on 24, five on 13, three on 8, five on 6.
        English = "english",
        /// The catalogue's numbers, counted from where pieces enter: two on 1, five on 12, three on 17, five on 19.
        FromOrigin = "from_origin",
    }

    /// How pieces are borne off (R6).
    pub enum BearOff {
        /// Only from the point whose number the die shows.
        Exact = "exact",
        /// Also from the highest point that has a piece, if the die shows more than its number.
        Overshoot = "overshoot",
    }

    /// What a win is worth (R9).
    pub enum Scoring {
        /// One.
        Single = "single",
        /// Two or three against a loser who has borne off nothing.
        Gammon = "gammon",
    }
}

options! {
    /// The options of a game of Shuanglu.
    ///
    /// ```
    /// use sarai::games::shuanglu::{Rules, Shuanglu};
    /// use sarai::Game;
    /// assert!(Shuanglu::new(Rules { doubles: 4, ..Rules::default() }).is_ok());
    /// let error = Shuanglu::new(Rules { doubles: 3, ..Rules::default() }).unwrap_err();
    /// assert_eq!(error.to_string(), "option 'doubles' got 3; it takes 2 or 4");
    /// ```
    pub struct Rules {
        /// where the pieces start: 24:2 13:5 8:3 6:5, or 1:2 12:5 17:3 19:5
        setup: Setup = Setup::English,
        /// how many moves a double gives (R3)
        doubles: u8 = 2 => Takes::OneOf { values: &[2, 4] },
        /// whether a die may also bear off from the highest point if that is below its number (R6)
        bear_off: BearOff = BearOff::Exact,
        /// whether the larger of two different dice must be played when either can be but not both (R7)
        larger_die: bool = true,
        /// what a win is worth: always 1, or 2 or 3 against a loser who has borne off nothing (R9)
        scoring: Scoring = Scoring::Single,
        /// how many turns may pass before the game is a draw
        max_turns: u16 = 2000 => Takes::integers(1, 65535),
    }
}

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "shuanglu", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "backgammon",
        meaning: "Western backgammon without the cube: a double gives four moves, and high dice may bear off from lower points",
        rules: || Rules { doubles: 4, bear_off: BearOff::Overshoot, ..Rules::default() },
    },
    Preset {
        name: "catalogue",
        meaning: "the setup with the catalogue's numbers counted from where pieces enter",
        rules: || Rules { setup: Setup::FromOrigin, ..Rules::default() },
    },
];

impl Rules {
    /// Points and pieces at the start, the same for both players.
    pub(super) fn setup(&self) -> [(usize, u8); 4] {
        match self.setup {
            Setup::English => [(24, 2), (13, 5), (8, 3), (6, 5)],
            Setup::FromOrigin => [(1, 2), (12, 5), (17, 3), (19, 5)],
        }
    }
}
