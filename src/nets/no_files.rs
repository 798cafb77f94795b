//! Networks by name where there are no files: none can be named.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::sync::Arc;

use super::net::Net;
use crate::base::error::{Error, shorten};

/// A network that agents know by a name; there is none here.
#[derive(PartialEq, Eq, Debug)]
pub struct Named {
    never: Infallible,
}

impl Named {
    /// Refuses any name.
    ///
    /// # Errors
    /// Always.
    pub fn parse(name: &str) -> Result<Arc<Self>, Error> {
        let name = shorten(name);
        Err(Error::new(format!(
            "network '{name}' cannot be read: there are no files here; choose another agent"
        )))
    }

    /// The network.
    pub fn net(&self) -> &Net {
        match self.never {}
    }

    /// The name that parses back to it.
    pub fn name(&self) -> &str {
        match self.never {}
    }
}

impl Display for Named {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.never {}
    }
}

/// The names of the networks that come with the package: none.
pub fn shipped() -> Vec<String> {
    Vec::new()
}
