//! The options of the game, its presets, and which options contradict each other.

use crate::base::error::Error;
use crate::rules::options::{Takes, options, words};
use crate::rules::{FirstPlayer, Preset};

words! {
    /// Who begins the moving phase (R3).
    pub enum Begin {
        /// The player who made the first mill, or the one who placed last if nobody made a mill.
        FirstMill = "first_mill",
        /// The player who placed first.
        FirstPlayer = "first_player",
    }

    /// What is removed between placing and moving (R4).
    pub enum OpeningRemovals {
        /// Each player removes an enemy stone, the one who begins the moving phase first.
        Both = "both",
        /// Nothing.
        None = "none",
    }

    /// Which stones a mill may capture (R6, R13).
    pub enum MillProtection {
        /// Any enemy stone.
        None = "none",
        /// Any enemy stone outside mills, or any stone at all if all are in mills.
        UnlessAllInMills = "unless_all_in_mills",
    }

    /// What happens when a player cannot move (R7).
    pub enum Blocked {
        /// The opponent makes extra moves until that player can move.
        OpponentOpens = "opponent_opens",
        /// That player loses.
        Loses = "loses",
    }
}

options! {
    /// The options of a game.
    ///
    /// ```
    /// use sarai::games::shah::{OpeningRemovals, Rules, Shah};
    /// use sarai::Game;
    /// assert!(Shah::new(Rules { pieces: 9, opening_removals: OpeningRemovals::None, ..Rules::default() }).is_ok());
    /// let error = Shah::new(Rules { pieces: 9, ..Rules::default() }).unwrap_err();
    /// assert!(error.to_string().starts_with("option 'opening_removals' = \"both\" needs pieces=12"));
    /// ```
    pub struct Rules {
        /// how many stones each player has (R1)
        pieces: u8 = 12 => Takes::integers(3, 12),
        /// whether a mill made while placing captures a stone (R13)
        placement_captures: bool = false,
        /// who begins the moving phase: the player who made the first mill, or the one who placed first (R3)
        begin: Begin = Begin::FirstMill,
        /// which stones are removed before the moving phase: one of each player's, or none (R4)
        opening_removals: OpeningRemovals = OpeningRemovals::Both,
        /// which stones are safe from capture: none, or those in mills unless all are in mills (R6, R13)
        mill_protection: MillProtection = MillProtection::None,
        /// whether a player with three stones and none in hand may move to any empty point (R14)
        flying: bool = false,
        /// what happens when a player cannot move: the opponent makes extra moves, or the player loses (R7)
        blocked: Blocked = Blocked::OpponentOpens,
        /// how many moves without a capture make the game a draw; 0 means any number (R10)
        no_capture_limit: u16 = 200 => Takes::integers(0, 65535),
        /// who places first
        first_player: FirstPlayer = FirstPlayer::default(),
        /// how many turns may pass before the game is a draw (R10)
        max_turns: u16 = 1000 => Takes::integers(1, 65535),
    }
}

pub(super) const PRESETS: &[Preset<Rules>] = &[
    Preset { name: "shah", meaning: "the game as the source describes it", rules: Rules::default },
    Preset {
        name: "nine_mens_morris",
        meaning: "the European relative with nine stones: mills capture while placing too, and three stones may fly",
        rules: || Rules {
            pieces: 9,
            placement_captures: true,
            begin: Begin::FirstPlayer,
            opening_removals: OpeningRemovals::None,
            mill_protection: MillProtection::UnlessAllInMills,
            flying: true,
            blocked: Blocked::Loses,
            no_capture_limit: 0,
            first_player: FirstPlayer::default(),
            max_turns: 200,
        },
    },
];

impl Rules {
    /// Refuses options that contradict each other.
    pub(super) fn validate(&self) -> Result<(), Error> {
        if self.opening_removals == OpeningRemovals::Both {
            let needs = "option 'opening_removals' = \"both\" needs pieces=12 and placement_captures=false: it is \
                         what makes room on a full board; set it to \"none\"";
            if self.pieces != 12 {
                return Err(Error::rules(format!("{needs}, or pieces to 12, not {}", self.pieces)));
            }
            if self.placement_captures {
                return Err(Error::rules(format!("{needs}, or placement_captures to false")));
            }
        }
        Ok(())
    }
}
