//! The tested document, its locations and schemas, and a test value for each keyword.

use serde_json::{Value, json};

/// Returns an OpenAPI document that has a JSON object at each location where the test inserts JSON Schema keywords.
pub(super) fn base(version: &str) -> Value {
    let text = json!({"type": "string"});
    json!({
        "openapi": version,
        "info": {"title": "T", "version": "1", "contact": {"name": "c"}, "license": {"name": "l"}},
        "servers": [{"url": "https://a.example/{v}", "variables": {"v": {"default": "1"}}}],
        "tags": [{"name": "Things"}],
        "externalDocs": {"url": "https://a.example"},

        "paths": {"/things/{id}": {
            "get": {
                "operationId": "things-get", "tags": ["Things"], "summary": "One",
                "parameters": [
                    {"name": "id", "in": "path", "required": true, "schema": text},
                    {"name": "q", "in": "query", "schema": text},
                    {"name": "n", "in": "query", "schema": {"type": "integer"}},
                    {"name": "list", "in": "query", "schema": {"type": "array", "items": text}},
                    {"name": "X-Trace", "in": "header", "schema": text},
                    {"name": "o", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}],
                "responses": {
                    "200": {"description": "", "headers": {"X-Rate": {"schema": {"type": "integer"}}},
                        "links": {"next": {"operationId": "things-get"}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
                    "default": {"description": "e", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}}},
                "callbacks": {"done": {"{$request.body#/url}": {"post": {"responses": {"200": {"description": "ok"}}}}}}},

            "post": {
                "operationId": "things-make", "tags": ["Things"], "summary": "Make",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": text}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}},
                "responses": {"204": {"description": "none"}}},
            "put": {
                "operationId": "things-file", "tags": ["Things"], "summary": "File",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": text}],
                "requestBody": {"content": {"multipart/form-data": {
                    "schema": {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}},
                    "encoding": {"f": {"contentType": "image/png"}}}}},
                "responses": {"204": {"description": "none"}}},
            "patch": {
                "operationId": "things-change", "tags": ["Things"], "summary": "Change",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": text},
                    {"$ref": "#/components/parameters/Page"}, {"name": "c", "in": "cookie", "schema": text}],
                "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"a": text}}}}},
                "responses": {
                    "200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "properties": {"a": text}}}}},
                    "404": {"$ref": "#/components/responses/None"}}}}},

        "components": {
            "parameters": {"Page": {"name": "page", "in": "query", "schema": {"type": "integer"}}},
            "responses": {"None": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fault"}}}}},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"},
                "login": {"type": "oauth2", "flows": {"password": {"tokenUrl": "https://a.example", "scopes": {}}}}},

            "schemas": {
                "Thing": {"type": "object", "required": ["name"], "properties": {
                    "name": text, "n": {"type": "integer"}, "x": {"type": "number"},
                    "list": {"type": "array", "items": text}, "map": {"type": "object", "additionalProperties": text},
                    "inner": {"$ref": "#/components/schemas/Inner"},
                    "flag": {"type": "boolean"}, "word": {"$ref": "#/components/schemas/Word"},
                    "words": {"$ref": "#/components/schemas/Words"},
                    "tuple": {"type": "array", "prefixItems": [text, {"type": "integer"}]},
                    "told": {"oneOf": [{"$ref": "#/components/schemas/Inner"}, {"$ref": "#/components/schemas/Fault"}],
                        "discriminator": {"propertyName": "code"}},
                    "choice": {"oneOf": [text, {"type": "integer"}]},
                    "joined": {"allOf": [{"type": "object", "properties": {"a": text}}, {"properties": {"b": text}}]},
                    "open": {}, "kind": {"type": "string", "enum": ["a", "b"]},
                    "either": {"oneOf": [{"$ref": "#/components/schemas/Inner"}, {"$ref": "#/components/schemas/Body"}]}}},
                "Inner": {"type": "object", "properties": {"a": text}},
                "Word": {"type": "string"}, "Words": {"type": "array", "items": text},
                "Body": {"type": "object", "required": ["t"], "properties": {"t": text, "b": {"type": "integer"}}},
                "Fault": {"type": "object", "properties": {"code": text}}}}
    })
}

const GET: &str = "/paths/~1things~1{id}/get";
const POST: &str = "/paths/~1things~1{id}/post";
const PUT: &str = "/paths/~1things~1{id}/put";
const PATCH: &str = "/paths/~1things~1{id}/patch";

/// Returns the locations in the test document that are not schemas, such as `info`. Each entry contains the name of a
/// location, its JSON pointer, and a JSON object. The object contains the keywords to test at this location, each with
/// a test value.
pub(super) fn places() -> Vec<(&'static str, String, Value)> {
    let docs = json!({"url": "https://b.example", "description": "d"});
    let other =
        json!({"operationId": "things-other", "responses": {"204": {"description": "none"}}});
    let servers = json!([{"url": "https://b.example"}]);
    let parameter = json!({
        "description": "d", "required": true, "deprecated": true, "allowEmptyValue": true, "style": "form",
        "explode": false, "allowReserved": true, "example": "e", "examples": {"one": {"value": "e"}},
        "x-own": 1, "requird": true});
    let media = json!({
        "example": {}, "examples": {"one": {"value": {}}}, "encoding": {"a": {"contentType": "text/plain"}}, "x-own": 1});
    let get = |rest: &str| format!("{GET}{rest}");

    vec![
        (
            "document",
            String::new(),
            json!({"openapi": "3.0.1", "security": [{"key": []}], "tags": [{"name": "Others"}], "servers": [], "webhooks": {"w": {"post": {}}},
            "jsonSchemaDialect": "https://b.example", "x-own": 1, "pathz": {}}),
        ),
        (
            "info",
            "/info".into(),
            json!({"title": "U", "version": "2", "description": "d", "summary": "s", "termsOfService": "https://b.example",
                "contact": {}, "license": {"name": "m"}, "x-own": 1}),
        ),
        (
            "contact",
            "/info/contact".into(),
            json!({"name": "d", "url": "https://b.example", "email": "a@b.example", "x-own": 1}),
        ),
        (
            "licence",
            "/info/license".into(),
            json!({"name": "m", "url": "https://b.example", "identifier": "MIT", "x-own": 1}),
        ),
        (
            "server",
            "/servers/0".into(),
            json!({"url": "https://b.example", "description": "d", "variables": {}, "x-own": 1}),
        ),
        (
            "server variable",
            "/servers/0/variables/v".into(),
            json!({"default": "2", "enum": ["1", "2"], "description": "d", "x-own": 1}),
        ),
        (
            "external docs",
            "/externalDocs".into(),
            json!({"description": "d", "url": "https://b.example", "x-own": 1}),
        ),
        (
            "tag",
            "/tags/0".into(),
            json!({"name": "Others", "description": "d", "externalDocs": docs, "x-own": 1}),
        ),
        (
            "components",
            "/components".into(),
            json!({"responses": {"R": {"description": "d"}}, "parameters": {"P": {"name": "p", "in": "query", "schema": {}}},
            "examples": {"E": {"value": 1}}, "requestBodies": {"B": {"content": {}}}, "headers": {"H": {"schema": {}}}, "links": {"L": {}},
            "callbacks": {"C": {}}, "pathItems": {"I": {}}, "schemas": {}, "securitySchemes": {}, "x-own": 1, "schemata": {}}),
        ),
        (
            "path",
            "/paths/~1things~1{id}".into(),
            json!({"summary": "s", "description": "d", "servers": servers,
            "parameters": [{"name": "all", "in": "query", "schema": {"type": "string"}}], "$ref": "#/paths/~1other",
            "delete": other, "options": other, "head": other, "trace": other, "x-own": 1, "gett": other}),
        ),
        (
            "operation",
            get(""),
            json!({"description": "d", "externalDocs": docs, "deprecated": true, "security": [], "servers": servers, "x-own": 1, "sumary": "s",
                "tags": ["Things", "Others"], "summary": "Two", "operationId": "things-got", "parameters": [], "responses": {},
                "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                "callbacks": {"more": {"{$request.body#/url}": {"post": {}}}}}),
        ),
        (
            "path parameter",
            get("/parameters/0"),
            json!({"description": "d", "style": "label", "explode": true, "deprecated": true, "required": false, "example": "a",
                "examples": {"one": {"value": "e"}}, "schema": {"type": "integer"}, "in": "query", "name": "key", "x-own": 1}),
        ),
        (
            "query parameter",
            get("/parameters/1"),
            json!({"content": {"text/plain": {}}, "in": "header", "name": "r"}),
        ),
        ("query parameter", get("/parameters/1"), parameter.clone()),
        (
            "list parameter",
            get("/parameters/3"),
            json!({"style": "pipeDelimited", "explode": false, "allowReserved": true, "example": ["a"], "schema": {"type": "string"}}),
        ),
        (
            "header parameter",
            get("/parameters/4"),
            json!({"description": "d", "required": true, "style": "simple", "explode": true, "deprecated": true, "example": "a",
                "examples": {"one": {"value": "e"}}, "schema": {"type": "integer"}, "x-own": 1}),
        ),
        (
            "cookie parameter",
            format!("{PATCH}/parameters/2"),
            json!({"description": "d", "required": true, "deprecated": true, "style": "form", "explode": true, "example": "a"}),
        ),
        ("component parameter", "/components/parameters/Page".into(), parameter),
        (
            "reference to a parameter",
            format!("{PATCH}/parameters/1"),
            json!({"description": "d", "summary": "s", "required": true}),
        ),
        ("content of a parameter", get("/parameters/5/content/application~1json"), media.clone()),
        (
            "request body",
            format!("{POST}/requestBody"),
            json!({"description": "d", "required": true, "content": {"text/plain": {}}, "x-own": 1, "strict": true}),
        ),
        (
            "media type of a body",
            format!("{POST}/requestBody/content/application~1json"),
            media.clone(),
        ),
        (
            "encoding",
            format!("{PUT}/requestBody/content/multipart~1form-data/encoding/f"),
            json!({"contentType": "image/gif", "headers": {"H": {"schema": {}}}, "style": "form", "explode": true, "allowReserved": true, "x-own": 1}),
        ),
        (
            "responses",
            get("/responses"),
            json!({"201": {"description": "d"}, "4XX": {"description": "d"}, "default": {"description": "d"}, "x-own": 1}),
        ),
        (
            "response",
            get("/responses/200"),
            json!({"description": "d", "headers": {"H": {"schema": {}}}, "links": {"l": {"operationId": "things-make"}},
                "content": {"text/plain": {}}, "x-own": 1, "contents": {}}),
        ),
        (
            "component response",
            "/components/responses/None".into(),
            json!({"description": "e", "headers": {"H": {"schema": {}}}, "links": {"l": {}}, "x-own": 1, "contents": {}}),
        ),
        (
            "reference to a response",
            format!("{PATCH}/responses/404"),
            json!({"description": "e", "summary": "s", "content": {}}),
        ),
        ("media type of a response", get("/responses/200/content/application~1json"), media),
        (
            "response header",
            get("/responses/200/headers/X-Rate"),
            json!({"description": "d", "required": true, "deprecated": true, "example": 1, "examples": {}, "style": "simple",
                "explode": true, "schema": {"type": "string"}, "content": {}, "x-own": 1}),
        ),
        (
            "link",
            get("/responses/200/links/next"),
            json!({"operationRef": "#/a", "operationId": "things-make", "x-own": 1, "parameters": {"id": "$response.body#/id"}, "requestBody": 1, "description": "d", "server": {"url": "https://b.example"}}),
        ),
        (
            "security scheme",
            "/components/securitySchemes/key".into(),
            json!({"type": "apiKey", "scheme": "basic", "description": "d", "bearerFormat": "JWT", "name": "n", "in": "header",
                "openIdConnectUrl": "https://b.example", "flows": {}, "x-own": 1}),
        ),
        (
            "security flow",
            "/components/securitySchemes/login/flows/password".into(),
            json!({"authorizationUrl": "https://b.example", "tokenUrl": "https://b.example", "refreshUrl": "https://b.example",
                "scopes": {"a": "b"}, "x-own": 1}),
        ),
        (
            "discriminator",
            "/components/schemas/Thing/properties/told/discriminator".into(),
            json!({"propertyName": "a", "mapping": {"i": "#/components/schemas/Body"}, "x-own": 1}),
        ),
    ]
}

/// Returns the tested schemas. Each has a name, its JSON pointer and an example value of its type.
pub(super) fn schemas() -> Vec<(&'static str, String, Value)> {
    let component = |name: &str| format!("/components/schemas/{name}");
    let field = |name: &str| component(&format!("Thing/properties/{name}"));
    let body = |name: &str| component(&format!("Body/properties/{name}"));
    let argument = |index: usize| format!("{GET}/parameters/{index}/schema");
    let json = "content/application~1json/schema";

    vec![
        ("record", component("Inner"), json!({"a": "b"})),
        ("record of a body", component("Body"), json!({"t": "b"})),
        ("component text", component("Word"), json!("a")),
        ("component list", component("Words"), json!(["a"])),
        ("whole response", format!("{PATCH}/responses/200/{json}"), json!({"a": "b"})),
        ("whole body", format!("{PATCH}/requestBody/{json}"), json!({"a": "b"})),
        ("text of a record", field("name"), json!("a")),
        ("text of a body", body("t"), json!("a")),
        ("text of a parameter", argument(1), json!("a")),
        ("number of a record", field("n"), json!(1)),
        ("number of a body", body("b"), json!(1)),
        ("number of a parameter", argument(2), json!(1)),
        ("flag of a record", field("flag"), json!(true)),
        ("list of a record", field("list"), json!(["a"])),
        ("list of a parameter", argument(3), json!(["a"])),
        ("item of a list", field("list/items"), json!("a")),
        ("map of a record", field("map"), json!({"a": "b"})),
        ("value of a map", field("map/additionalProperties"), json!("a")),
        ("item of a tuple", field("tuple/prefixItems/0"), json!("a")),
        ("union", field("either"), json!({"a": "b"})),
        ("shape of a union", field("choice/oneOf/0"), json!("a")),
        ("joined record", field("joined"), json!({"a": "b"})),
        ("part of a joined record", field("joined/allOf/0"), json!({"a": "b"})),
        ("enum of a record", field("kind"), json!("a")),
        ("reference", field("inner"), json!({"a": "b"})),
        ("any value", field("open"), json!("a")),
    ]
}

/// Returns a JSON object with all keywords to test in a schema, and a test value for each keyword. The keywords are
/// those of JSON Schema 2020-12 and OpenAPI, the extension field `x-own`, and the misspelt keyword `tipe`. `value` is
/// the test value of `const`, `default` and `example`. The test value of `enum` and `examples` is a list that contains
/// only `value`.
pub(super) fn keywords(value: &Value) -> Value {
    let docs = json!({"url": "https://b.example", "description": "d"});

    let mut keywords = json!({
        "$anchor": "a", "$comment": "c", "$defs": {"d": {}}, "$dynamicAnchor": "a", "$dynamicRef": "#a",
        "$id": "https://b.example/i", "$ref": "#/components/schemas/Fault", "$vocabulary": {},
        "$schema": "https://json-schema.org/draft/2020-12/schema", "definitions": {"d": {}},
        "additionalProperties": {"type": "integer"}, "allOf": [{"minLength": 2}],
        "anyOf": [{"minLength": 2}, {"maxLength": 5}], "oneOf": [{"minLength": 2}, {"maxLength": 1}],
        "const": value, "contains": {"type": "string"}, "minContains": 1, "maxContains": 2,
        "contentEncoding": "base64", "contentMediaType": "image/png", "contentSchema": {},
        "default": value, "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {}}, "deprecated": true,
        "description": "d", "discriminator": {"propertyName": "a"}, "enum": [value], "example": value, "examples": [value],
        "exclusiveMinimum": 0,
        "exclusiveMaximum": 10, "externalDocs": docs});

    let more = json!({
        "format": "int32",
        "if": {"minLength": 2}, "then": {"maxLength": 5}, "else": {"maxLength": 1}, "items": {"type": "integer"},
        "maxItems": 2, "maxLength": 3, "maxProperties": 9, "maximum": 9, "minItems": 1, "minLength": 1,
        "minProperties": 1, "minimum": 1, "multipleOf": 2, "not": {"const": "z"}, "nullable": true, "pattern": "^a",
        "patternProperties": {"^x-": {"type": "string"}}, "prefixItems": [{"type": "string"}],
        "properties": {"c": {"type": "string"}}, "propertyNames": {"pattern": "^a"}, "readOnly": true,
        "required": ["a"], "title": "t", "type": ["string", "null"], "unevaluatedItems": false,
        "unevaluatedProperties": false, "uniqueItems": true, "writeOnly": true, "xml": {"name": "o"}, "x-own": 1,
        "tipe": "string"});
    keywords.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    keywords
}
