//! Files that are refused, and those that are not.

use safetensors::tensor::{Dtype, TensorView, serialize};
use serde_json::{Value, json};

use super::*;

/// Metadata that fit two layers, 2 units and 1, for Shuanglu with encoding "raw".
fn metadata() -> Value {
    let game = Shuanglu::new(Default::default()).expect("the default rules");
    let inputs = Shuanglu::OBSERVATION_LEN;
    let layers = layers(inputs, &[2, 1], Activation::Relu);
    let rules = rule_book::to_value::<Shuanglu>(game.rules()).to_string();
    let net =
        Net::new("shuanglu", &rules, Encoding::Raw, Outputs::Viewer, "", None, &layers).expect("a network");
    let length = u64::from_le_bytes(net.bytes()[..8].try_into().expect("eight")) as usize;
    let header: Value = serde_json::from_slice(&net.bytes()[8..8 + length]).expect("JSON");
    serde_json::from_str(header["__metadata__"]["sarai"].as_str().expect("a text")).expect("JSON")
}

type Tensor = (&'static str, Vec<usize>, Vec<f32>);

fn tensors() -> Vec<Tensor> {
    let inputs = Shuanglu::OBSERVATION_LEN;
    vec![
        ("layers.0.weight", vec![2, inputs], vec![0.5; 2 * inputs]),
        ("layers.0.bias", vec![2], vec![0.5; 2]),
        ("layers.1.weight", vec![1, 2], vec![0.5; 2]),
        ("layers.1.bias", vec![1], vec![0.5]),
    ]
}

fn file_of(metadata: &str, tensors: &[Tensor], dtype: Dtype) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> =
        tensors.iter().map(|(_, _, x)| x.iter().flat_map(|x| x.to_le_bytes()).collect()).collect();
    let views = tensors.iter().zip(&bytes).map(|((name, shape, _), bytes)| {
        (*name, TensorView::new(dtype, shape.clone(), bytes).expect("a tensor"))
    });
    let entry = [("sarai".to_owned(), metadata.to_owned())];
    serialize(views, Some(entry.into_iter().collect())).expect("a file")
}

fn refusal(bytes: Vec<u8>) -> String {
    Net::from_bytes(&bytes).expect_err("it is refused").to_string()
}

#[test]
fn a_file_comes_back_as_it_was() {
    let game = Shah::new(Default::default()).expect("the default rules");
    let net = net(&game, &[40, 1]);
    let again = Net::from_bytes(net.bytes()).expect("a network");
    assert_eq!((again.description(), again.digest()), (net.description(), net.digest()));
    assert_eq!(again.mlp().layers(), net.mlp().layers());
    assert_eq!(self::super::net(&game, &[40, 1]).bytes(), net.bytes(), "the same bytes each time");
    for observation in observations(&game, 20) {
        let (mut one, mut other) = ([0.0; 2], [0.0; 2]);
        net.expect(&observation, &mut one);
        again.expect(&observation, &mut other);
        assert_eq!(bits(&one), bits(&other));
    }
}

#[test]
fn metadata_that_do_not_fit_are_refused() {
    assert!(Net::from_bytes(&file_of(&metadata().to_string(), &tensors(), Dtype::F32)).is_ok());
    let changed = |key: &str, value: Value| {
        let mut metadata = metadata();
        metadata[key] = value;
        refusal(file_of(&metadata.to_string(), &tensors(), Dtype::F32))
    };
    for (key, value, why) in [
        ("format", json!(2), "it is of format 2, and this sarai reads format 1"),
        ("format", json!("1"), "do not say which format it is of"),
        ("game", json!("chess"), "made for the game 'chess', which there is not"),
        ("game", json!("shah"), "made for rules that there are not: unknown option"),
        ("game", json!(["shah"]), "its metadata are not what they should be (invalid type: sequence"),
        ("rules", json!({"max_turns": -1}), "made for rules that there are not: option 'max_turns' got -1"),
        ("layout_digest", json!("00"), "made for another layout of the observations of shuanglu"),
        ("layout", json!([["own", 0, 24, 0, 16]]), "made for another layout of the observations of shuanglu"),
        ("encoding", json!("unary"), "inputs of shuanglu with encoding \"unary\" it is [2, "),
        ("encoding", json!("onehot"), "its metadata are not what they should be (unknown variant `onehot`"),
        ("activations", json!(["relu"]), "it has 4 tensors, and activations for 1 layers"),
        ("activations", json!([]), "activations for 0 layers; a network has 1 to 8 layers"),
        ("activations", json!(vec!["relu"; 9]), "activations for 9 layers"),
        ("activations", json!(["relu", "exp"]), "unknown variant `exp`"),
        (
            "outputs",
            json!("seats"),
            "it has 1 output; with outputs \"seats\" and these rules of shuanglu it has one for the value of each of the 2 seats",
        ),
        ("more", json!(1), "its metadata are not what they should be (unknown field `more`"),
    ] {
        let error = changed(key, value.clone());
        assert!(error.starts_with("this is no network that can be used: "), "{error}");
        assert!(error.contains(why), "{key} {value}: {error}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, why) in [
        ("", "its metadata are no JSON"),
        ("7", "do not say which format"),
        (&deep, "are no JSON (recursion"),
    ] {
        let error = refusal(file_of(text, &tensors(), Dtype::F32));
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn tensors_that_do_not_fit_are_refused() {
    let changed = |change: &dyn Fn(&mut Vec<Tensor>)| {
        let mut tensors = tensors();
        change(&mut tensors);
        refusal(file_of(&metadata().to_string(), &tensors, Dtype::F32))
    };
    type Case<'a> = (&'a dyn Fn(&mut Vec<Tensor>), &'a str);
    let cases: [Case<'_>; 8] = [
        (
            &|t| t[0].2[7] = f32::NAN,
            "layers.0.weight holds NaN; weights are numbers from -1000000 to 1000000",
        ),
        (&|t| t[3].2[0] = f32::INFINITY, "layers.1.bias holds inf"),
        (&|t| t[1].2[1] = -2e6, "layers.0.bias holds -2000000"),
        (
            &|t| t[2].1 = vec![2, 1],
            "layers.1.weight has the shape [2, 1]; with 1 units and the 2 units of the layer",
        ),
        (&|t| t[1].1 = vec![1, 2], "layers.0.bias has the shape [1, 2]; it has one number for each unit"),
        (&|t| t[1].0 = "layers.1.more", "it has no tensor layers.0.bias"),
        (&|t| drop(t.pop()), "it has 3 tensors, and activations for 2 layers"),
        (
            &|t| t[3] = ("layers.1.bias", vec![1025], vec![0.0; 1025]),
            "layer 1 has 1025 units; a layer has 1 to 1024",
        ),
    ];
    for (change, why) in cases {
        let error = changed(change);
        assert!(error.contains(why), "{error}");
    }
    let error = refusal(file_of(&metadata().to_string(), &tensors(), Dtype::I32));
    assert!(error.contains("is of type I32; weights are F32"), "{error}");
    let other: Vec<Tensor> = vec![("layers.0.bias", vec![0], vec![])];
    assert!(refusal(file_of(&metadata().to_string(), &other, Dtype::F32)).contains("it has 1 tensors"));
}

#[test]
fn damaged_and_hostile_files_are_refused_before_they_cost_anything() {
    let whole = file_of(&metadata().to_string(), &tensors(), Dtype::F32);
    for length in 0..whole.len() {
        let error = refusal(whole[..length].to_vec());
        assert!(error.contains("it is damaged, or no safetensors file"), "{length}: {error}");
    }
    let header = |length: u64, text: &str| [&length.to_le_bytes()[..], text.as_bytes()].concat();
    let with = |text: &str| header(text.len() as u64, text);
    let tensor = |shape: &str, offsets: &str| {
        with(&format!(r#"{{"layers.0.bias":{{"dtype":"F32","shape":{shape},"data_offsets":{offsets}}}}}"#))
    };
    let overlapping = r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
    for bytes in [
        header(u64::MAX, "{}"),
        header(1 << 40, "{}"),
        with("no JSON"),
        with("\u{0}"),
        tensor("[18446744073709551615, 18446744073709551615]", "[0, 4]"),
        tensor("[1000000000]", "[0, 4000000000]"),
        tensor("[1]", "[4, 8]"),
        tensor("[1]", "[8, 4]"),
        [with(overlapping), vec![0; 4]].concat(),
    ] {
        let error = refusal(bytes);
        assert!(error.contains("it is damaged, or no safetensors file"), "{error}");
    }
    let long = vec![b' '; (1 << 20) + 1];
    let long = [&(long.len() as u64).to_le_bytes()[..], &long].concat();
    assert!(refusal(long).contains("its header is 1048577 bytes long; 1048576 are allowed"));
    assert!(refusal(with("{}")).contains("its metadata have no entry \"sarai\""));
}

#[test]
fn files_of_absurd_size_are_not_read() {
    let path = std::env::temp_dir().join(format!("sarai-large-{}.safetensors", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file");
    // It takes no room: nothing is written.
    file.set_len(1 << 40).expect("a length");
    let error = Net::load(path.to_str().expect("a path")).expect_err("it is refused").to_string();
    std::fs::remove_file(&path).expect("it is there");
    assert!(error.contains("it is 1099511627776 bytes long; a network has 67108864 at most"), "{error}");
}

#[test]
fn layers_that_fit_nothing_are_refused() {
    let layer = |weights: usize, bias: usize| {
        let activation = Activation::Relu;
        Layer { weights: vec![0.0; weights], bias: vec![0.0; bias], activation }
    };
    let inputs = Sho::OBSERVATION_LEN;
    for (game, outputs, layers, why) in [
        ("chess", Outputs::Viewer, vec![layer(1, 1)], "there is no game 'chess'"),
        (
            "sho",
            Outputs::Viewer,
            vec![layer(inputs, 1)],
            "have more than two sides; make one with a value for each",
        ),
        (
            "sho",
            Outputs::Policy,
            vec![layer(2 * inputs, 2)],
            "it has 2 outputs; with outputs \"policy\" and these rules of sho it has one for the logit of each of the 130",
        ),
        ("sho", Outputs::Seats, vec![layer(2 * inputs, 2)], "one for the value of each of the 3 seats"),
        ("sho", Outputs::Seats, vec![], "activations for 0 layers"),
        ("sho", Outputs::Seats, vec![layer(7, 3)], "layers.0.weight has not as many numbers as it needs"),
        ("sho", Outputs::Seats, vec![layer(0, 0)], "layer 0 has 0 units"),
    ] {
        let error =
            Net::new(game, "{}", Encoding::Raw, outputs, "", None, &layers).expect_err(why).to_string();
        assert!(error.starts_with("no network can be made of this: "), "{error}");
        assert!(error.contains(why), "{error}");
    }
}
