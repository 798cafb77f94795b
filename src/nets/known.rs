//! Networks by the names that agents have for them.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use super::net::Net;
use crate::base::error::{Error, did_you_mean, shorten};
use crate::base::lock::lock;

/// What the name of a network begins with that was given by its content.
const DIGEST: &str = "sha256:";

/// The digits of a digest in a name.
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
fn read(name: &str) -> Result<Net, Error> {
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
            Error::new(format!("{error}; those that have a name are {}{meant}", known.join(", ")))
        }),
    }
}

/// A network that agents know by a name: that of one that comes with the package, a path, or for one that was given by its
/// content "sha256:" and digits.
pub struct Named {
    name: String,
    net: Net,
}

/// Those that somebody holds, by their names and digests, so that a network is held once, and a name with a digest is
/// one for as long as its network is there. A file may have another content later, so one name may have several.
static KNOWN: Mutex<BTreeMap<(String, String), Weak<Named>>> = Mutex::new(BTreeMap::new());

impl Named {
    /// The network of this name. A file is read each time, so that it may change between two calls.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn parse(name: &str) -> Result<Arc<Self>, Error> {
        if name.starts_with(DIGEST) {
            Self::by_digest(name)
        } else {
            Ok(Self::held(name.to_owned(), read(name)?))
        }
    }

    /// The network of this name, as [`Named::of`] knows it.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn find(name: &str) -> Result<Arc<Self>, Error> {
        if name.starts_with(DIGEST) { Self::by_digest(name) } else { Ok(Self::of(read(name)?)) }
    }

    fn by_digest(name: &str) -> Result<Arc<Self>, Error> {
        let known = lock(&KNOWN);
        let named =
            known.range((name.to_owned(), String::new())..).take_while(|((known, _), _)| known == name);
        named.filter_map(|(_, net)| net.upgrade()).next().ok_or_else(|| {
            Error::new(format!(
                "no network of this process is '{}'; keep the network or an agent that plays by it for as long as you \
                 use its name, or save it with sarai.nets.save and name the file",
                shorten(name)
            ))
        })
    }

    /// A network by its content.
    pub fn of(net: Net) -> Arc<Self> {
        Self::held(format!("{DIGEST}{}", &net.digest()[..DIGITS]), net)
    }

    /// The one that is there already, or else this.
    fn held(name: String, net: Net) -> Arc<Self> {
        let mut known = lock(&KNOWN);
        let key = (name, net.digest().to_owned());
        if let Some(named) = known.get(&key).and_then(Weak::upgrade) {
            return named;
        }
        known.retain(|_, net| net.strong_count() > 0);
        let named = Arc::new(Named { name: key.0.clone(), net });
        known.insert(key, Arc::downgrade(&named));
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

/// A file may have had other content before.
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
