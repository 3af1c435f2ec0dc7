//! Checks documents against the part of JSON Schema that our schemas use.

use serde_json::{Map, Value, json};

/// What is wrong with a document. A key that the schema does not name is
/// wrong, too; a keyword that is not known here is a panic.
pub fn faults(document: &Value, schema: &Value) -> Vec<String> {
    faults_at(document, schema, schema, "$")
}

fn faults_at(value: &Value, schema: &Value, root: &Value, at: &str) -> Vec<String> {
    let Value::Object(keywords) = schema else {
        return if schema == &json!(false) { vec![format!("{at}: must not be there")] } else { Vec::new() };
    };
    let mut found = Vec::new();
    for (keyword, wanted) in keywords {
        let sub = |schema: &Value| faults_at(value, schema, root, at);
        match keyword.as_str() {
            "$ref" => {
                let pointer = wanted.as_str().and_then(|it| it.strip_prefix('#')).expect("a local reference");
                found.extend(sub(root.pointer(pointer).expect("the reference leads somewhere")));
            }
            "type" => {
                let wanted = wanted.as_array().cloned().unwrap_or_else(|| vec![wanted.clone()]);
                if !wanted.iter().any(|it| is_of_type(value, it.as_str().unwrap_or_default())) {
                    found.push(format!("{at}: {value} is not of type {wanted:?}"));
                }
            }
            "enum" if !wanted.as_array().is_some_and(|it| it.contains(value)) => {
                found.push(format!("{at}: {value} is none of {wanted}"));
            }
            "const" if wanted != value => found.push(format!("{at}: {value} is not {wanted}")),
            "anyOf" | "oneOf" => {
                let all: Vec<Vec<String>> = wanted.as_array().expect("a list").iter().map(sub).collect();
                let n_good = all.iter().filter(|it| it.is_empty()).count();
                if n_good == 0 || (keyword == "oneOf" && n_good > 1) {
                    found.push(format!("{at}: {n_good} of {keyword} fit: {all:?}"));
                }
            }
            "allOf" => found.extend(wanted.as_array().expect("a list").iter().flat_map(sub)),
            "properties" | "required" | "additionalProperties" => {
                if let Value::Object(map) = value {
                    found.extend(object_faults(map, keyword, wanted, keywords, root, at));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(faults_at(item, wanted, root, &format!("{at}/{index}")));
                }
            }
            "minItems"
                if value.as_array().is_some_and(|it| (it.len() as u64) < wanted.as_u64().unwrap_or(0)) =>
            {
                found.push(format!("{at}: fewer than {wanted} items"));
            }
            "minLength"
                if value.as_str().is_some_and(|it| (it.len() as u64) < wanted.as_u64().unwrap_or(0)) =>
            {
                found.push(format!("{at}: shorter than {wanted}"));
            }
            "minimum" if value.as_f64() < wanted.as_f64() && value.is_number() => {
                found.push(format!("{at}: below {wanted}"));
            }
            "maximum" if value.as_f64() > wanted.as_f64() && value.is_number() => {
                found.push(format!("{at}: above {wanted}"));
            }
            "enum" | "const" | "minItems" | "minLength" | "minimum" | "maximum" => {}
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
            other => panic!("{at}: the schema uses `{other}`, which this test does not know"),
        }
    }
    found
}

fn object_faults(
    map: &Map<String, Value>,
    keyword: &str,
    wanted: &Value,
    keywords: &Map<String, Value>,
    root: &Value,
    at: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    let named = keywords.get("properties").and_then(Value::as_object);
    match keyword {
        "properties" => {
            for (key, schema) in wanted.as_object().expect("a map") {
                if let Some(value) = map.get(key) {
                    found.extend(faults_at(value, schema, root, &format!("{at}/{key}")));
                }
            }
            if !keywords.contains_key("additionalProperties") {
                let unknown = map.keys().filter(|key| wanted.get(key.as_str()).is_none());
                found.extend(unknown.map(|key| format!("{at}/{key} is not in the schema")));
            }
        }
        "required" => {
            for key in wanted.as_array().expect("a list").iter().filter_map(Value::as_str) {
                if !map.contains_key(key) {
                    found.push(format!("{at}: `{key}` is missing"));
                }
            }
        }
        _ => {
            for (key, value) in map.iter().filter(|(key, _)| !named.is_some_and(|it| it.contains_key(*key))) {
                found.extend(faults_at(value, wanted, root, &format!("{at}/{key}")));
            }
        }
    }
    found
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
