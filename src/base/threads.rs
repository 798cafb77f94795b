//! How work is shared among threads: one rule for everything that is played.
//!
//! Work is a row of items, each of about the same cost. It is cut into as many parts as threads are worth their while,
//! so that a thread meets the same items every time, and a thread that is done with its part helps with the others',
//! a few items at a time. Which thread plays an item makes no difference to it.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::base::control::Control;
use crate::base::error::BadRequest;

/// The most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// What a thread is worth waking up for, in units of a random decision: some 30 microseconds of work.
const WORTH_A_THREAD: u64 = 512;

/// What a thread takes at a time: so little that nobody waits long for the last piece.
const PIECE: u64 = 64;

/// How long the calling thread waits awake for the others.
const PATIENCE: Duration = Duration::from_micros(200);

/// How long it then sleeps before it looks up.
const NAP: Duration = Duration::from_millis(10);

/// How many pools of different sizes are kept.
const MAX_POOLS: usize = 4;

/// How many threads a request for `threads` means: the machine's processors for `None`.
///
/// # Errors
/// When it is not 1 to [`MAX_THREADS`].
///
/// ```
/// use sarai::base::threads::resolve;
/// assert_eq!(resolve(Some(2))?, 2);
/// assert!(resolve(None)? >= 1);
/// assert!(resolve(Some(0)).is_err());
/// # Ok::<(), sarai::base::error::BadRequest>(())
/// ```
pub fn resolve(threads: Option<usize>) -> Result<usize, BadRequest> {
    match threads {
        None => {
            let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
            Ok(processors.min(MAX_THREADS))
        }
        Some(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        Some(threads) => Err(BadRequest::new(format!(
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
///
/// # Errors
/// When the system refuses to start the threads; nothing has been done then.
pub(crate) fn share_out<I: Items>(
    plan: Plan,
    mut items: I,
    control: Option<&Control>,
    work: impl Fn(I) + Sync,
) -> Result<(), BadRequest> {
    if plan.threads <= 1 {
        // Piece by piece here as well: what has just been read is still at hand when it is written.
        while items.len() > 0 {
            work(items.take(plan.piece));
        }
        return Ok(());
    }
    let all = items.len();
    let parts: Vec<_> =
        (0..plan.threads).map(|part| Mutex::new(items.take(plan.part(all, part).len()))).collect();
    let next = |part: &Mutex<I>| {
        // The lock is let go before the work begins, or nobody could help.
        let piece = lock(part).take(plan.piece);
        (piece.len() > 0).then_some(piece)
    };
    together(plan.threads, control, |number| {
        for part in (0..plan.threads).map(|offset| &parts[(number + offset) % plan.threads]) {
            while let Some(piece) = next(part) {
                work(piece);
            }
        }
    })
}

/// Runs `work(0)` on the calling thread and `work(1)` to `work(threads - 1)` on others, and returns when all are done. A
/// number goes to the same thread every time, whose cache may still hold what it worked on.
fn together(
    threads: usize,
    control: Option<&Control>,
    work: impl Fn(usize) + Sync,
) -> Result<(), BadRequest> {
    /// Counts a thread as done, in a panic too.
    struct Done<'a>(&'a Mutex<usize>, &'a Condvar);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            *lock(self.0) += 1;
            self.1.notify_all();
        }
    }
    let (done, news) = (Mutex::new(1), Condvar::new());
    pool(threads - 1)?.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, worker| {
            let _done = Done(&done, &news);
            work(worker.index() + 1);
        });
        work(0);
        // The others are at their last pieces: to sleep now would cost more than they need.
        let patience = Instant::now() + PATIENCE;
        while *lock(&done) < threads && Instant::now() < patience {
            std::hint::spin_loop();
        }
        let mut count = lock(&done);
        while *count < threads {
            count = news.wait_timeout(count, NAP).unwrap_or_else(PoisonError::into_inner).0;
            if let Some(control) = control {
                drop(count);
                control.wait_is_cancelled();
                count = lock(&done);
            }
        }
    });
    Ok(())
}

/// The number of the thread that works, from 1 on in its pool; 0 is the thread that called.
pub(crate) fn worker() -> usize {
    rayon::current_thread_index().map_or(0, |thread| thread + 1)
}

/// A lock that holds no broken data, whatever happened to its last holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The pools made last, and the process that made them.
struct Pools {
    process: u32,
    /// The one that was used last stands last.
    pools: Vec<Arc<ThreadPool>>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });

/// A pool of this many threads. Those that have not been used for longest end.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, BadRequest> {
    let process = std::process::id();
    let known = with_pools(|shared| {
        if shared.process != process {
            // A fork copies the pools but not their threads. Such a pool can neither work nor be joined.
            std::mem::forget(std::mem::take(&mut shared.pools));
            shared.process = process;
        }
        let at = shared.pools.iter().position(|pool| pool.current_num_threads() == threads)?;
        let pool = shared.pools.remove(at);
        shared.pools.push(pool.clone());
        Some(pool)
    });
    if let Some(pool) = known.flatten() {
        return Ok(pool);
    }
    // Made while nothing is locked: a fork in this moment must leave the child no lock that nobody will open.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sarai-{index}"))
        .build()
        .map_err(|error| {
            BadRequest::no_threads(format!(
                "{threads} threads could not be started ({error}); ask for fewer with num_threads, or for 1, which \
                 starts none"
            ))
        })?;
    let pool = Arc::new(pool);
    let ended = with_pools(|shared| {
        let surplus = (shared.pools.len() + 1).saturating_sub(MAX_POOLS);
        let ended: Vec<_> = shared.pools.drain(..surplus).collect();
        shared.pools.push(pool.clone());
        ended
    });
    drop(ended);
    Ok(pool)
}

/// Looks at the pools, unless somebody else does at this moment: whoever is in the way makes a pool for one use.
///
/// Waiting is no choice: a fork while another thread looks leaves the child a lock that is never opened.
fn with_pools<R>(look: impl FnOnce(&mut Pools) -> R) -> Option<R> {
    match POOLS.try_lock() {
        Ok(mut pools) => Some(look(&mut pools)),
        Err(std::sync::TryLockError::Poisoned(poisoned)) => Some(look(&mut poisoned.into_inner())),
        Err(std::sync::TryLockError::WouldBlock) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn work_is_shared_by_cost_not_by_number() {
        let plan = |items, cost, threads| {
            let Plan { threads, piece } = Plan::new(items, cost, threads, 1);
            (threads, piece)
        };
        // Cheap lanes: many at a time, and no thread for less than it costs to wake it.
        assert_eq!(plan(4096, 1, 2), (2, 64));
        assert_eq!(plan(4096, 1, 64), (8, 64));
        assert_eq!(plan(64, 1, 2), (1, 64));
        // Dear lanes: one at a time, on every thread there is.
        assert_eq!(plan(64, 5_000, 2), (2, 1));
        assert_eq!(plan(64, 5_000, 64), (64, 1));
        assert_eq!(plan(3, 5_000, 64), (3, 1));
        assert_eq!(plan(0, 1, 8), (1, 64));
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

    /// Whoever has the first piece waits until all others are done: a thread that keeps its part to itself would wait
    /// for ever.
    #[test]
    fn threads_help_each_other() {
        const ITEMS: usize = 64;
        let mut items: Vec<usize> = (0..ITEMS).collect();
        let (others, news) = (Mutex::new(0), Condvar::new());
        let on_threads = Mutex::new(BTreeSet::new());
        let helped = AtomicUsize::new(0);
        share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |piece| {
            let item = piece[0];
            lock(&on_threads).insert(format!("{:?}", std::thread::current().id()));
            if item > 0 {
                *lock(&others) += 1;
                news.notify_all();
                return;
            }
            let mut count = lock(&others);
            while *count < ITEMS - 1 {
                let (next, waited) = news.wait_timeout(count, Duration::from_secs(60)).unwrap();
                count = next;
                if waited.timed_out() {
                    return;
                }
            }
            helped.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(helped.into_inner(), 1, "the part of the thread that waited was left to it");
        assert_eq!(lock(&on_threads).len(), 2);
    }

    #[test]
    fn a_panic_in_a_helper_comes_back() {
        let mut items = vec![0; 64];
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |_| panic!("as it should"))
        }));
        assert!(caught.is_err());
    }

    /// As in the child of a fork that came while another thread looked at the pools.
    #[test]
    fn a_lock_that_nobody_opens_keeps_nobody_from_working() {
        let _looking = lock(&POOLS);
        let mut items = [0; 8];
        share_out(Plan { threads: 2, piece: 1 }, &mut items[..], None, |piece| piece[0] += 1).unwrap();
        assert_eq!(items, [1; 8]);
    }

    #[test]
    fn few_pools_are_kept() {
        for threads in 2..20 {
            let plan = Plan { threads, piece: 1 };
            share_out(plan, &mut vec![0; 64][..], None, |_| ()).unwrap();
        }
        // Another test may be looking at this moment.
        let kept = loop {
            if let Some(kept) = with_pools(|shared| shared.pools.len()) {
                break kept;
            }
        };
        assert!(kept <= MAX_POOLS, "{kept}");
    }
}
