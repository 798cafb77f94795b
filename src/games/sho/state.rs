//! Where a game of Sho stands: the compact state, its invariants, its dict and its line of text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Sho;
use super::board::{HAND, MAX_POOL};
use crate::base::error::{Error, counted, shorten};
use crate::rules::forms::{Line, bail, check_player, ensure, line, number};
use crate::rules::{Action, Game, MAX_PLAYERS, Player, Show, Side, bits};

/// What is asked for next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A chance node: who begins.
    First,
    /// A chance node: the throw of a turn, or the one that a stack or a kill earned.
    Roll,
    /// A chance node: the further throw after 1-1.
    Reroll,
    /// The player chooses the distance of the next move.
    Value,
    /// The player chooses what moves.
    Source,
    /// The player may move by the counts that a finishing stack left unused.
    Overflow,
    /// The game has ended.
    Over,
}

/// The values thrown and not yet used, ascending (R9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Pool {
    values: [u8; MAX_POOL],
    len: u8,
}

impl Pool {
    #[cfg_attr(fast, inline(always))]
    pub fn as_slice(&self) -> &[u8] {
        &self.values[..self.len as usize]
    }

    #[cfg_attr(fast, inline(always))]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    #[cfg_attr(fast, inline(always))]
    pub fn clear(&mut self) {
        *self = Pool::default();
    }

    /// Adds a value, keeping the order. The rules never fill a pool beyond its bound.
    #[cfg_attr(fast, inline(always))]
    pub fn push(&mut self, value: u8) {
        let mut at = self.len();
        while at > 0 && self.values[at - 1] > value {
            self.values[at] = self.values[at - 1];
            at -= 1;
        }
        self.values[at] = value;
        self.len += 1;
    }

    pub fn total(&self) -> u8 {
        self.as_slice().iter().sum()
    }

    /// The sums of all non-empty parts as bits; a pool's values are at most 12 each, so a sum is below 128.
    pub fn sums(&self) -> u128 {
        let all = self.as_slice().iter().fold(1u128, |sums, &value| sums | sums << value);
        all & !1
    }

    /// Takes out the part that pays for a move of `distance`: the fewest values; among those, compared from the largest
    /// value down, the larger (R9).
    pub fn spend(&mut self, distance: u8) {
        let values = self.as_slice();
        let mut best = 0u32;
        for part in 1u32..1 << values.len() {
            let sum: u32 = bits(part as u64).map(|at| values[at] as u32).sum();
            // Of equal values only the topmost are taken; then the larger mask is the part with the larger values.
            let topmost = (1..values.len())
                .all(|at| values[at - 1] != values[at] || part >> (at - 1) & 1 <= part >> at & 1);
            let fewer = best == 0 || part.count_ones() <= best.count_ones();
            if sum == distance as u32 && topmost && fewer {
                best = part;
            }
        }
        debug_assert!(best != 0, "{distance} is not a sum of values in {values:?}");
        let mut rest = Pool::default();
        for (at, &value) in values.iter().enumerate() {
            if best >> at & 1 == 0 {
                rest.push(value);
            }
        }
        *self = rest;
    }
}

/// Where a game stands: two cache lines, without pointers.
///
/// A side's stacks are the bits of its `track`, their sizes the bytes of `size` at the same positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) size: [u8; 64],
    pub(super) track: [u64; MAX_PLAYERS],
    pub(super) hand: [u8; MAX_PLAYERS],
    pub(super) off: [u8; MAX_PLAYERS],
    pub(super) pool: Pool,
    pub(super) turn: u16,
    /// One bit a side: killed so that all its coins are in hand.
    pub(super) cleared: u8,
    pub(super) phase: Phase,
    /// The seat whose turn it is; 0 in `First` and `Over`.
    pub(super) player: Player,
    /// The distance of the next move; 0 where none is chosen.
    pub(super) value: u8,
    /// Where the first stack of a split stands, [`OFF`] when off; 0 at all other times.
    pub(super) moved: u8,
    pub(super) six_three_roll: bool,
    pub(super) winner: Option<Side>,
}

/// The fields that others do not follow from, in a fixed form: see [`crate::base::hash`].
impl Hash for State {
    #[cfg_attr(fast, inline(always))]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(&self.size);
        self.track.iter().for_each(|&track| hasher.write_u64(track));
        hasher.write([self.hand, self.off].as_flattened());
        hasher.write(&self.pool.values);
        let [low, high] = self.turn.to_le_bytes();
        hasher.write(&[
            self.pool.len,
            low,
            high,
            self.cleared,
            self.phase as u8,
            self.player.0,
            self.value,
            self.moved,
            self.six_three_roll as u8,
            self.winner.map_or(u8::MAX, |side| side.0),
        ]);
    }
}

impl State {
    #[cfg_attr(fast, inline(always))]
    pub(super) fn occupied(&self) -> u64 {
        self.track[0] | self.track[1] | self.track[2] | self.track[3]
    }
}

/// The state dict of the rule book.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
pub struct Dict {
    phase: Phase,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    player: Option<u8>,
    sides: Vec<SideDict>,
    pool: Vec<u8>,
    six_three_roll: bool,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    value: Option<u8>,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    moved: Option<u8>,
    turn: u16,
    #[serde(deserialize_with = "crate::rules::forms::required")]
    winner: Option<u8>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dict")]
struct SideDict {
    hand: u8,
    off: u8,
    stacks: Stacks,
    cleared: bool,
}

/// Position to size. Keys are written as JSON strings without leading zeros, each once.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
struct Stacks(BTreeMap<u8, u8>);

impl<'de> Deserialize<'de> for Stacks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Positions;
        impl<'de> Visitor<'de> for Positions {
            type Value = Stacks;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map from positions such as \"10\" to sizes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Stacks, A::Error> {
                let mut stacks = BTreeMap::new();
                while let Some((key, size)) = map.next_entry::<String, u8>()? {
                    let position: Option<u8> = key.parse().ok();
                    let Some(position) = position.filter(|p| p.to_string() == key) else {
                        return Err(A::Error::custom("a position is written like \"10\", in digits"));
                    };
                    if stacks.insert(position, size).is_some() {
                        return Err(A::Error::custom(format!("position {position} is written twice")));
                    }
                }
                Ok(Stacks(stacks))
            }
        }
        deserializer.deserialize_map(Positions)
    }
}

impl Sho {
    pub(super) fn start(&self) -> State {
        let mut hand = [0; MAX_PLAYERS];
        hand[..self.num_sides].fill(self.rules.coins);
        let first = self.rules.first_player.seat();
        State {
            size: [0; 64],
            track: [0; MAX_PLAYERS],
            hand,
            off: [0; MAX_PLAYERS],
            pool: Pool::default(),
            turn: 0,
            cleared: 0,
            phase: if first.is_some() { Phase::Roll } else { Phase::First },
            player: first.unwrap_or_default(),
            value: 0,
            moved: 0,
            six_three_roll: false,
            winner: None,
        }
    }
}

fn parse_side(mut group: Line<'_>) -> Result<SideDict, Error> {
    let hand = group.field("hand")?;
    let off = group.field("off")?;
    let cleared = group.field("cleared")?;
    let mut stacks = BTreeMap::new();
    for word in group.words() {
        let (position, size) = word.split_once(':').ok_or_else(|| {
            Error::position(format!("a stack is written position:size, not '{}'", shorten(word)))
        })?;
        ensure!(
            stacks.insert(number(position)?, number(size)?).is_none(),
            "position {position} is written twice"
        );
    }
    Ok(SideDict { hand, off, stacks: Stacks(stacks), cleared })
}

line!(Dict: player, turn, pool, value, moved, six_three_roll, winner; sides);

impl Show for Sho {
    type Dict = Dict;

    const BESIDE: &'static [&'static str] = &["hand", "off"];

    fn to_dict(&self, state: &State) -> Dict {
        let some = |number: u8| (number != 0).then_some(number);
        Dict {
            phase: state.phase,
            player: self.player_on_turn(state).map(|player| player.0),
            sides: (0..self.num_sides)
                .map(|side| SideDict {
                    hand: state.hand[side],
                    off: state.off[side],
                    stacks: Stacks(bits(state.track[side]).map(|p| (p as u8, state.size[p])).collect()),
                    cleared: state.cleared >> side & 1 != 0,
                })
                .collect(),
            pool: state.pool.as_slice().to_vec(),
            six_three_roll: state.six_three_roll,
            value: some(state.value),
            moved: some(state.moved),
            turn: state.turn,
            winner: state.winner.map(|side| side.0),
        }
    }

    // Holds a dict in a state; refuses only what no state can hold. [`Sho::check_state`] does the rest.
    fn state_from_dict(&self, dict: Dict) -> Result<State, Error> {
        let mut state = self.start();
        if dict.sides.len() != self.num_sides {
            let sides = counted(dict.sides.len(), "entry", "entries");
            bail!("sides has {sides}, not {}", self.num_sides);
        }
        for (index, side) in dict.sides.iter().enumerate() {
            state.hand[index] = side.hand;
            state.off[index] = side.off;
            state.cleared |= (side.cleared as u8) << index;
            for (&position, &size) in &side.stacks.0 {
                if position == HAND || position >= self.rules.num_shells {
                    bail!(
                        "side {index} has a stack on {position}; positions are 1 to {}",
                        self.rules.num_shells - 1
                    );
                }
                ensure!(size != 0, "side {index} has a stack of no coins on {position}");
                ensure!(state.occupied() >> position & 1 == 0, "two sides are on position {position}");
                state.track[index] |= 1 << position;
                state.size[position as usize] = size;
            }
        }
        ensure!(
            dict.pool.len() <= MAX_POOL,
            "the pool has {} values; it holds at most {MAX_POOL}",
            dict.pool.len()
        );
        ensure!(dict.pool.is_sorted(), "the pool {:?} is not in ascending order", dict.pool);
        for value in dict.pool {
            state.pool.push(value);
        }
        for (name, given) in [("value", dict.value), ("moved", dict.moved)] {
            if given.is_some_and(|number| number == 0 || number > 64) {
                bail!("{name} is {}; it is null or 1 to 64", given.unwrap_or(0));
            }
        }
        check_player(dict.player, &dict.phase, matches!(dict.phase, Phase::First | Phase::Over))?;
        state.phase = dict.phase;
        state.player = Player(dict.player.unwrap_or(0));
        state.value = dict.value.unwrap_or(0);
        state.moved = dict.moved.unwrap_or(0);
        state.six_three_roll = dict.six_three_roll;
        state.turn = dict.turn;
        state.winner = dict.winner.map(Side);
        Ok(state)
    }

    fn text(&self, state: &State) -> String {
        let dict = self.to_dict(state);
        let mut line = dict.head();
        for side in &dict.sides {
            let _ = write!(line, " | hand={} off={} cleared={}", side.hand, side.off, side.cleared);
            for (position, size) in &side.stacks.0 {
                let _ = write!(line, " {position}:{size}");
            }
        }
        line
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        let (mut dict, groups) = Dict::read(text)?;
        dict.sides = groups.map(parse_side).collect::<Result<_, _>>()?;
        self.state_from_dict(dict)
    }

    fn action_name(&self, state: &State, action: Action) -> String {
        self.move_name(state, action)
    }

    fn num_places(&self) -> usize {
        self.rules.num_shells as usize - 1
    }

    fn standing(&self, state: &State, tell: &mut impl FnMut(usize, Side, u8)) {
        for side in 0..self.num_sides {
            let owner = Side(side as u8);
            bits(state.track[side]).for_each(|at| tell(at - 1, owner, state.size[at]));
            tell(self.num_places(), owner, state.hand[side]);
            tell(self.num_places() + 1, owner, state.off[side]);
        }
    }
}
