//! The agent "perfect" where there are no files: no tables can be named, so that there is none.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::sync::Arc;

use super::analysis::Analysis;
use crate::base::error::{Error, shorten};
use crate::rules::action::Action;
use crate::rules::game::Game;

/// What tables would say of a state.
pub(crate) struct Worth {
    pub(crate) value: i8,
    pub(crate) turns: Option<u16>,
}

/// The tables of one game.
pub(crate) trait Oracle<G: Game>: Send + Sync {
    fn value(&self, state: &G::State) -> Result<Option<Worth>, Error>;
}

/// Where an agent looks values up; there is no such place here.
#[derive(PartialEq, Eq, Debug)]
pub struct Source {
    never: Infallible,
}

impl Source {
    pub(super) fn parse(name: &str, _: Option<&str>) -> Result<Arc<Self>, Error> {
        let name = shorten(name);
        Err(Error::new(format!(
            "agent '{name}' has no tables here, where there are no files; choose another"
        )))
    }

    pub(super) fn folder(&self) -> Option<&str> {
        match self.never {}
    }

    pub(super) fn ready<G: Game>(&self, _: &G, _: &dyn Display) -> Result<(), Error> {
        match self.never {}
    }

    pub(super) fn oracle<G: Game>(&self, _: &G) -> Option<Arc<dyn Oracle<G>>> {
        match self.never {}
    }

    pub(super) fn failed(&self, _: Error) {
        match self.never {}
    }

    pub(super) fn failure(&self) -> Option<Error> {
        match self.never {}
    }

    pub(super) fn choose<G: Game>(&self, _: &G, _: &G::State) -> Option<Action> {
        match self.never {}
    }

    pub(super) fn analyse<G: Game>(&self, _: &G, _: &G::State) -> Option<Analysis> {
        match self.never {}
    }

    pub(super) fn why_not<G: Game>(&self, _: &G, _: &G::State) -> Error {
        match self.never {}
    }
}

impl Display for Source {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.never {}
    }
}
