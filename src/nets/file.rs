//! The file of a network: safetensors, with one entry of metadata, "sarai", which is JSON.
//!
//! Tensors `layers.0.weight` (units, inputs), `layers.0.bias` (units,), `layers.1.weight` and so on, all F32.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use super::activation::Activation;
use super::book::{Book, Outputs};
use super::encoding::{Encoding, Inputs};
use super::mlp::{Layer, MAX_LAYERS, MAX_UNITS, Mlp};
use crate::base::error::{did_you_mean, hex, shorten};
use crate::rules::ObservationPart;

/// The version of the metadata.
const FORMAT: u32 = 1;

/// The key of the metadata.
const KEY: &str = "sarai";

/// The longest header of a file, in bytes.
const MAX_HEADER: usize = 1 << 20;

/// The largest size of a weight: far beyond any that learns. Of four layers with such weights the outputs are still finite.
const MOST: f32 = 1e6;

/// A part of an observation: name, first cell, cells, smallest and largest value.
type Part = (String, usize, usize, i8, i8);

/// The metadata.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    format: u32,
    game: String,
    rules: Map<String, Value>,
    /// The parts of the observation.
    layout: Vec<Part>,
    /// SHA-256 of the layout as JSON without spaces.
    layout_digest: String,
    /// The names of the features, where they are inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    features: Vec<String>,
    pub encoding: Encoding,
    activations: Vec<Activation>,
    pub outputs: Outputs,
    pub card: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<Value>,
}

/// A layout as files have it, and its digest.
fn layout_of(parts: &[ObservationPart]) -> (Vec<Part>, String) {
    let part = |p: &ObservationPart| (p.name.to_owned(), p.start, p.len, p.low, p.high);
    let layout: Vec<_> = parts.iter().map(part).collect();
    let text = serde_json::to_string(&layout).expect("plain data");
    (layout, hex(&Sha256::digest(text.as_bytes())))
}

/// The names of the features that are inputs.
fn features_of(book: &Book, encoding: Encoding) -> Vec<String> {
    let names = |parts: &[(&str, &str)]| parts.iter().map(|&(name, _)| name.to_owned()).collect();
    if encoding == Encoding::Expert { names(book.features.parts) } else { Vec::new() }
}

/// The file of a network.
///
/// # Errors
/// When a layer does not have the weights it needs; other mistakes are found when it is read.
pub(super) fn written(
    book: &Book,
    encoding: Encoding,
    outputs: Outputs,
    card: &str,
    training: Option<&Value>,
    layers: &[Layer],
) -> Result<Vec<u8>, String> {
    let (layout, layout_digest) = layout_of(book.layout);
    let rules = book.rules.as_object().cloned().unwrap_or_default();
    let header = Header {
        format: FORMAT,
        game: book.name.to_owned(),
        rules,
        layout,
        layout_digest,
        features: features_of(book, encoding),
        encoding,
        activations: layers.iter().map(|layer| layer.activation).collect(),
        outputs,
        card: card.to_owned(),
        training: training.cloned(),
    };
    let bytes = |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|x| x.to_le_bytes()).collect() };
    let mut data = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let units = layer.bias.len();
        let inputs = layer.weights.len().checked_div(units).unwrap_or(0);
        data.push((format!("layers.{number}.weight"), vec![units, inputs], bytes(&layer.weights)));
        data.push((format!("layers.{number}.bias"), vec![units], bytes(&layer.bias)));
    }
    let mut views = Vec::new();
    for (name, shape, bytes) in &data {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes)
            .map_err(|_| format!("{name} has not as many numbers as it needs"))?;
        views.push((name.as_str(), view));
    }
    // One entry: a map of several would be written in another order each time.
    let text = serde_json::to_string(&header).expect("plain data");
    serialize(views, Some([(KEY.to_owned(), text)].into_iter().collect())).map_err(|error| error.to_string())
}

/// What a file holds.
///
/// # Errors
/// Why it is no network that can be used.
pub(super) fn read(bytes: &[u8]) -> Result<(Book, Header, Mlp), String> {
    let damaged = "it is damaged, or no safetensors file";
    let length = bytes.first_chunk::<8>().map(|length| u64::from_le_bytes(*length));
    match length {
        Some(length) if length > bytes.len() as u64 => return Err(damaged.to_owned()),
        Some(length) if length > MAX_HEADER as u64 => {
            return Err(format!("its header is {length} bytes long; {MAX_HEADER} are allowed"));
        }
        Some(_) => {}
        None => return Err(damaged.to_owned()),
    }
    // Errors of libraries may quote the whole file.
    let because = |what: &str, error: &dyn Display| format!("{what} ({})", shorten(&error.to_string()));
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| because(damaged, &error))?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| because(damaged, &error))?;
    let text = metadata
        .metadata()
        .as_ref()
        .and_then(|entries| entries.get(KEY))
        .ok_or_else(|| format!("its metadata have no entry \"{KEY}\"; sarai.nets.save writes one"))?;
    let value: Value =
        serde_json::from_str(text).map_err(|error| because("its metadata are no JSON", &error))?;
    match value["format"].as_u64() {
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) => {
            return Err(format!("it is of format {format}, and this sarai reads format {FORMAT}"));
        }
        None => return Err("its metadata do not say which format it is of".to_owned()),
    }
    let header: Header = serde_json::from_value(value)
        .map_err(|error| because("its metadata are not what they should be", &error))?;
    let book = book(&header)?;
    let (layout, digest) = layout_of(book.layout);
    if header.layout_digest != digest || header.layout != layout {
        return Err(format!(
            "it is made for another layout of the observations of {}; train it anew with this version",
            book.name
        ));
    }
    if header.features != features_of(&book, header.encoding) {
        return Err(format!(
            "it is made for other features of {}; train it anew with this version",
            book.name
        ));
    }
    let inputs = Inputs::new(header.encoding, book.layout, book.features);
    let layers = layers(&header, &tensors, &book)?;
    let mlp =
        if header.outputs.has_policy() { Mlp::one_by_one(inputs, layers) } else { Mlp::new(inputs, layers) };
    Ok((book, header, mlp))
}

fn book(header: &Header) -> Result<Book, String> {
    let rules = Value::Object(header.rules.clone()).to_string();
    match Book::find(&header.game, &rules) {
        Some(book) => book.map_err(|error| format!("it is made for rules that there are not: {error}")),
        None => {
            let hint = did_you_mean(&header.game, []);
            Err(format!("it is made for the game '{}', which there is not{hint}", shorten(&header.game)))
        }
    }
}

/// The layers. Shapes are compared before numbers are copied.
fn layers(header: &Header, tensors: &SafeTensors<'_>, book: &Book) -> Result<Vec<Layer>, String> {
    let count = header.activations.len();
    if !(1..=MAX_LAYERS).contains(&count) {
        return Err(format!("it has activations for {count} layers; a network has 1 to {MAX_LAYERS} layers"));
    }
    if tensors.len() != 2 * count {
        return Err(format!(
            "it has {} tensors, and activations for {count} layers; each layer has two, layers.N.weight and layers.N.bias",
            tensors.len()
        ));
    }
    let mut before = Inputs::new(header.encoding, book.layout, book.features).len();
    let mut layers = Vec::with_capacity(count);
    for (number, &activation) in header.activations.iter().enumerate() {
        let name = format!("layers.{number}.bias");
        let bias = tensor(tensors, &name)?;
        let &[units] = bias.shape() else {
            return Err(format!("{name} has the shape {:?}; it has one number for each unit", bias.shape()));
        };
        if !(1..=MAX_UNITS).contains(&units) {
            return Err(format!("layer {number} has {units} units; a layer has 1 to {MAX_UNITS}"));
        }
        let bias = numbers(&bias, &name)?;
        let name = format!("layers.{number}.weight");
        let weights = tensor(tensors, &name)?;
        if weights.shape() != [units, before] {
            let inputs = match number {
                0 => format!(
                    "the {} inputs of {} with encoding \"{}\"",
                    before,
                    book.name,
                    header.encoding.name()
                ),
                _ => format!("the {before} units of the layer before it"),
            };
            return Err(format!(
                "{name} has the shape {:?}; with {units} units and {inputs} it is [{units}, {before}]",
                weights.shape()
            ));
        }
        layers.push(Layer { weights: numbers(&weights, &name)?, bias, activation });
        before = units;
    }
    Ok(layers)
}

/// A tensor of the right type.
fn tensor<'a>(tensors: &SafeTensors<'a>, name: &str) -> Result<TensorView<'a>, String> {
    let tensor = tensors.tensor(name).map_err(|_| format!("it has no tensor {name}"))?;
    if tensor.dtype() != Dtype::F32 {
        return Err(format!("{name} is of type {:?}; weights are F32", tensor.dtype()));
    }
    Ok(tensor)
}

/// The numbers of a tensor.
fn numbers(tensor: &TensorView<'_>, name: &str) -> Result<Vec<f32>, String> {
    // The library has compared shapes, offsets and length.
    let numbers: Vec<f32> = tensor.data().as_chunks::<4>().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
    match numbers.iter().find(|x| x.is_nan() || x.abs() > MOST) {
        Some(wrong) => Err(format!("{name} holds {wrong}; weights are numbers from -{MOST} to {MOST}")),
        None => Ok(numbers),
    }
}
