//! The bear-off of any game that has one.

use super::game::AnyGame;
use super::position::AnyPosition;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::exact::bear_off::{BearOff, solve};
use crate::games::{self, VisitRacing};
use crate::rules::game::FullGame;
use crate::rules::position::Position;
use crate::rules::racing::{BearsOff, Placing};
use crate::rules::rule_book;

/// Any [`BearOff`].
pub trait AnyBearOff: Send + Sync {
    /// See [`BearOff::placings`].
    fn placings(&self) -> &[Placing];
    /// See [`BearOff::all_turns`].
    fn all_turns(&self) -> &[f64];
    /// See [`BearOff::turns`].
    fn turns(&self, placing: &Placing) -> Option<f64>;
    /// See [`BearOff::distribution`].
    fn distribution(&self, placing: &Placing) -> Option<Vec<f64>>;
    /// See [`BearOff::value`].
    ///
    /// # Errors
    /// Where the position is of other rules.
    fn value(&self, position: &dyn AnyPosition) -> Result<Option<f64>, Error>;
}

impl<G: FullGame + BearsOff> AnyBearOff for BearOff<G> {
    fn placings(&self) -> &[Placing] {
        BearOff::placings(self)
    }
    fn all_turns(&self) -> &[f64] {
        BearOff::all_turns(self)
    }
    fn turns(&self, placing: &Placing) -> Option<f64> {
        BearOff::turns(self, placing)
    }
    fn distribution(&self, placing: &Placing) -> Option<Vec<f64>> {
        BearOff::distribution(self, placing)
    }
    fn value(&self, position: &dyn AnyPosition) -> Result<Option<f64>, Error> {
        let decisive = self.game().decisive_rules();
        match position.as_any().downcast_ref::<Position<G>>() {
            Some(position) if position.game().decisive_rules() == decisive => {
                Ok(BearOff::value(self, position.state()))
            }
            _ => {
                let rules: Vec<String> =
                    decisive.iter().map(|(name, value)| format!("{name}={value}")).collect();
                Err(Error::new(format!("the bear-off is of {} with {}", G::NAME, rules.join(", "))))
            }
        }
    }
}

/// Solves the bear-off of a game, see [`solve`]; `None` when it was stopped.
///
/// # Errors
/// As there, and for a game without one, naming those that have one.
///
/// ```
/// use sarai::base::control::Control;
/// use sarai::erased::{bear_off, registry};
/// let game = registry::find("sho")?.make(None, "{}")?;
/// assert!(bear_off::solve_any(&*game, 1, &Control::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_any(
    game: &dyn AnyGame,
    against: u8,
    control: &Control,
) -> Result<Option<Box<dyn AnyBearOff>>, Error> {
    type Solved = Result<Option<Box<dyn AnyBearOff>>, Error>;
    struct Find<'a> {
        game: &'a dyn AnyGame,
        against: u8,
        control: &'a Control,
        found: Option<Solved>,
        names: Vec<&'static str>,
    }
    impl VisitRacing for Find<'_> {
        fn game<G: FullGame + BearsOff>(&mut self) {
            self.names.push(G::NAME);
            if G::NAME == self.game.name()
                && let Ok(game) = rule_book::game_from_json::<G>(None, &self.game.rules().to_string())
            {
                let solved = solve(&game, self.against, self.control);
                self.found =
                    Some(solved.map(|solved| solved.map(|solved| Box::new(solved) as Box<dyn AnyBearOff>)));
            }
        }
    }
    let mut find = Find { game, against, control, found: None, names: Vec::new() };
    games::visit_racing(&mut find);
    let names = find.names.join(", ");
    find.found.unwrap_or_else(|| {
        Err(Error::new(format!("there is no bear-off for '{}', only for {names}", game.name())))
    })
}
