//! Generates the Python module with a `TypedDict` for each record.

use std::fmt::Write as _;

use crypto_intel_api::generated::tables::RECORDS;
use crypto_intel_core::RecordRow;

use crate::HEADER;
use crate::names::{is_name, optional, python_type, quoted};

pub fn module() -> String {
    let mut text = format!(
        "\"\"\"The records of the service as dictionaries.\n\nFields that are not `Required` \
         may be absent, and other fields may be present. A `Literal` has the known values; \
         the\nservice may add others.\n\"\"\"\n\n{HEADER}\nfrom __future__ import \
         annotations\n\nfrom typing import Any, Literal, Required, TypedDict\n"
    );
    for record in RECORDS {
        text.push_str(&typed_dict(record));
    }
    text
}

fn typed_dict(record: &RecordRow) -> String {
    let name = record.name;
    let plain = record.fields.iter().all(|field| is_name(field.name));
    let mut text = String::from("\n\n");
    if plain {
        let _ = writeln!(text, "class {name}(TypedDict, total=False):");
        if record.fields.is_empty() {
            text.push_str("    pass\n");
        }
    } else {
        let _ = writeln!(text, "{name} = TypedDict(\n    \"{name}\",\n    {{");
    }

    for field in record.fields {
        let ty = python_type(field.ty, "");
        let ty = if field.nullable { optional(&ty) } else { ty };
        let ty = if field.required { format!("Required[{ty}]") } else { ty };
        if plain {
            let _ = writeln!(text, "    {}: {ty}", field.name);
            if !field.doc.is_empty() {
                let _ = writeln!(text, "    \"\"\"{}\"\"\"", quoted(field.doc));
            }
        } else {
            let _ = writeln!(text, "        {:?}: \"{ty}\",", field.name);
        }
    }
    if !plain {
        text.push_str("    },\n    total=False,\n)\n");
    }
    text
}
