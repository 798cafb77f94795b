//! The options of T'shu-p'u and its presets.

use crate::rules::options::{Takes, options, words};
use crate::rules::{FirstPlayer, Preset};

words! {
    /// Which squares are cross-cuts (R7).
    pub enum Crosscuts {
        /// Two on the sides of each arm.
        Sides = "sides",
        /// Those, and the four start squares.
        SidesAndEnds = "sides_and_ends",
    }

    /// What a player does after bearing off all pieces while the partner still has some (R12).
    pub enum FinishedPlayer {
        /// Nothing: the turn passes without a throw.
        Pass = "pass",
        /// The player throws and moves the partner's pieces.
        PartnerPlays = "partner_plays",
    }
}

options! {
    /// The options of a game of T'shu-p'u.
    ///
    /// ```
    /// use sarai::games::tshupu::{Crosscuts, Rules, TshuPu};
    /// use sarai::Game;
    /// assert!(TshuPu::new(Rules { crosscuts: Crosscuts::SidesAndEnds, ..Rules::default() }).is_ok());
    /// let error = TshuPu::new(Rules { pieces: 5, ..Rules::default() }).unwrap_err();
    /// assert_eq!(error.to_string(), "option 'pieces' got 5; it takes an integer from 1 to 4");
    /// ```
    pub struct Rules {
        /// how many pieces each player has (R1)
        pieces: u8 = 4 => Takes::integers(1, 4),
        /// which squares are cross-cuts: on the sides of the arms, or the start squares too (R7)
        crosscuts: Crosscuts = Crosscuts::Sides,
        /// whether one piece may move by both dice, one after the other, landing in between (R3)
        same_piece_both_dice: bool = false,
        /// what a player does after bearing off all pieces: pass, or move the partner's pieces (R12)
        finished_player: FinishedPlayer = FinishedPlayer::Pass,
        /// who begins (R2)
        first_player: FirstPlayer = FirstPlayer::default(),
        /// how many turns may pass before the game is a draw
        max_turns: u16 = 2000 => Takes::integers(1, 65535),
    }
}

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "tshupu", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "chaupar_style",
        meaning: "with cross-cuts on the start squares too, and finished players who play for their partners",
        rules: || Rules {
            crosscuts: Crosscuts::SidesAndEnds,
            finished_player: FinishedPlayer::PartnerPlays,
            ..Rules::default()
        },
    },
];
