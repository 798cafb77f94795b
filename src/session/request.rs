//! Requests: an object of JSON with what is to be done as "do", and the fields that it takes.

use serde_json::{Map, Value};

use crate::base::error::{Error, shorten};

/// A request, of which fields are taken until none is left.
#[derive(Debug)]
pub struct Request {
    name: String,
    fields: Map<String, Value>,
}

impl Request {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// When it is no object, or does not say what is to be done.
    ///
    /// ```
    /// use sarai::session::Request;
    /// let mut request = Request::read(br#"{"do": "go", "to": -3}"#)?;
    /// assert_eq!(request.name(), "go");
    /// let refused = request.number("to").unwrap_err().to_string();
    /// assert_eq!(refused, "'go' takes a whole number from 0 as 'to', not -3");
    /// # Ok::<(), sarai::Error>(())
    /// ```
    pub fn read(json: &[u8]) -> Result<Self, Error> {
        match serde_json::from_slice(json) {
            Ok(request) => Self::of(request),
            Err(error) => Err(Error::new(format!("this is not valid JSON of a command: {error}"))),
        }
    }

    /// A request that was read from JSON.
    ///
    /// # Errors
    /// As [`Request::read`].
    pub fn of(request: Value) -> Result<Self, Error> {
        let name = request["do"].as_str().map(str::to_owned);
        match (name, request) {
            (Some(name), Value::Object(mut fields)) => {
                fields.remove("do");
                Ok(Request { name, fields })
            }
            (_, given) => {
                let given = shorten(&given.to_string());
                Err(Error::new(format!("a command is an object with its name as 'do', not {given}")))
            }
        }
    }

    /// What is to be done.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A field, `None` where it is missing or null.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// The same where it must be given.
    ///
    /// # Errors
    /// When it is not.
    pub fn needed(&mut self, name: &str, takes: &str) -> Result<Value, Error> {
        self.take(name).ok_or_else(|| Error::new(format!("'{}' needs {takes} as '{name}'", self.name)))
    }

    /// What is said of a field that does not fit.
    pub fn refused(&self, name: &str, takes: &str, given: &Value) -> Error {
        let given = shorten(&given.to_string());
        Error::new(format!("'{}' takes {takes} as '{name}', not {given}", self.name))
    }

    /// A whole number, such as that of a step or of something that is held.
    ///
    /// # Errors
    /// When it is missing or none.
    pub fn number(&mut self, name: &str) -> Result<u64, Error> {
        const TAKES: &str = "a whole number from 0";
        let given = self.needed(name, TAKES)?;
        given.as_u64().ok_or_else(|| self.refused(name, TAKES, &given))
    }

    /// The same where it need not be given.
    ///
    /// # Errors
    /// When it is none.
    pub fn number_if_given(&mut self, name: &str) -> Result<Option<u64>, Error> {
        let is_given = self.fields.get(name).is_some_and(|given| !given.is_null());
        is_given.then(|| self.number(name)).transpose()
    }

    /// A whole number of at most 64 bits, which may be written as text: JavaScript's numbers hold no more than 53.
    ///
    /// # Errors
    /// When it is none.
    pub fn whole(&mut self, name: &str) -> Result<Option<u64>, Error> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let digits =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let whole = given.as_u64().or_else(|| given.as_str().and_then(digits));
        let takes = "a whole number from 0 to 18446744073709551615, as a number or as text,";
        whole.map(Some).ok_or_else(|| self.refused(name, takes, &given))
    }

    /// A text, `None` where it is not given.
    ///
    /// # Errors
    /// When it is none.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, Error> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.refused(name, "text", &other)),
        }
    }

    /// The same where it must be given.
    ///
    /// # Errors
    /// When it is missing or none.
    pub fn text_needed(&mut self, name: &str) -> Result<String, Error> {
        let given = self.text(name)?;
        given.ok_or_else(|| Error::new(format!("'{}' needs text as '{name}'", self.name)))
    }

    /// A list of texts, `None` where it is not given.
    ///
    /// # Errors
    /// When it is none.
    pub fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let texts = given.as_array().and_then(|list| {
            list.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        texts.map(Some).ok_or_else(|| self.refused(name, "a list of texts", &given))
    }

    /// One of a few words, `None` where it is not given.
    ///
    /// # Errors
    /// When it is none of them.
    pub fn one_of(&mut self, name: &str, words: [&'static str; 2]) -> Result<Option<&'static str>, Error> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let known = words.into_iter().find(|word| given == *word);
        let takes = format!("'{}' or '{}'", words[0], words[1]);
        known.map(Some).ok_or_else(|| self.refused(name, &takes, &given))
    }

    /// Refuses what is left: a field with a wrong name would do nothing, and nobody would know.
    ///
    /// # Errors
    /// When anything is.
    pub fn done(&self) -> Result<(), Error> {
        match self.fields.iter().find(|(_, given)| !given.is_null()) {
            None => Ok(()),
            Some((name, _)) => {
                let name = shorten(name);
                Err(Error::new(format!("'{}' takes nothing as '{name}'; leave it out", self.name)))
            }
        }
    }
}
