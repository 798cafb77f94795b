//! Networks; see `sarai.nets`.

use std::path::PathBuf;
use std::sync::Arc;

use crate::convert::{OrRaise, text, value_error, zeros};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::classes::Game;
use crate::watch::watched;
use sarai::base::Control;
use sarai::nets::{self, Activation, Encoding, Inputs, Layer, MAX_LAYERS, MAX_UNITS, Named, Outputs};

/// So many positions are judged between two looks for Ctrl-C.
const TOGETHER: usize = 1024;

/// Looks up a name, or raises an error with those there are.
fn word<T: Copy>(given: &str, what: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(name, _)| *name == given).map(|(_, value)| *value).ok_or_else(|| {
        let hint = sarai::base::error::did_you_mean(given, known.iter().map(|(name, _)| *name));
        let names: Vec<_> = known.iter().map(|(name, _)| format!("'{name}'")).collect();
        let given = sarai::base::error::shorten(given);
        value_error(format!("unknown {what} '{given}'{hint}; there are {}", names.join(", ")))
    })
}

/// A network; `sarai.nets.Net` is its face. For as long as it is there, agents of this process know it by its name.
#[pyclass(frozen, module = "sarai._core")]
pub(crate) struct Net {
    named: Arc<Named>,
}

impl Net {
    pub(crate) fn of(net: nets::Net) -> Self {
        Net { named: Named::of(net) }
    }

    pub(crate) fn net(&self) -> &nets::Net {
        self.named.net()
    }
}

#[pymethods]
impl Net {
    /// The network that the content of a file describes.
    #[new]
    fn new(content: &Bound<'_, PyBytes>) -> PyResult<Self> {
        nets::Net::from_bytes(content.as_bytes()).map(Net::of).or_raise()
    }

    /// The network of this name: one that comes with the package, or one of this process by its digest;
    /// otherwise that in the file.
    #[staticmethod]
    fn load(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Net { named: Named::find(&text(name, "the name of a network")?).or_raise()? })
    }

    /// A network of layers, each its weights, its bias and the name of its activation.
    #[staticmethod]
    fn made(
        game: &Bound<'_, Game>,
        encoding: &str,
        outputs: &str,
        card: &Bound<'_, PyAny>,
        layers: Vec<(PyReadonlyArray2<'_, f32>, PyReadonlyArray1<'_, f32>, String)>,
    ) -> PyResult<Self> {
        let encoding = word(encoding, "encoding", &Encoding::ALL)?;
        let outputs = word(outputs, "outputs", &Outputs::ALL)?;
        if layers.len() > MAX_LAYERS {
            return Err(value_error(format!(
                "there are {} layers; a network has 1 to {MAX_LAYERS}",
                layers.len()
            )));
        }
        let mut all = Vec::new();
        for (number, (weights, bias, activation)) in layers.into_iter().enumerate() {
            let activation = word(&activation, "activation", &Activation::ALL)?;
            let shape = weights.shape();
            // What is larger is refused before it is copied.
            if shape[0] > MAX_UNITS || shape[0] != bias.len() || shape[1] > nets::MAX_CELLS * 4 + MAX_UNITS {
                return Err(value_error(format!(
                    "layer {number} has weights of shape ({}, {}) and {} biases; it takes weights of shape (units, inputs) \
                     and a bias for each unit, {MAX_UNITS} units at most",
                    shape[0],
                    shape[1],
                    bias.len()
                )));
            }
            let layer =
                Layer { weights: weights.as_slice()?.to_vec(), bias: bias.as_slice()?.to_vec(), activation };
            all.push(layer);
        }
        let book = game.get();
        let (rules, card) = (book.rules.to_string(), text(card, "card")?);
        nets::Net::new(book.game.name(), &rules, encoding, outputs, &card, None, &all).map(Net::of).or_raise()
    }

    /// What it is made for and of, as JSON.
    fn describe_json(&self) -> String {
        self.net().describe().to_string()
    }

    /// The content of its file.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.net().bytes().len(), |bytes| {
            bytes.copy_from_slice(self.net().bytes());
            Ok(())
        })
    }

    /// The name by which agents of this process know it.
    fn name(&self) -> &str {
        self.named.name()
    }

    /// The layers: weights (units, inputs), bias (units,), and the name of the activation.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut before = self.net().mlp().inputs().len();
        let layers = self.net().mlp().layers().into_iter().map(|Layer { weights, bias, activation }| {
            let shape = [bias.len(), before];
            before = bias.len();
            let weights = PyArray1::from_vec(py, weights).reshape(shape)?;
            (weights, PyArray1::from_vec(py, bias), activation.name()).into_pyobject(py)
        });
        layers.collect()
    }

    /// How many of its outputs are logits of actions.
    fn logits(&self) -> usize {
        self.net().logits()
    }

    /// The logits, if it has any, then what each seat may expect, counted from the viewer's, if it has values: float32 (n, A),
    /// (n, P) or (n, A + P).
    fn expect<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'_, i8>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let width = self.net().width();
        let inputs = self.net().mlp().inputs();
        rows(py, self.net().description().game, inputs, &observations, width, |row, out| {
            self.net().expect(row, out)
        })
    }
}

/// A row of numbers for each observation.
fn rows<'py>(
    py: Python<'py>,
    game: &str,
    inputs: &Inputs,
    observations: &PyReadonlyArray2<'_, i8>,
    width: usize,
    write: impl Fn(&[i8], &mut [f32]) + Send + Sync,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let [rows, cells] = [observations.shape()[0], observations.shape()[1]];
    if cells != inputs.num_cells() {
        return Err(value_error(format!(
            "the observations have {cells} cells; those of {game} have {}",
            inputs.num_cells()
        )));
    }
    let given = observations.as_slice()?;
    for (number, row) in given.chunks_exact(cells).enumerate() {
        if let Some((cell, low, high)) = inputs.foreign(row) {
            return Err(value_error(format!(
                "cell {cell} of observation {number} is {}; it takes {low} to {high}",
                row[cell]
            )));
        }
    }
    let out = zeros::<f32, 2>(py, [rows, width])?;
    let mut writing = out.readwrite();
    let to = writing.as_slice_mut()?;
    let control = Control::default();
    watched(py, None, || {
        for (from, to) in given.chunks(TOGETHER * cells).zip(to.chunks_mut(TOGETHER * width)) {
            if control.is_cancelled() {
                return;
            }
            from.chunks_exact(cells).zip(to.chunks_exact_mut(width)).for_each(|(row, out)| write(row, out));
        }
    })?;
    drop(writing);
    Ok(out)
}

/// The inputs of observations of a game by an encoding: float32 (n, I).
#[pyfunction]
pub(crate) fn encoded<'py>(
    py: Python<'py>,
    game: &Bound<'py, Game>,
    encoding: &str,
    observations: PyReadonlyArray2<'_, i8>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let encoding = word(encoding, "encoding", &Encoding::ALL)?;
    let book = game.get();
    let inputs = Inputs::new(encoding, book.game.observation(), book.game.features());
    rows(py, book.game.name(), &inputs, &observations, inputs.len(), |row, out| inputs.write(row, out))
}

/// The name and the meaning of each feature of a game.
#[pyfunction]
pub(crate) fn features(game: &Bound<'_, Game>) -> Vec<(String, &'static str)> {
    game.get().game.features().named()
}

/// Where the networks are that come with the package.
#[pyfunction]
pub(crate) fn nets_ship(folder: PathBuf) {
    nets::ship(folder);
}

/// The names of the networks that come with the package.
#[pyfunction]
pub(crate) fn nets_shipped() -> Vec<String> {
    nets::shipped()
}
