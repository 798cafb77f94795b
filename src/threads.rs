//! Worker threads, shared by everything that asks for the same number of them.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::error::BadRequest;

/// The most threads that may be asked for.
pub const MAX_THREADS: usize = 256;

/// The pools made so far, and the process that made them.
struct Pools {
    process: u32,
    pools: Vec<(usize, Arc<ThreadPool>)>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, pools: Vec::new() });

/// How many threads a request for `threads` means: the machine's processors for `None`.
///
/// # Errors
/// When it is not 1 to [`MAX_THREADS`].
///
/// ```
/// use sarai::threads::resolve;
/// assert_eq!(resolve(Some(2))?, 2);
/// assert!(resolve(None)? >= 1);
/// assert!(resolve(Some(0)).is_err());
/// # Ok::<(), sarai::error::BadRequest>(())
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

/// Runs `work` where rayon's parallel iterators use this many threads; on the calling thread for 1.
///
/// # Errors
/// When the system refuses to start the threads.
pub fn install<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, BadRequest> {
    if threads <= 1 { Ok(work()) } else { Ok(pool(threads)?.install(work)) }
}

fn pool(threads: usize) -> Result<Arc<ThreadPool>, BadRequest> {
    let mut shared = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if shared.process != process {
        // A fork copies the pools but not their threads. Such a pool can neither work nor be joined.
        std::mem::forget(std::mem::take(&mut shared.pools));
        shared.process = process;
    }
    if let Some((_, pool)) = shared.pools.iter().find(|(size, _)| *size == threads) {
        return Ok(pool.clone());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sarai-{index}"))
        .build()
        .map_err(|error| BadRequest::new(format!("{threads} threads could not be started: {error}")))?;
    let pool = Arc::new(pool);
    shared.pools.push((threads, pool.clone()));
    Ok(pool)
}
