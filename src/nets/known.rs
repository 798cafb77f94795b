//! Networks by the names that agents have for them.

use std::fmt::{self, Debug, Display};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use super::net::Net;
use crate::base::error::{BadRequest, did_you_mean, shorten};
use crate::base::lock::lock;

/// What the name of a network begins with that was given by its content.
const DIGEST: &str = "sha256:";

/// So many digits of a digest stand in a name.
const DIGITS: usize = 16;

/// Where the networks are that come with the package.
static SHIPPED: OnceLock<PathBuf> = OnceLock::new();

/// How the names of their files end.
const ENDING: &str = ".safetensors";

/// Says where the networks are that have a name of their own: in this folder, as NAME.safetensors. Only the first call
/// counts.
pub fn ship(folder: PathBuf) {
    let _ = SHIPPED.set(folder);
}

/// The names of the networks that come with the package, in ascending order.
pub fn shipped() -> Vec<String> {
    let files = SHIPPED.get().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(ENDING).map(str::to_owned)).collect();
    names.sort();
    names
}

/// The network of a name that is none of a digest: one that comes with the package, or that in a file.
fn read(name: &str) -> Result<Net, BadRequest> {
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    if !is_word {
        return Net::load(name);
    }
    let path = SHIPPED.get().map(|folder| folder.join(format!("{name}{ENDING}")));
    match path.filter(|path| path.is_file()).as_deref().and_then(|path| path.to_str()) {
        Some(path) => Net::load(path),
        None => Net::load(name).map_err(|error| {
            let known = shipped();
            if known.is_empty() {
                return error;
            }
            let meant = did_you_mean(name, known.iter().map(String::as_str));
            BadRequest::new(format!("{error}; those that have a name are {}{meant}", known.join(", ")))
        }),
    }
}

/// A network that agents know by a name: that of one that comes with the package, a path, or for one that was given by its
/// content "sha256:" and digits.
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
        let net = read(name)?;
        Ok(Self::known(name, &net).unwrap_or_else(|| Self::keep(name.to_owned(), net)))
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
    ///
    /// # Errors
    /// When there is no room to keep a copy of it.
    pub fn of(net: &Net) -> Result<&'static Self, BadRequest> {
        let name = format!("{DIGEST}{}", &net.digest()[..DIGITS]);
        match Self::known(&name, net) {
            Some(known) => Ok(known),
            None => Ok(Self::keep(name, net.clone())),
        }
    }

    fn known(name: &str, net: &Net) -> Option<&'static Self> {
        let all = lock(&KNOWN);
        all.iter().copied().find(|known| known.name == name && known.net.digest() == net.digest())
    }

    fn keep(name: String, net: Net) -> &'static Self {
        let named = Box::leak(Box::new(Named { name, net }));
        lock(&KNOWN).push(named);
        named
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
    /// The network of a name: one that comes with the package, that in a file, or one that [`Named::of`] knows.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn find(name: &str) -> Result<Net, BadRequest> {
        if name.starts_with(DIGEST) { Ok(Named::by_digest(name)?.net.clone()) } else { read(name) }
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
