//! Tables on disk, one file a pair: written beside and renamed, so that a file that is there is whole.
//!
//! ```text
//! "sarai exact\n"                            12 bytes
//! length of the header                       4 bytes, as all numbers lowest byte first
//! header                                     JSON, see `super::header`
//! for each block: its stored length          4 bytes
//!                 the check of what is stored 8 bytes, the first of its SHA-256
//! SHA-256 of all of the above                32 bytes
//! the blocks, one after another
//! ```
//!
//! A block is `Header::block` places of the table, the last one fewer. Each place is a number in the palette, in as many
//! bits as the header says: one byte; or two, all low bytes of the block before all high ones; or two bits where values
//! alone are kept, four places a byte, the first lowest. It is stored in deflate's form, or as it is where that is no longer.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use miniz_oxide::{deflate, inflate};
use sha2::{Digest, Sha256};

use super::{
    Cell, Code, Codes, Earliest, Fingerprint, Finished, Header, MAX_TURNS, Pair, Summary, VALUE_BITS, code,
};
use crate::base::error::{Error, hex, shorten_path};
use crate::base::lock::lock;
use crate::base::memory::zeros;
use crate::base::threads::{Plan, share_out};

const MAGIC: &[u8; 12] = b"sarai exact\n";
/// The version of the container.
const FORMAT: u32 = 1;
/// How many places a block has.
const BLOCK: u64 = 1 << 15;
/// The longest header that is read.
const MAX_HEADER: u32 = 1 << 20;
/// The largest block that is read, in places.
const MAX_BLOCK: u64 = 1 << 24;
/// How hard blocks are compressed, of 10.
const LEVEL: u8 = 6;
/// How many bytes of a SHA-256 check a block.
const CHECK: usize = 8;

fn failed(path: &Path, doing: &str, why: impl std::fmt::Display) -> Error {
    Error::new(format!("{} cannot be {doing}: {why}", shorten_path(path.display())))
}

fn broken(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::new(format!("{} is no sound table: {what}; solve the pair again", shorten_path(path.display())))
}

/// Makes a folder for tables, unless it is there.
pub(super) fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, "made a folder", error))
}

/// SHA-256 of the cells of a table, two bytes each.
pub fn digest(table: &Finished) -> String {
    let mut hash = Sha256::new();
    let mut bytes = Vec::with_capacity(1 << 16);
    for index in 0..table.len() {
        bytes.extend(table.at(index).to_bits().to_le_bytes());
        if bytes.len() >= 1 << 16 {
            hash.update(&bytes);
            bytes.clear();
        }
    }
    hash.update(&bytes);
    hex(&hash.finalize())
}

/// What block `number` holds before it is compressed.
fn raw(table: &Finished, header: &Header, number: u64) -> Vec<u8> {
    let begin = (number * header.block) as usize;
    let end = (begin + header.block as usize).min(table.len());
    match &table.codes {
        Codes::Narrow(codes) => codes[begin..end].to_vec(),
        Codes::Wide(codes) => {
            let (low, high) = (codes[begin..end].iter(), codes[begin..end].iter());
            low.map(|&code| code as u8).chain(high.map(|&code| (code >> 8) as u8)).collect()
        }
    }
}

fn check(stored: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&Sha256::digest(stored)[..CHECK]);
    check
}

/// What is said of a folder without tables of a game.
pub fn no_tables(folder: &Path, game: &str) -> Error {
    let shown = shorten_path(folder.display());
    Error::new(match folder.is_dir() {
        true => format!("the folder {shown} has no tables of {game}"),
        false => format!("there is no folder {shown}"),
    })
}

/// Writes a table into a folder. A file of that name is replaced.
///
/// # Errors
/// When the folder cannot be written to.
pub fn write(
    folder: &Path,
    fingerprint: Fingerprint,
    table: &Finished,
    summary: Summary,
    threads: usize,
) -> Result<Header, Error> {
    let header = Header {
        format: FORMAT,
        fingerprint,
        pair: table.pair,
        columns: table.columns,
        block: BLOCK,
        bits: if matches!(table.codes, Codes::Narrow(_)) { 8 } else { 16 },
        palette: table.palette.iter().map(|cell| (cell.value(), cell.turns())).collect(),
        summary,
        digest: digest(table),
    };
    store(folder, &header, threads, |number| Ok(raw(table, &header, number)))?;
    Ok(header)
}

/// Writes a table whose blocks `raw` gives.
pub(super) fn store(
    folder: &Path,
    header: &Header,
    threads: usize,
    raw: impl Fn(u64) -> Result<Vec<u8>, Error> + Sync,
) -> Result<(), Error> {
    let path = header.fingerprint.path_in(folder, header.pair);
    let beside = path.with_extension("exact.part");
    let written = write_to(&beside, header, threads, raw)
        .and_then(|()| fs::rename(&beside, &path).map_err(|error| failed(&path, "written", error)));
    if written.is_err() {
        // It is of no use; that it stays where even this fails is no further loss.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_to(
    path: &Path,
    header: &Header,
    threads: usize,
    raw: impl Fn(u64) -> Result<Vec<u8>, Error> + Sync,
) -> Result<(), Error> {
    let failed = |error: std::io::Error| failed(path, "written", error);
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let text = serde_json::to_vec(header).map_err(|error| failed(error.into()))?;
    let mut front = Vec::from(MAGIC);
    front.extend((text.len() as u32).to_le_bytes());
    front.extend(text);
    // The place of the directory, which is known at the end.
    let directory = front.len() as u64;
    let blocks = header.blocks();
    file.write_all(&front).map_err(failed)?;
    file.write_all(&vec![0; blocks as usize * (4 + CHECK) + 32]).map_err(failed)?;
    // So many blocks at a time: they wait in memory for those before them.
    let together = 64 * threads as u64;
    for first in (0..blocks).step_by(together as usize) {
        let numbers = first..(first + together).min(blocks);
        let mut some: Vec<(u64, Result<Vec<u8>, Error>)> =
            numbers.map(|number| (number, Ok(Vec::new()))).collect();
        share_out(Plan { threads, piece: 4 }, &mut some[..], None, |some| {
            for (number, stored) in some {
                *stored = raw(*number).map(|raw| {
                    let compressed = deflate::compress_to_vec(&raw, LEVEL);
                    if compressed.len() < raw.len() { compressed } else { raw }
                });
            }
        })?;
        for (_, stored) in some {
            let stored = stored?;
            front.extend((stored.len() as u32).to_le_bytes());
            front.extend(check(&stored));
            file.write_all(&stored).map_err(failed)?;
        }
    }
    front.extend(Sha256::digest(&front));
    file.seek(SeekFrom::Start(directory)).map_err(failed)?;
    file.write_all(&front[directory as usize..]).map_err(failed)?;
    file.flush().map_err(failed)?;
    file.get_ref().sync_all().map_err(failed)
}

/// A file and its size, what it begins with, to the end of the header, and the header.
fn front(path: &Path) -> Result<(File, u64, Vec<u8>, Header), Error> {
    let unreadable = |error| failed(path, "read", error);
    let mut file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let mut front = vec![0; 16];
    file.read_exact(&mut front).map_err(|_| broken(path, "it is too short"))?;
    if front[..12] != MAGIC[..] {
        return Err(broken(path, "it does not begin like one"));
    }
    let length = u32::from_le_bytes([front[12], front[13], front[14], front[15]]);
    if length > MAX_HEADER || length as u64 > size {
        return Err(broken(path, "its header is too long"));
    }
    front.resize(16 + length as usize, 0);
    file.read_exact(&mut front[16..]).map_err(|_| broken(path, "it is too short"))?;
    let header: Header = serde_json::from_slice(&front[16..]).map_err(|error| broken(path, error))?;
    if header.format != FORMAT {
        let format = header.format;
        return Err(broken(path, format!("its form is {format}; this version reads {FORMAT}")));
    }
    Ok((file, size, front, header))
}

/// What the tables in a folder are of, by the first of them.
///
/// # Errors
/// When there are none, or the first begins like none.
pub fn fingerprint_in(folder: &Path) -> Result<Fingerprint, Error> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, "read", error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let first = paths.filter(|path| path.extension().is_some_and(|name| name == "exact")).min();
    let path = first.ok_or_else(|| Error::new(format!("{} holds no tables", folder.display())))?;
    fingerprint_of(&path)
}

/// What a table is of, as its file says.
///
/// # Errors
/// When it cannot be read or begins like none.
pub(super) fn fingerprint_of(path: &Path) -> Result<Fingerprint, Error> {
    Ok(front(path)?.3.fingerprint)
}

/// A file of a table, whose front has been read and checked.
pub struct Stored {
    path: PathBuf,
    header: Header,
    /// Where each block begins, and the end of the last; and the check of each.
    begins: Vec<u64>,
    checks: Vec<[u8; CHECK]>,
    file: Mutex<File>,
}

impl std::fmt::Debug for Stored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stored")
            .field("path", &self.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl Stored {
    /// Opens a file; its blocks are read and checked when they are needed.
    ///
    /// # Errors
    /// When it cannot be read, or is no sound table of this fingerprint and pair.
    pub fn open(path: &Path, due: &Fingerprint, pair: Pair) -> Result<Stored, Error> {
        let (mut file, size, front, header) = front(path)?;
        if header.fingerprint != *due {
            let rules = |of: &Fingerprint| serde_json::to_string(of).unwrap_or_default();
            return Err(Error::new(format!(
                "{} is of other rules: it has {}, and {} is needed",
                path.display(),
                rules(&header.fingerprint),
                rules(due)
            )));
        }
        let numbers = header.palette.len();
        let sound = header.pair == pair
            && (1..=MAX_BLOCK).contains(&header.block)
            && header.block.is_multiple_of(4)
            && numbers > 0
            && numbers <= 1 << 16
            && header.blocks() < size
            && match header.bits {
                VALUE_BITS => numbers <= 4,
                8 => numbers <= 256,
                16 => true,
                _ => false,
            };
        if !sound {
            return Err(broken(path, "its header contradicts itself"));
        }
        let blocks = header.blocks() as usize;
        let mut directory = vec![0; blocks * (4 + CHECK) + 32];
        file.read_exact(&mut directory).map_err(|_| broken(path, "it is too short"))?;
        let (directory, due) = directory.split_at(blocks * (4 + CHECK));
        let hash = Sha256::new().chain_update(&front).chain_update(directory).finalize();
        if hash[..] != *due {
            return Err(broken(path, "its header has been changed"));
        }
        let (mut begins, mut checks) = (Vec::with_capacity(blocks + 1), Vec::with_capacity(blocks));
        let mut begin = (front.len() + directory.len() + 32) as u64;
        begins.push(begin);
        for entry in directory.chunks_exact(4 + CHECK) {
            let (length, check) = entry.split_at(4);
            begin += u32::from_le_bytes(length.try_into().expect("4 bytes")) as u64;
            begins.push(begin);
            checks.push(check.try_into().expect("8 bytes"));
        }
        if begin != size {
            return Err(broken(path, format!("it has {size} bytes, not {begin}")));
        }
        Ok(Stored { path: path.to_owned(), header, begins, checks, file: Mutex::new(file) })
    }

    /// What the file says about its table.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Why a table that holds values alone cannot be used for something.
    pub(super) fn needs_turns(&self, what: &str) -> Error {
        Error::new(format!(
            "{} holds values without turns, which {what} needs; use the tables that it was made of",
            self.path.display()
        ))
    }

    pub(super) fn damaged(&self, number: u64) -> Error {
        broken(&self.path, format!("block {number} has been changed"))
    }

    /// Looks whether every block is as it was written.
    ///
    /// # Errors
    /// When one is not, or cannot be read; the first of them.
    pub fn check(&self, threads: usize) -> Result<(), Error> {
        let problem = Earliest::new();
        let mut numbers: Vec<u64> = (0..self.header.blocks()).collect();
        share_out(Plan { threads, piece: 64 }, &mut numbers[..], None, |numbers| {
            for &mut number in numbers {
                if let Err(error) = self.stored(number) {
                    problem.note(number, || error);
                }
            }
        })?;
        problem.into_result()
    }

    /// What is stored of a block, checked.
    fn stored(&self, number: u64) -> Result<Vec<u8>, Error> {
        let at = number as usize;
        let (begin, end) = (self.begins[at], self.begins[at + 1]);
        if end - begin > self.header.raw_length(number) as u64 {
            return Err(self.damaged(number));
        }
        let mut stored = vec![0; (end - begin) as usize];
        {
            let mut file = lock(&self.file);
            file.seek(SeekFrom::Start(begin))
                .and_then(|_| file.read_exact(&mut stored))
                .map_err(|error| failed(&self.path, "read", error))?;
        }
        if check(&stored) == self.checks[at] { Ok(stored) } else { Err(self.damaged(number)) }
    }

    /// A block as it was before it was compressed.
    ///
    /// # Errors
    /// When it cannot be read or has been changed.
    pub fn block(&self, number: u64) -> Result<Vec<u8>, Error> {
        let stored = self.stored(number)?;
        let raw_length = self.header.raw_length(number);
        let damaged = || self.damaged(number);
        if stored.len() == raw_length {
            return Ok(stored);
        }
        let raw = inflate::decompress_to_vec_with_limit(&stored, raw_length).map_err(|_| damaged())?;
        if raw.len() == raw_length { Ok(raw) } else { Err(damaged()) }
    }

    /// The cells that the numbers of the palette stand for.
    pub fn palette(&self) -> Result<Vec<Cell>, Error> {
        let values = !self.header.has_turns();
        let cell = |&(value, turns): &(i8, Option<u16>)| match (value, turns) {
            (0, None) => Some(Cell::DRAWN),
            (1, None) if values => Some(Cell::won(0).without_turns()),
            (-1, None) if values => Some(Cell::lost(0).without_turns()),
            (1, Some(turns)) if !values && turns <= MAX_TURNS => Some(Cell::won(turns)),
            (-1, Some(turns)) if !values && turns <= MAX_TURNS => Some(Cell::lost(turns)),
            _ => None,
        };
        let cells: Option<Vec<Cell>> = self.header.palette.iter().map(cell).collect();
        cells.ok_or_else(|| broken(&self.path, "its palette has a value that there is not"))
    }

    /// The cell with this number, of which its block alone is read.
    ///
    /// # Errors
    /// When the block cannot be read or has been changed.
    pub fn at(&self, index: u64) -> Result<Cell, Error> {
        let (number, place) = (index / self.header.block, (index % self.header.block) as usize);
        let raw = self.block(number)?;
        let code = code(self.header.bits, &raw, place);
        self.palette()?.get(code).copied().ok_or_else(|| self.damaged(number))
    }

    /// Reads the whole table, every block checked.
    ///
    /// # Errors
    /// When there is no memory for it, the file cannot be read or has been changed, or holds values alone.
    pub fn read(&self, threads: usize) -> Result<Finished, Error> {
        let header = &self.header;
        if !header.has_turns() {
            return Err(self.needs_turns("solving and checking"));
        }
        let palette = self.palette()?;
        let codes = match header.bits {
            16 => Codes::Wide(self.codes(palette.len(), threads)?),
            _ => Codes::Narrow(self.codes(palette.len(), threads)?),
        };
        Ok(Finished { pair: header.pair, columns: header.columns, palette, codes })
    }

    /// The codes of all places, below `most`.
    fn codes<C: Code>(&self, most: usize, threads: usize) -> Result<Vec<C>, Error> {
        let header = &self.header;
        let mut codes = zeros::<C>(header.summary.places as usize)?;
        let problem = Earliest::new();
        let fill = |number: u64, codes: &mut [C]| {
            let raw = self.block(number)?;
            for (place, to) in codes.iter_mut().enumerate() {
                let code = code(header.bits, &raw, place);
                if code >= most {
                    return Err(broken(&self.path, format!("block {number} has a wrong number")));
                }
                *to = C::of(code as u16);
            }
            Ok(())
        };
        let mut blocks: Vec<(u64, &mut [C])> = (0..).zip(codes.chunks_mut(header.block as usize)).collect();
        share_out(Plan { threads, piece: 16 }, &mut blocks[..], None, |some| {
            for (number, codes) in some {
                if let Err(error) = fill(*number, codes) {
                    problem.note(*number, || error);
                }
            }
        })?;
        problem.into_result().map(|()| codes)
    }
}
