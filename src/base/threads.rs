//! How work is shared among threads: one rule for everything that is played.
//!
//! Work is a row of items, each of about the same cost. It is cut into as many parts as threads are worth their while,
//! so that a thread meets the same items every time, and a thread that is done with its part helps with the others',
//! a few items at a time. Which thread plays an item makes no difference to it.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use crate::base::{Control, Error, lock, try_lock};

#[cfg(feature = "threads")]
mod pools;

/// Without threads everything is done on the thread that calls, with the same results.
#[cfg(not(feature = "threads"))]
mod pools {
    use super::{Control, Error};

    pub(super) fn together(
        threads: usize,
        _: Option<&Control>,
        work: &(dyn Fn(usize) + Sync),
    ) -> Result<(), Error> {
        (0..threads).for_each(work);
        Ok(())
    }

    pub(crate) fn worker() -> usize {
        0
    }
}

pub(crate) use pools::worker;

/// The most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// What a thread is worth waking up for, in units of a random decision: some 30 microseconds of work.
const WORTH_A_THREAD: u64 = 512;

/// What a thread takes at a time, in the same units: so little that nobody waits long for the last piece, and so much that
/// taking it costs next to nothing. A quarter of this made steps of 4,096 lanes of Shah 3 to 10% slower.
const PIECE: u64 = 256;

/// How often a thread tries to lock what another looks at for some microseconds.
const SPINS: u32 = 1000;

/// How many threads a request for `threads` means. `None` means what the variable RAYON_NUM_THREADS says, or else as many as
/// this process may use of the machine's processors, by its affinity and the quota of its cgroup; and 1 where the engine was
/// built without threads.
///
/// # Errors
/// When it is not 1 to [`MAX_THREADS`].
///
/// ```
/// use sarai::base::threads::resolve;
/// assert_eq!(resolve(Some(2))?, 2);
/// assert!(resolve(None)? >= 1);
/// assert!(resolve(Some(0)).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn resolve(threads: Option<usize>) -> Result<usize, Error> {
    match threads {
        None if cfg!(feature = "threads") => {
            let wanted = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
            let threads = wanted.filter(|&threads| threads > 0);
            let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into));
            Ok(threads.unwrap_or(1).min(MAX_THREADS))
        }
        None => Ok(1),
        Some(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        Some(threads) => Err(Error::new(format!(
            "num_threads got {threads}; it takes 1 to {MAX_THREADS}, or None for all processors"
        ))),
    }
}

/// How items are shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// How many threads work.
    pub(crate) threads: usize,
    /// How many items a thread takes at a time.
    pub(crate) piece: usize,
}

impl Plan {
    /// The plan for so many items of this cost each, in units of a random decision, on at most so many threads.
    /// Items are taken in multiples of `together`.
    pub(crate) fn new(items: usize, cost: u64, threads: usize, together: usize) -> Self {
        let pieces = (PIECE / cost.max(1)).max(1) as usize;
        let piece = pieces.next_multiple_of(together);
        let worth = (items as u64).saturating_mul(cost) / WORTH_A_THREAD;
        let threads = threads.min(items.div_ceil(piece)).min(usize::try_from(worth).unwrap_or(usize::MAX));
        Plan { threads: threads.max(1), piece }
    }

    /// The items of one thread's part.
    fn part(self, items: usize, part: usize) -> Range<usize> {
        // Cut at whole pieces, so that what belongs together stays together.
        let pieces = items.div_ceil(self.piece);
        let at = |part: usize| (pieces * part / self.threads * self.piece).min(items);
        at(part)..at(part + 1)
    }
}

/// A row of items that can be cut in two.
pub(crate) trait Items: Sized + Send {
    /// How many there are.
    fn len(&self) -> usize;
    /// Takes the first so many away, or as many as there are.
    fn take(&mut self, items: usize) -> Self;
}

impl<T: Send> Items for &mut [T] {
    fn len(&self) -> usize {
        <[T]>::len(self)
    }
    fn take(&mut self, items: usize) -> Self {
        let all = std::mem::take(self);
        let (taken, rest) = all.split_at_mut(items.min(all.len()));
        *self = rest;
        taken
    }
}

/// Numbers of items that stand elsewhere.
impl Items for Range<u32> {
    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }
    fn take(&mut self, items: usize) -> Self {
        let taken = self.start..self.start + Items::len(self).min(items) as u32;
        self.start = taken.end;
        taken
    }
}

/// Does `work` on all items, piece by piece, as the plan says; returns when all is done. The calling thread works like
/// the others, and `control`, where there is one, is looked at while it waits for them.
pub(crate) fn share_out<I: Items>(
    plan: Plan,
    items: I,
    control: Option<&Control>,
    work: impl Fn(I) + Sync,
) -> Result<(), Error> {
    share_out_if(plan, items, control, |_| true, work).map(|_| ())
}

/// What is done with a piece of the items.
type Work<'a, I> = &'a (dyn Fn(I) + Sync);
/// What is asked of a part of the items before.
type Fine<'a, I> = &'a (dyn Fn(&I) -> bool + Sync);

/// The same, unless `fine` says no to a part of the items: then nothing is done. Gives whether it was done.
pub(crate) fn share_out_if<I: Items>(
    plan: Plan,
    items: I,
    control: Option<&Control>,
    fine: impl Fn(&I) -> bool + Sync,
    work: impl Fn(I) + Sync,
) -> Result<bool, Error> {
    share_out_dyn(plan, items, control, &fine, &work)
}

/// The same, compiled once for each kind of items: a call for each piece costs nothing, a copy of all this for each kind of
/// work would be a fifth of the engine.
fn share_out_dyn<I: Items>(
    plan: Plan,
    mut items: I,
    control: Option<&Control>,
    fine: Fine<'_, I>,
    work: Work<'_, I>,
) -> Result<bool, Error> {
    if plan.threads <= 1 {
        if !fine(&items) {
            return Ok(false);
        }
        // Piece by piece here as well: what has just been read is still at hand when it is written.
        while items.len() > 0 {
            work(items.take(plan.piece));
        }
        return Ok(true);
    }
    let all = items.len();
    let parts: Vec<_> = (0..plan.threads)
        .map(|part| Mutex::new(Part { items: items.take(plan.part(all, part).len()), fine: None }))
        .collect();
    let next = |part: &Mutex<Part<I>>| {
        // The lock is let go before the work begins, or nobody could help.
        let piece = lock(part).items.take(plan.piece);
        (piece.len() > 0).then_some(piece)
    };
    pools::together(plan.threads, control, &|number| {
        let order = (0..plan.threads).map(|offset| &parts[(number + offset) % plan.threads]);
        // Nobody begins before every part was looked at. A thread looks at its own first, and at those of threads that
        // have not come yet.
        if !order.clone().all(|part| lock_soon(part).is_fine(fine)) {
            return;
        }
        for part in order {
            while let Some(piece) = next(part) {
                work(piece);
            }
        }
    })?;
    Ok(parts.iter().all(|part| lock(part).is_fine(fine)))
}

/// What one thread begins with.
struct Part<I> {
    items: I,
    /// Whether they may be worked on, once somebody has looked.
    fine: Option<bool>,
}

impl<I> Part<I> {
    fn is_fine(&mut self, fine: Fine<'_, I>) -> bool {
        *self.fine.get_or_insert_with(|| fine(&self.items))
    }
}

/// Locks what nobody holds for long: to sleep meanwhile would take longer.
fn lock_soon<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..SPINS {
        if let Some(guard) = try_lock(mutex) {
            return guard;
        }
        std::hint::spin_loop();
    }
    lock(mutex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn work_is_shared_by_cost_not_by_number() {
        let plan = |items, cost, threads| {
            let Plan { threads, piece } = Plan::new(items, cost, threads, 1);
            (threads, piece)
        };
        // Cheap lanes: many at a time, and no thread for less than it costs to wake it.
        assert_eq!(plan(4096, 1, 2), (2, 256));
        assert_eq!(plan(4096, 1, 64), (8, 256));
        assert_eq!(plan(64, 1, 2), (1, 256));
        // Dear lanes: one at a time, on every thread there is.
        assert_eq!(plan(64, 5_000, 2), (2, 1));
        assert_eq!(plan(64, 5_000, 64), (64, 1));
        assert_eq!(plan(3, 5_000, 64), (3, 1));
        assert_eq!(plan(0, 1, 8), (1, 256));
        assert_eq!(plan(usize::MAX, u64::MAX, 8), (8, 1));
        assert_eq!(Plan::new(9, 1000, 8, 2), Plan { threads: 5, piece: 2 });
    }

    #[test]
    fn parts_cover_every_item_once() {
        for items in [1, 2, 63, 64, 65, 1000, 4097] {
            for (threads, together) in [(1, 1), (2, 2), (3, 1), (7, 2), (64, 1)] {
                let plan = Plan::new(items, 40, threads, together);
                let parts: Vec<_> = (0..plan.threads).map(|part| plan.part(items, part)).collect();
                let covered: Vec<usize> = parts.iter().cloned().flatten().collect();
                assert_eq!(covered, (0..items).collect::<Vec<_>>(), "{plan:?}");
                assert!(parts.iter().all(|part| part.start.is_multiple_of(together)), "{parts:?}");
            }
        }
    }

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 2, 3, 8] {
            let mut counts = vec![0u8; 1000];
            let plan = Plan { threads, piece: 7 };
            share_out(plan, &mut counts[..], None, |piece| piece.iter_mut().for_each(|count| *count += 1))
                .unwrap();
            assert!(counts.iter().all(|&count| count == 1), "{threads}");
        }
    }

    #[test]
    fn nothing_is_done_where_one_part_is_refused() {
        for threads in [1, 2, 3, 8] {
            for refused in [0, 499, 999] {
                let mut items: Vec<usize> = (0..1000).collect();
                let plan = Plan { threads, piece: 7 };
                let fine = |part: &&mut [usize]| !part.contains(&refused);
                let done = share_out_if(plan, &mut items[..], None, fine, |piece| piece.fill(1000));
                assert_eq!(done, Ok(false), "{threads} threads");
                assert!(items.into_iter().eq(0..1000), "{threads} threads, {refused} refused");
            }
        }
    }

    #[test]
    fn every_item_is_looked_at_once_before_any_is_worked_on() {
        for threads in [1, 2, 3, 8] {
            let mut items = vec![0u8; 1000];
            let looked = AtomicUsize::new(0);
            let fine = |part: &&mut [u8]| {
                looked.fetch_add(part.len(), Ordering::SeqCst);
                true
            };
            let done = share_out_if(Plan { threads, piece: 7 }, &mut items[..], None, fine, |piece| {
                assert_eq!(looked.load(Ordering::SeqCst), 1000);
                piece.fill(1);
            });
            assert_eq!(done, Ok(true));
            assert_eq!(items, [1; 1000]);
        }
    }
}
