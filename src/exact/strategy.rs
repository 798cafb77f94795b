//! A winner's strategy: one turn for each position that can arise when the winner plays by it and the other side does
//! anything. It is made from tables, and checked by the rules alone.
//!
//! Positions are those in which the winner is to act, equal ones up to symmetry once. They form levels: the first has the
//! start, or what the other side's first turn makes of it; each next one has all that follows from the level before by the
//! turns of the strategy and every answer. A file has no positions, only the turns in the order of each level's numbers:
//! whoever checks it makes the levels again, and has proved the win when a level comes out empty.
//!
//! ```text
//! "sarai strategy\n"                         15 bytes
//! length of the header                       4 bytes, as all numbers lowest byte first
//! header                                     JSON
//! for each 65,536 positions of a level: the length of their turns, and that of what is stored, 4 bytes each; this, by deflate
//! SHA-256 of all of the above                32 bytes
//! ```
//!
//! A turn is one byte for each action of the winner until the other side acts: its rank among the legal actions. A block has
//! the first action of each of its positions, then the second of those that have one, and so on.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use hashbrown::HashTable;
use miniz_oxide::{deflate, inflate};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Earliest, Effort, ExactValue, Fingerprint, Layers, Loaded, Oracle, Solvable};
use crate::base::error::{Error, shorten_path};
use crate::base::lock::lock;
use crate::base::memory::{extend, room_for};
use crate::base::threads::{Plan, share_out};
use crate::rules::{Player, Turn};

const MAGIC: &[u8; 15] = b"sarai strategy\n";
const FORMAT: u32 = 1;
/// How many positions a block has.
const BLOCK: usize = 1 << 16;
/// The most actions that one side may take in a row.
const MAX_ACTIONS: usize = 64;
/// The most actions of a turn, with extra moves after it, that is chosen.
const MAX_EXTRA: usize = 6;
/// The longest header that is read.
const MAX_HEADER: usize = 1 << 20;
/// The most levels: more turns than a table can count.
const MAX_LEVELS: usize = 1 << 12;
/// For how many positions turns are chosen without looking at each other's.
const TOGETHER: usize = 1 << 13;
/// How hard blocks are compressed, of 10.
const EFFORT: u8 = 9;
/// What a position that is not met yet is taken to cost doubles with each turn to the end, up to so many.
const MAX_DOUBLINGS: u16 = 40;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    /// The game, and the rules on which the win depends.
    of: Fingerprint,
    /// Whether the winner is the side that begins the game.
    first: bool,
    /// How many positions each level has.
    levels: Vec<u64>,
}

/// What a strategy has, and what a check of it has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Strategy {
    /// Whether the winner is the side that begins the game.
    pub first: bool,
    /// How many positions each level has.
    pub levels: Vec<u64>,
    /// How many positions follow from the turns, each answer counted.
    pub answers: u64,
}

/// The numbers of the positions that are in the next level already.
#[derive(Default)]
struct Met(HashTable<u64>);

/// What is numbered differs in few bits, which this spreads over all (the finaliser of SplitMix64).
fn spread(number: &u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl Met {
    fn contains(&self, number: u64) -> bool {
        self.0.find(spread(&number), |&known| known == number).is_some()
    }

    fn insert(&mut self, number: u64) {
        self.0.entry(spread(&number), |&known| known == number, spread).or_insert(number);
    }

    fn into_level(self) -> Vec<u64> {
        let mut level: Vec<u64> = self.0.into_iter().collect();
        level.sort_unstable();
        level
    }
}

/// What follows from the turns of the positions of one level.
#[derive(Default)]
struct Found {
    numbers: Vec<u64>,
    /// How many of them are known to be sorted, each once.
    sorted: usize,
    answers: u64,
}

impl Found {
    fn add(&mut self, numbers: &[u64], answers: u64) -> Result<(), Error> {
        extend(&mut self.numbers, numbers.iter().copied())?;
        self.answers += answers;
        if self.numbers.len() > 2 * self.sorted + (1 << 24) {
            self.sort();
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.sorted = self.numbers.len();
    }
}

/// The rules, and the numbers of positions.
struct Rules<'a, G: Solvable> {
    game: &'a G,
    layers: G::Layers,
}

impl<G: Solvable> Rules<'_, G> {
    /// The start of the game.
    fn start(&self) -> G::State {
        let first = self.layers.row(0, self.layers.pairs(0)[0], 0);
        self.game.state_in(0, self.layers.position(&first, 0))
    }

    /// Every position in which a player acts again after all that others can do; `None` where it is lost or drawn, or
    /// where others can go on for ever.
    fn answers(
        &self,
        state: &G::State,
        me: Player,
        left: usize,
        visit: &mut impl FnMut(&G::State),
    ) -> Option<()> {
        match self.game.turn(state) {
            Turn::Over => return (self.game.winner(state) == Some(self.game.side(me))).then_some(()),
            Turn::Player(player) if player == me => {
                visit(state);
                return Some(());
            }
            Turn::Player(_) if left > 0 => {}
            _ => return None,
        }
        for action in self.game.legal_actions(state).iter() {
            let mut next = *state;
            self.game.apply(&mut next, action, &mut ());
            self.answers(&next, me, left - 1, visit)?;
        }
        Some(())
    }

    /// The player who acts.
    fn actor(&self, state: &G::State) -> Option<Player> {
        match self.game.turn(state) {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    /// The first level of a player's positions.
    fn first_level(&self, me: Player) -> Option<Vec<u64>> {
        let mut level = Vec::new();
        self.answers(&self.start(), me, MAX_ACTIONS, &mut |state| {
            level.push(self.game.number(&self.layers, state));
        })?;
        level.sort_unstable();
        level.dedup();
        Some(level)
    }

    /// Every turn of who acts: the ranks of its actions, and what it leads to.
    fn turns(
        &self,
        state: &G::State,
        me: Player,
        path: &mut Vec<u8>,
        visit: &mut impl FnMut(&[u8], &G::State) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (rank, action) in self.game.legal_actions(state).iter().enumerate() {
            let mut next = *state;
            self.game.apply(&mut next, action, &mut ());
            path.push(rank as u8);
            if self.actor(&next) == Some(me) {
                // Extra moves may go on for ever, and long ones are never needed.
                if path.len() < MAX_EXTRA {
                    self.turns(&next, me, path, visit)?;
                }
            } else {
                visit(path, &next)?;
            }
            path.pop();
        }
        Ok(())
    }
}

/// What it is taken to cost that a position with so many turns to the end is met. Those who choose by this have a quarter
/// to a half fewer positions than those who count answers alone.
fn cost(turns: Option<u16>) -> u64 {
    1 << turns.unwrap_or(MAX_DOUBLINGS).min(MAX_DOUBLINGS)
}

/// Chooses a turn in a position: of the quickest wins, the one whose answers cost least. Gives the bytes of the turn
/// and how many answers it has, and writes their numbers, each once.
fn choose<G: Solvable>(
    rules: &Rules<'_, G>,
    tables: &Loaded<G>,
    number: u64,
    met: &Met,
    numbers: &mut Vec<u64>,
) -> Result<(Vec<u8>, u64), Error> {
    let game = rules.game;
    let state = game.numbered(number);
    let me = rules.actor(&state).expect("the winner acts");
    let missing = || Error::new("the tables lack a position that the strategy needs");
    let value = |state: &G::State| tables.value(state)?.ok_or_else(missing);
    let (mut quickest, mut choices) = (u16::MAX, Vec::new());
    rules.turns(&state, me, &mut Vec::new(), &mut |path, next| {
        let worth = if game.turn(next) == Turn::Over {
            let won = game.winner(next) == Some(game.side(me));
            ExactValue { value: -i8::from(won), turns: Some(0) }
        } else {
            value(next)?
        };
        let turns = worth.turns.unwrap_or(u16::MAX);
        if worth.value == -1 && turns <= quickest {
            if turns < quickest {
                choices.clear();
            }
            quickest = turns;
            choices.push((path.to_vec(), *next));
        }
        Ok(())
    })?;
    let (mut best, mut least) = (None, u64::MAX);
    let mut answers = Vec::new();
    for (path, next) in choices {
        let (mut costs, mut count, mut problem) = (0u64, 0, None);
        answers.clear();
        let kept = rules.answers(&next, me, MAX_ACTIONS, &mut |state| {
            if costs >= least || problem.is_some() {
                return;
            }
            count += 1;
            let number = game.number(&rules.layers, state);
            if answers.contains(&number) {
                return;
            }
            answers.push(number);
            if !met.contains(number) {
                match value(state) {
                    Ok(worth) => costs = costs.saturating_add(cost(worth.turns)),
                    Err(error) => problem = Some(error),
                }
            }
        });
        problem.map_or(Ok(()), Err)?;
        if kept.is_some() && costs < least {
            (best, least) = (Some((path, count)), costs);
            std::mem::swap(numbers, &mut answers);
        }
        if least == 0 {
            break;
        }
    }
    best.ok_or_else(missing)
}

/// Makes a strategy for the winner of the game from tables, and writes it into a file. `tell` hears of each level: its number,
/// its positions, and the bytes of its turns.
///
/// # Errors
/// When nobody can force a win, the tables lack a position, the file cannot be written, or it was stopped.
pub fn write<G: Solvable>(
    game: &G,
    tables: &Loaded<G>,
    path: &Path,
    effort: Effort<'_>,
    tell: &mut dyn FnMut(usize, u64, u64),
) -> Result<Strategy, Error> {
    let game = &game.without_limits();
    let rules = Rules { game, layers: game.layers(u16::MAX) };
    let start = rules.start();
    let worth = tables.value(&start)?;
    let worth = worth
        .ok_or_else(|| Error::new("a strategy needs the tables of the turns before the moving phase"))?;
    let actor = rules.actor(&start).expect("a player begins");
    if worth.value == 0 {
        return Err(Error::new("neither side can force a win, so there is no strategy"));
    }
    let first = worth.value == 1;
    let me = if first { actor } else { Player(1 - actor.0) };
    let mut level = rules.first_level(me).ok_or_else(|| Error::new("the start is lost at once"))?;
    let mut strategy = Strategy { first, levels: Vec::new(), answers: 0 };
    let mut body = Vec::new();
    while !level.is_empty() {
        let mut met = Met::default();
        let (mut paths, mut stored): (Vec<Vec<u8>>, _) = (Vec::new(), 0);
        let mut chosen = 0;
        for together in level.chunks(TOGETHER) {
            effort.control.check()?;
            let mut work: Vec<(u64, (Vec<u8>, u64), Vec<u64>)> =
                together.iter().map(|&number| (number, (Vec::new(), 0), Vec::new())).collect();
            let problem = Earliest::new();
            share_out(
                Plan { threads: effort.threads, piece: 64 },
                &mut work[..],
                Some(effort.control),
                |work| {
                    for (number, turn, numbers) in work {
                        if effort.control.is_cancelled() {
                            return;
                        }
                        match choose(&rules, tables, *number, &met, numbers) {
                            Ok(found) => *turn = found,
                            Err(error) => problem.note(*number, || error),
                        }
                    }
                },
            )?;
            effort.control.check()?;
            problem.into_result()?;
            for (_, (path, answers), numbers) in work {
                paths.push(path);
                strategy.answers += answers;
                numbers.into_iter().for_each(|number| met.insert(number));
                chosen += 1;
                if chosen % BLOCK == 0 || chosen == level.len() {
                    let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
                    let ranks = |at: usize| paths.iter().filter_map(move |path| path.get(at));
                    let bytes: Vec<u8> = (0..longest).flat_map(ranks).copied().collect();
                    let compressed = deflate::compress_to_vec(&bytes, EFFORT);
                    body.extend((bytes.len() as u32).to_le_bytes());
                    body.extend((compressed.len() as u32).to_le_bytes());
                    stored += compressed.len() as u64 + 8;
                    body.extend(compressed);
                    paths.clear();
                }
            }
        }
        tell(strategy.levels.len(), level.len() as u64, stored);
        strategy.levels.push(level.len() as u64);
        level = met.into_level();
    }
    let header =
        Header { format: FORMAT, of: Fingerprint::of(game, Some(0)), first, levels: strategy.levels.clone() };
    let text = serde_json::to_vec(&header).expect("a header is plain data");
    let mut file = Vec::from(MAGIC);
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(text);
    file.extend(body);
    file.extend(Sha256::digest(&file));
    let failed = |error| Error::new(format!("{} cannot be written: {error}", shorten_path(path.display())));
    let beside = path.with_extension("part");
    fs::write(&beside, &file).and_then(|()| fs::rename(&beside, path)).map_err(failed)?;
    Ok(strategy)
}

/// A strategy's file, whose front has been read and checked.
pub struct Stored {
    header: Header,
    bytes: Vec<u8>,
    /// Where the blocks begin.
    begin: usize,
}

impl Stored {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no strategy, or has been changed.
    pub fn read(path: &Path) -> Result<Stored, Error> {
        let shown = shorten_path(path.display());
        let failed = |error| Error::new(format!("{shown} cannot be read: {error}"));
        let broken = |what: &str| Error::new(format!("{shown} is no sound strategy: {what}"));
        let bytes = fs::read(path).map_err(failed)?;
        let from = MAGIC.len() + 4;
        if !bytes.starts_with(MAGIC) || bytes.len() < from + 32 {
            return Err(broken("it does not begin like one"));
        }
        let length = u32::from_le_bytes(bytes[from - 4..from].try_into().expect("4 bytes")) as usize;
        if length > MAX_HEADER || length > bytes.len() - from - 32 {
            return Err(broken("its header is too long"));
        }
        let (all, due) = bytes.split_at(bytes.len() - 32);
        if Sha256::digest(all)[..] != *due {
            return Err(broken("it has been changed"));
        }
        let header: Header = serde_json::from_slice(&bytes[from..from + length])
            .map_err(|error| broken(&error.to_string()))?;
        if header.format != FORMAT || header.levels.len() > MAX_LEVELS {
            return Err(broken("it is of another version"));
        }
        Ok(Stored { header, bytes, begin: from + length })
    }

    /// What it is of.
    pub fn of(&self) -> &Fingerprint {
        &self.header.of
    }

    /// The turns of each block, the length of what they were.
    fn blocks(&self) -> Option<Vec<(usize, &[u8])>> {
        let mut rest = &self.bytes[self.begin..self.bytes.len() - 32];
        let mut blocks = Vec::new();
        while !rest.is_empty() {
            let (raw, more) = rest.split_first_chunk::<4>()?;
            let (stored, more) = more.split_first_chunk::<4>()?;
            let block;
            (block, rest) = more.split_at_checked(u32::from_le_bytes(*stored) as usize)?;
            blocks.push((u32::from_le_bytes(*raw) as usize, block));
        }
        Some(blocks)
    }

    /// Checks by the rules alone that it wins, whatever the other side does. `tell` hears of each level: its number and its
    /// positions.
    ///
    /// # Errors
    /// When it does not win, is of other rules, there is no memory for the levels, or it was stopped.
    pub fn verify<G: Solvable>(
        &self,
        game: &G,
        effort: Effort<'_>,
        tell: &mut dyn FnMut(usize, u64),
    ) -> Result<Strategy, Error> {
        let game = &game.without_limits();
        let due = Fingerprint::of(game, Some(0));
        if self.header.of != due {
            return Err(Error::new("the strategy is of other rules"));
        }
        let wrong = |what: String| Error::new(format!("the strategy does not win: {what}"));
        let unsound = || wrong("its turns do not fit the positions".to_owned());
        let rules = Rules { game, layers: game.layers(u16::MAX) };
        let start = rules.start();
        let actor = rules.actor(&start).ok_or_else(unsound)?;
        let first = self.header.first;
        let me = if first { actor } else { Player(1 - actor.0) };
        let mut level = rules.first_level(me).ok_or_else(unsound)?;
        let mut blocks = self.blocks().ok_or_else(unsound)?.into_iter();
        let mut answers = 0;
        for (at, &positions) in self.header.levels.iter().enumerate() {
            if level.len() as u64 != positions || positions == 0 {
                return Err(wrong(format!("level {at} has {} positions, not {positions}", level.len())));
            }
            tell(at, positions);
            let mut work = room_for(level.len().div_ceil(BLOCK))?;
            for numbers in level.chunks(BLOCK) {
                work.push((numbers, blocks.next().ok_or_else(unsound)?));
            }
            let found = Mutex::new(Found::default());
            let problem = Earliest::new();
            share_out(
                Plan { threads: effort.threads, piece: 1 },
                &mut work[..],
                Some(effort.control),
                |work| {
                    for (numbers, block) in work {
                        if effort.control.is_cancelled() {
                            return;
                        }
                        let followed = follow(&rules, numbers, *block)
                            .and_then(|(next, answers)| lock(&found).add(&next, answers));
                        if let Err(error) = followed {
                            problem.note(numbers[0], || error);
                        }
                    }
                },
            )?;
            effort.control.check()?;
            problem.into_result()?;
            let mut found = found.into_inner().expect("no thread has panicked");
            found.sort();
            answers += found.answers;
            level = found.numbers;
        }
        if blocks.next().is_some() {
            return Err(unsound());
        }
        if !level.is_empty() {
            return Err(wrong(format!("{} positions are left over at its end", level.len())));
        }
        Ok(Strategy { first, levels: self.header.levels.clone(), answers })
    }
}

/// Plays the turns of a block, and gives what follows from every answer, in order and once.
fn follow<G: Solvable>(
    rules: &Rules<'_, G>,
    numbers: &[u64],
    (length, stored): (usize, &[u8]),
) -> Result<(Vec<u64>, u64), Error> {
    let game = rules.game;
    let unsound = || Error::new("the strategy does not win: its turns do not fit the positions");
    if length > numbers.len() * MAX_ACTIONS {
        return Err(unsound());
    }
    let raw = inflate::decompress_to_vec_with_limit(stored, length).map_err(|_| unsound())?;
    let mut states: Vec<G::State> = numbers.iter().map(|&number| game.numbered(number)).collect();
    let me = rules.actor(&states[0]).ok_or_else(unsound)?;
    let mut bytes = raw.iter();
    let mut acting: Vec<usize> = (0..states.len()).collect();
    while !acting.is_empty() {
        for &at in &acting {
            let rank = *bytes.next().ok_or_else(unsound)? as usize;
            let action = game.legal_actions(&states[at]).nth(rank).ok_or_else(unsound)?;
            game.apply(&mut states[at], action, &mut ());
        }
        acting.retain(|&at| rules.actor(&states[at]) == Some(me));
    }
    if bytes.next().is_some() {
        return Err(unsound());
    }
    let (mut next, mut answers) = (Vec::new(), 0);
    for (state, &number) in states.iter().zip(numbers) {
        let won = rules.answers(state, me, MAX_ACTIONS, &mut |state| {
            answers += 1;
            next.push(game.number(&rules.layers, state));
        });
        won.ok_or_else(|| {
            let state = game.text(&game.numbered(number));
            Error::new(format!(
                "the strategy does not win: the other side holds out after its turn in {state}"
            ))
        })?;
    }
    next.sort_unstable();
    next.dedup();
    Ok((next, answers))
}
