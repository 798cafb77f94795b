//! What was measured of games.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use sarai::play::run::metrics::{Measured, QUANTITIES, Ratio};

/// Sums in whole numbers: `options` by number of options; the ratios as (x, y, xx, xy, yy); `spreads` by name as (bits,
/// shift, n, sum, squares, min, max, bins); `wins` by side, `draws`, `timeouts`; `returns` by seat as (sum, squares, cubes,
/// fourths); `comebacks` as (of, out of); `boards` and `ends`, the registers of sketches; `heat` as (games, positions, stood,
/// taken), by side and place; `places`, their names, of which the last `beside` are beside the board; `per_game`, a row for each
/// game with a column for each spread, NaN where it has no value, if it was asked for.
pub(crate) fn told<'py>(
    py: Python<'py>,
    measured: Measured,
    evaluator: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let Measured { totals, boards, ends, places, beside, per_game } = measured;
    let found = PyDict::new(py);
    let ratio = |ratio: Ratio| (ratio.x, ratio.y, ratio.xx, ratio.xy, ratio.yy);
    found.set_item("games", totals.games)?;
    found.set_item("options", totals.options)?;
    found.set_item("branching", ratio(totals.branching))?;
    found.set_item("branching_of_choices", ratio(totals.branching_of_choices))?;
    found.set_item("branching_by_phase", totals.branching_by_phase.map(ratio).to_vec())?;
    let spreads = PyDict::new(py);
    for (quantity, spread) in QUANTITIES.iter().zip(totals.spreads) {
        let bins = PyArray1::from_vec(py, spread.bins);
        let numbers = (
            quantity.bits,
            quantity.shift,
            spread.n,
            spread.sum,
            spread.squares,
            spread.min,
            spread.max,
            bins,
        );
        spreads.set_item(quantity.name, numbers)?;
    }
    found.set_item("spreads", spreads)?;
    found.set_item("wins", totals.wins.to_vec())?;
    found.set_item("draws", totals.draws)?;
    found.set_item("timeouts", totals.timeouts)?;
    let returns: Vec<_> =
        totals.returns.iter().map(|of| (of.sum, of.squares, of.cubes, of.fourths)).collect();
    found.set_item("returns", returns)?;
    found.set_item("comebacks", (totals.comebacks[0], totals.comebacks[1]))?;
    let heat = totals.heat;
    let (stood, taken) = (PyArray1::from_vec(py, heat.stood), PyArray1::from_vec(py, heat.taken));
    found.set_item("heat", (heat.games, heat.positions, stood, taken))?;
    found.set_item("places", places)?;
    found.set_item("beside", beside)?;
    found.set_item("boards", PyArray1::from_vec(py, boards))?;
    found.set_item("ends", PyArray1::from_vec(py, ends))?;
    found.set_item("evaluator", evaluator)?;
    let per_game = per_game.map(|values| {
        let games = values.len() / QUANTITIES.len();
        PyArray1::from_vec(py, values).reshape([games, QUANTITIES.len()])
    });
    found.set_item("per_game", per_game.transpose()?)?;
    Ok(found)
}
