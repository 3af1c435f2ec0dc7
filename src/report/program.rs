//! The intermediate representation of a Promela model as one versioned JSON
//! document.

use crate::report::json::text_of;
use crate::verify::outline::Outline;
use schemars::JsonSchema;
use serde::Serialize;

/// Version of the format; increased when a reader of the old format could
/// misread the new one.
pub const SCHEMA_VERSION: u32 = 1;

/// A program with its origin.
#[derive(Serialize, JsonSchema)]
struct Document<'a> {
    schema_version: u32,
    /// The version of Trapline.
    version: &'a str,
    /// The file of the model.
    model: &'a str,
    #[serde(flatten)]
    outline: &'a Outline,
}

/// Renders the document, ending with a newline.
pub fn render(model: &str, outline: &Outline) -> String {
    let version = env!("CARGO_PKG_VERSION");
    text_of(&Document { schema_version: SCHEMA_VERSION, version, model, outline })
}

/// Returns the JSON schema of the document.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Document).into()
}
