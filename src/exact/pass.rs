//! One pass over a table of a layer: each position is the best of what its turns lead to.

use std::sync::Mutex;

use super::{
    Cell, Code, Codes, Effort, ExactValue, Finished, Key, Layers, MAX_TURNS, Next, Pair, Summary, TARGETS,
};
use crate::base::cpu::multiversion;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::base::memory::{room_for, zeros};
use crate::base::threads::{Plan, share_out};

/// About how many cells a thread takes at a time.
const PIECE: u32 = 1 << 16;

fn goodness(cell: Cell) -> i32 {
    ExactValue::seen(cell, true).goodness()
}

/// What a position is worth to who has the turn by which it comes about.
fn before(cell: Cell, again: bool) -> Result<Cell, Error> {
    let turns = cell.turns().unwrap_or(0) + 1;
    if turns > MAX_TURNS {
        return Err(Error::new(format!("a game takes more than {MAX_TURNS} turns")));
    }
    Ok(match cell.value() {
        0 => cell,
        value if (value > 0) == again => Cell::won(turns),
        _ => Cell::lost(turns),
    })
}

/// A table that turns lead to. By the codes of its palette, what each is worth before the turn: its rank among all that
/// turns may be worth, the worst first. Where the other side acts next, and where the same does.
struct Ranked<'a> {
    table: &'a Finished,
    ranks: [Vec<u16>; 2],
}

struct Pass<'a, L> {
    layers: &'a L,
    layer: u16,
    pair: Pair,
    targets: [Option<Ranked<'a>>; TARGETS],
    /// The rank of a win at once.
    win: u16,
    /// How many ranks there are.
    ranks: usize,
}

multiversion! {
    /// Fills some rows. Gives how many positions have each rank.
    fn fill[L: Layers, C: Code](pass: &Pass<'_, L>, rows: &mut [(u32, &mut [C])]) -> Vec<u64> {
        let Pass { layers, layer, pair, targets, win, ranks } = pass;
        let mut counts = vec![0; *ranks];
        for (number, codes) in rows {
            let row = layers.row(*layer, *pair, *number);
            let weight = layers.weight(*layer, *pair, *number) as u64;
            for column in 0..codes.len() {
                if let Some(same) = layers.same_as(&row, column as u32) {
                    codes[column] = codes[same as usize];
                    continue;
                }
                let mut best = 0;
                layers.successors(
                    *layer,
                    layers.position(&row, column as u32),
                    #[cfg_attr(fast, inline(always))]
                    |next| {
                        let rank = match next {
                            Next::Win => *win,
                            Next::Position { target, place, again } => {
                                let Some(Ranked { table, ranks }) = &targets[target] else {
                                    unreachable!("a target that was not named")
                                };
                                ranks[again as usize][table.code(place.index(table.columns))]
                            }
                        };
                        best = best.max(rank);
                    },
                );
                counts[best as usize] += weight;
                codes[column] = C::of(best);
            }
        }
        counts
    }
}

impl<L: Layers> Pass<'_, L> {
    /// Fills a table with ranks. Gives how many positions have each.
    fn fill<C: Code>(&self, codes: &mut [C], effort: Effort<'_>) -> Result<Vec<u64>, Error> {
        let columns = self.layers.columns(self.layer, self.pair);
        let counts = Mutex::new(vec![0; self.ranks]);
        let mut rows: Vec<(u32, &mut [C])> = (0..).zip(codes.chunks_mut(columns as usize)).collect();
        let plan = Plan { threads: effort.threads, piece: (PIECE / columns).max(1) as usize };
        share_out(plan, &mut rows[..], Some(effort.control), |rows| {
            if !effort.control.is_cancelled() {
                let found = fill(self, rows);
                lock(&counts).iter_mut().zip(found).for_each(|(all, found)| *all += found);
            }
        })?;
        effort.control.check()?;
        Ok(counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// Solves a table of a layer from those that its turns lead to, which `solved` gives.
///
/// # Errors
/// When there is no memory or no thread for it, a game lasts longer than a cell can hold, or it was stopped.
pub(super) fn solve<'a, L: Layers>(
    layers: &L,
    (layer, pair): (u16, Pair),
    solved: impl Fn(Key) -> Option<&'a Finished>,
    effort: Effort<'_>,
) -> Result<(Summary, Finished), Error> {
    let tables = layers.targets(layer, pair).map(|target| target.and_then(&solved));
    // All that a turn may be worth, the worst first.
    let mut all = vec![Cell::won(1)];
    for table in tables.iter().flatten() {
        for again in [false, true] {
            for &cell in &table.palette {
                all.push(before(cell, again)?);
            }
        }
    }
    all.sort_by_key(|&cell| goodness(cell));
    all.dedup();
    let rank = |cell| all.partition_point(|&other| goodness(other) < goodness(cell)) as u16;
    let mut targets = [const { None }; TARGETS];
    for (target, table) in targets.iter_mut().zip(tables) {
        let Some(table) = table else { continue };
        let ranks = |again| {
            let ranks = table.palette.iter().map(|&cell| before(cell, again).map(rank));
            ranks.collect::<Result<Vec<u16>, _>>()
        };
        *target = Some(Ranked { table, ranks: [ranks(false)?, ranks(true)?] });
    }
    let pass = Pass { layers, layer, pair, targets, win: rank(Cell::won(1)), ranks: all.len() };
    let columns = layers.columns(layer, pair);
    let len = layers.rows(layer, pair) as usize * columns as usize;
    let (counts, codes) = if all.len() <= 256 {
        let mut codes = zeros::<u8>(len)?;
        (pass.fill(&mut codes, effort)?, Codes::Narrow(codes))
    } else {
        let mut codes = zeros::<u16>(len)?;
        (pass.fill(&mut codes, effort)?, Codes::Wide(codes))
    };
    let mut summary = Summary { places: len as u64, ..Summary::default() };
    // As in any table, the palette has what there is, in ascending order of its bits.
    let mut palette: Vec<Cell> = Vec::new();
    for (&cell, &count) in all.iter().zip(&counts).filter(|&(_, &count)| count > 0) {
        summary.add(cell, count);
        palette.push(cell);
    }
    palette.sort_by_key(|cell| cell.to_bits());
    let number = |cell: &Cell| palette.iter().position(|other| other == cell).unwrap_or(0) as u16;
    let numbers: Vec<u16> = all.iter().map(number).collect();
    let codes = match codes {
        Codes::Narrow(mut codes) => {
            codes.iter_mut().for_each(|code| *code = u8::of(numbers[code.number() as usize]));
            Codes::Narrow(codes)
        }
        Codes::Wide(codes) if palette.len() <= 256 => {
            let mut narrow = room_for(len)?;
            narrow.extend(codes.iter().map(|code| u8::of(numbers[code.number() as usize])));
            Codes::Narrow(narrow)
        }
        Codes::Wide(mut codes) => {
            codes.iter_mut().for_each(|code| *code = numbers[code.number() as usize]);
            Codes::Wide(codes)
        }
    };
    Ok((summary, Finished { pair, columns, palette, codes }))
}
