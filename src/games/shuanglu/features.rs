//! What experts look at beyond the places of pieces: contact, shots, primes, anchors. Inputs of networks.
//!
//! Each number is of one side; the viewer's come first, then the same of the enemy. All are 0 for a side whose pieces have
//! passed every enemy. A throw counts by what its dice allow piece by piece; which rules restrict it is left to the game.

use super::board::{BAR, POINTS, mirrored};
use crate::rules::const_for;

/// How many numbers each side has.
const EACH: usize = 13;

/// So many points ahead of a piece are looked at.
const AHEAD: u32 = 12;

/// What a piece can go by a throw at most, all throws together.
const FARTHEST: u32 = 294;

/// The pips that a lone piece can go, by the points ahead that are blocked: bit `i` for the one that is `i + 1` pips away. In
/// 255ths of those on an empty board, over all throws.
static MOBILITY: [u8; 1 << AHEAD] = {
    let mut table = [0; 1 << AHEAD];
    const_for!(0, 1 << AHEAD, |blocked| {
        let mut pips = 0;
        const_for!(1, 7, |high| {
            pips += goes_by_double(blocked as u32, high);
            const_for!(1, high, |low| {
                pips += 2 * goes_by_two(blocked as u32, high, low);
            });
        });
        table[blocked] = ((pips * 255 + FARTHEST / 2) / FARTHEST) as u8;
    });
    table
};

const fn is_open(blocked: u32, pips: u32) -> bool {
    pips > AHEAD || (blocked >> (pips - 1)) & 1 == 0
}

const fn goes_by_double(blocked: u32, die: u32) -> u32 {
    let mut pips = 0;
    while pips < 4 * die && is_open(blocked, pips + die) {
        pips += die;
    }
    pips
}

const fn goes_by_two(blocked: u32, high: u32, low: u32) -> u32 {
    let (by_high, by_low) = (is_open(blocked, high), is_open(blocked, low));
    if (by_high || by_low) && is_open(blocked, high + low) {
        high + low
    } else if by_high {
        high
    } else if by_low {
        low
    } else {
        0
    }
}

/// What the numbers are.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("contact", "pips until all of its pieces have passed every enemy, divided by 100"),
    ("behind", "pieces that still have an enemy ahead, divided by 15"),
    ("mobility", "pips that such a piece, alone, can go by a throw: mean, divided by 49/6"),
    ("escape", "the same for its hindmost piece"),
    ("hindmost", "the point of its hindmost piece, divided by 25"),
    ("shots", "share of the 36 throws that hit a blot"),
    ("loss", "pips that the enemy loses by that: mean over all throws, divided by 12"),
    ("block", "1 less the mobility of an enemy where it is smallest: on the points 1 to 11 or the bar"),
    ("anchor_ahead", "its nearest point with two pieces in the enemy's home, divided by 24; 0 for none"),
    ("anchor_back", "its farthest such point, divided by 24; 0 for none"),
    ("entry", "share of throws that bring a piece in from the bar"),
    ("prime", "points with two pieces in a row, ahead of an enemy, divided by 6"),
    ("blots", "its blots ahead of an enemy, divided by 4"),
];

const _: () = assert!(PARTS.len() == EACH);

/// The pieces of a side, as bits by its own numbers: bit 25 is the bar.
struct Pieces {
    counts: [u8; BAR + 1],
    /// Where it has any.
    any: u32,
    /// Where it has two or more.
    made: u32,
}

impl Pieces {
    #[cfg_attr(fast, inline(always))]
    fn of(counts: [u8; BAR + 1]) -> Self {
        let (mut any, mut made) = (0, 0);
        for (at, &count) in counts.iter().enumerate().skip(1) {
            any |= u32::from(count > 0) << at;
            made |= u32::from(count > 1) << at;
        }
        Pieces { counts, any, made }
    }
}

/// Bits by the numbers of the other side.
#[cfg_attr(fast, inline(always))]
const fn turned(bits: u32) -> u32 {
    bits.reverse_bits() >> (31 - BAR)
}

/// The mobility of a piece on point `from`, by the blocked points.
#[cfg_attr(fast, inline(always))]
fn mobility(blocked: u32, from: usize) -> u32 {
    let ahead = (blocked << (32 - from)).reverse_bits() & ((1 << AHEAD) - 1);
    u32::from(MOBILITY[ahead as usize])
}

/// Writes them for the viewer and the enemy, by the pieces of each at its own numbers.
pub(super) fn write(own: [u8; BAR + 1], enemy: [u8; BAR + 1], out: &mut [f32]) {
    let (own, enemy) = (Pieces::of(own), Pieces::of(enemy));
    let (first, second) = out.split_at_mut(EACH);
    of_side(&own, &enemy, first);
    of_side(&enemy, &own, second);
}

#[cfg_attr(fast, inline(always))]
fn of_side(own: &Pieces, enemy: &Pieces, out: &mut [f32]) {
    out.fill(0.0);
    let (there, blocked) = (turned(enemy.any), turned(enemy.made) & POINTS);
    if own.any == 0 || there == 0 {
        return;
    }
    // By the own numbers, on which an enemy on the bar is at 0.
    let hindmost = own.any.ilog2() as usize;
    let enemy_back = there.trailing_zeros() as usize;
    if hindmost <= enemy_back {
        return;
    }
    let (mut contact, mut behind, mut pips) = (0, 0, 0);
    for point in enemy_back + 1..=hindmost {
        let count = u32::from(own.counts[point]);
        if count > 0 {
            contact += count * (point - enemy_back) as u32;
            behind += count;
            pips += count * mobility(blocked, point);
        }
    }
    let held = turned(own.made) & POINTS;
    let mut least = u32::from(u8::MAX);
    for point in mirrored(11)..=BAR {
        least = least.min(mobility(held, point));
    }
    let (shots, loss) = shots(own, blocked, there & !blocked & POINTS);
    let ahead_of_enemy = POINTS & (u32::MAX << (enemy_back + 1));
    let anchors = own.made & POINTS & (u32::MAX << mirrored(6));
    let (nearest, farthest) = if anchors == 0 { (0, 0) } else { (anchors.trailing_zeros(), anchors.ilog2()) };
    let closed = (blocked >> mirrored(6)).count_ones();
    let (mut wall, mut prime) = (own.made & ahead_of_enemy, 0);
    while wall != 0 {
        wall &= wall << 1;
        prime += 1;
    }
    let blots = (own.any & !own.made & ahead_of_enemy).count_ones();
    let full = f32::from(u8::MAX);
    out[0] = contact as f32 / 100.0;
    out[1] = behind as f32 / 15.0;
    out[2] = pips as f32 / (full * behind as f32);
    out[3] = mobility(blocked, hindmost) as f32 / full;
    out[4] = hindmost as f32 / 25.0;
    out[5] = shots as f32 / 36.0;
    out[6] = loss as f32 / (36.0 * 12.0);
    out[7] = 1.0 - least as f32 / full;
    out[8] = nearest as f32 / 24.0;
    out[9] = farthest as f32 / 24.0;
    out[10] = (36 - closed * closed) as f32 / 36.0;
    out[11] = prime as f32 / 6.0;
    out[12] = blots as f32 / 4.0;
}

/// How many of the 36 throws hit one of these blots, and what the enemy loses by the farthest of each, together.
#[cfg_attr(fast, inline(always))]
fn shots(own: &Pieces, blocked: u32, blots: u32) -> (u32, u32) {
    if blots == 0 {
        return (0, 0);
    }
    let open = !blocked & POINTS;
    let waiting = own.counts[BAR];
    let pieces = own.any & POINTS;
    let by = |from: u32, die: u32| (from >> die) & open;
    let entered = |die: u32| by(1 << BAR, die);
    let (mut shots, mut loss) = (0, 0);
    for high in 1..=6 {
        for low in 1..=high {
            let reached = if high == low {
                // Those on the bar go first; each takes a step.
                let enters = if waiting > 0 { entered(high) } else { 0 };
                let mut steps = 4 - waiting.min(4);
                if waiting > 0 && enters == 0 {
                    steps = 0;
                }
                let (mut all, mut from) = (enters, pieces | enters);
                for _ in 0..steps {
                    from = by(from, high);
                    all |= from;
                }
                all
            } else {
                match waiting {
                    0 => {
                        let (one, two) = (by(pieces, high), by(pieces, low));
                        one | two | by(one, low) | by(two, high)
                    }
                    1 => {
                        let (one, two) = (entered(high), entered(low));
                        let then = |enters: u32, die| if enters == 0 { 0 } else { by(pieces | enters, die) };
                        one | two | then(one, low) | then(two, high)
                    }
                    _ => entered(high) | entered(low),
                }
            };
            let hit = reached & blots;
            if hit != 0 {
                let throws = 2 - u32::from(high == low);
                shots += throws;
                loss += throws * hit.ilog2();
            }
        }
    }
    (shots, loss)
}
