//! Networks by the names that agents have for them.

use std::fmt::{self, Debug, Display};
use std::sync::Mutex;

use super::net::Net;
use crate::base::error::{BadRequest, shorten};
use crate::base::threads::lock;

/// What the name of a network begins with that was given by its content.
const DIGEST: &str = "sha256:";

/// So many digits of a digest stand in a name.
const DIGITS: usize = 16;

/// A network that agents know by a name: a path, or for one that was given by its content "sha256:" and digits.
pub struct Named {
    name: String,
    net: Net,
}

/// All that were ever named. An agent is a small value that is copied from game to game: its network is kept for as long
/// as the process lives.
static KNOWN: Mutex<Vec<&'static Named>> = Mutex::new(Vec::new());

impl Named {
    /// The network of this name. A file is read each time, so that it may change between two calls.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn parse(name: &str) -> Result<&'static Self, BadRequest> {
        if name.starts_with(DIGEST) {
            return Self::by_digest(name);
        }
        Ok(Self::known(name.to_owned(), Net::load(name)?))
    }

    fn by_digest(name: &str) -> Result<&'static Self, BadRequest> {
        let known = lock(&KNOWN).iter().copied().find(|known| known.name == name);
        known.ok_or_else(|| {
            BadRequest::new(format!(
                "no network of this process is '{}'; save it with sarai.nets.save, and name the file",
                shorten(name)
            ))
        })
    }

    /// A network by its content.
    pub fn of(net: &Net) -> &'static Self {
        Self::known(format!("{DIGEST}{}", &net.digest()[..DIGITS]), net.clone())
    }

    fn known(name: String, net: Net) -> &'static Self {
        let mut all = lock(&KNOWN);
        match all.iter().find(|known| known.name == name && known.net.digest() == net.digest()) {
            Some(known) => known,
            None => {
                all.push(Box::leak(Box::new(Named { name, net })));
                all[all.len() - 1]
            }
        }
    }

    /// The network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The name that parses back to it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Net {
    /// The network of a name: that in a file, or one that [`Named::of`] knows.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn find(name: &str) -> Result<Net, BadRequest> {
        if name.starts_with(DIGEST) {
            Named::by_digest(name).map(|known| known.net.clone())
        } else {
            Net::load(name)
        }
    }
}

/// Each is kept once, but a file may have had other content before.
impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.net.digest() == other.net.digest()
    }
}

impl Eq for Named {}

impl Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
