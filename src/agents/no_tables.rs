//! The agent "perfect" where there are no files: no tables can be named.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::sync::Arc;

use super::analysis::Analysis;
use crate::base::{Error, shorten};
use crate::rules::{Action, Game};

/// The value that tables would have of a state.
pub(crate) struct ExactValue {
    pub(crate) value: i8,
    pub(crate) turns: Option<u16>,
}

/// The tables of a rule book; there are none here.
#[derive(Debug)]
pub struct Tables<G: Game> {
    never: Infallible,
    game: PhantomData<G>,
}

impl<G: Game> Tables<G> {
    pub(super) fn value(&self, _: &G::State) -> Result<Option<ExactValue>, Error> {
        match self.never {}
    }

    pub(super) fn choose(&self, _: &G, _: &G::State) -> Result<Action, Error> {
        match self.never {}
    }

    pub(super) fn analyse(&self, _: &G, _: &G::State) -> Result<Analysis, Error> {
        match self.never {}
    }
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

    pub(super) fn bind<G: Game>(&self, _: &G, _: &dyn Display) -> Result<Arc<Tables<G>>, Error> {
        match self.never {}
    }
}

impl Display for Source {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.never {}
    }
}
