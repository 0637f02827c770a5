//! Single edits of the repository's OpenAPI documents and overlay. Other tests use them to check differences
//! between API versions.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use xtask::facts::Facts;
use xtask::{load, regen};

/// Reads an OpenAPI document or the overlay of the repository.
pub(crate) fn description(path: &str) -> Value {
    load::document(&regen::root().join(path)).unwrap()
}

/// Returns one OpenAPI document with all published and unpublished operations except the chat operations.
pub(crate) fn all_data() -> Value {
    let mut data = description(regen::DESCRIPTIONS[0]);
    let unpublished = description(regen::UNPUBLISHED);
    for pointer in ["/paths", "/components/schemas"] {
        let more = unpublished.pointer(pointer).unwrap().as_object().unwrap().clone();
        let known = data.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        for (name, value) in more {
            match known.get_mut(&name).and_then(Value::as_object_mut) {
                Some(item) if pointer == "/paths" => {
                    item.extend(value.as_object().unwrap().clone())
                }
                Some(_) => {}
                None => drop(known.insert(name, value)),
            }
        }
    }
    data["tags"].as_array_mut().unwrap().extend(unpublished["tags"].as_array().unwrap().clone());
    let mut names = BTreeSet::new();
    data["tags"].as_array_mut().unwrap().retain(|tag| names.insert(tag["name"].to_string()));
    data
}

/// OpenAPI documents and the overlay of the repository. A test can edit this copy of them.
#[derive(Clone)]
pub(crate) struct Version {
    /// OpenAPI document with all operations except the chat operations.
    pub(crate) data: Value,
    pub(crate) chat: Value,
    pub(crate) overlay: Value,
}

impl Version {
    pub(crate) fn committed() -> Self {
        let chat = description(regen::DESCRIPTIONS[1]);
        Version { data: all_data(), chat, overlay: description(regen::OVERLAY) }
    }

    /// Returns the repository's OpenAPI documents and overlay, but without the unpublished operations.
    /// The field `data` contains only the published document `spec/data.openapi.json`.
    pub(crate) fn published() -> Self {
        Version { data: description(regen::DESCRIPTIONS[0]), ..Self::committed() }
    }

    #[track_caller]
    pub(crate) fn facts(&self) -> Facts {
        let documents = vec![self.data.clone(), self.chat.clone()];
        let model = regen::model_in_memory(documents, Some(&self.overlay));
        Facts::from_model(&model.unwrap_or_else(|faults| panic!("{faults}")))
    }

    /// Returns a copy with only the paths that have an operation in `ids`, and the schemas that these paths use.
    /// Compiling a crate with all operations would take too long.
    pub(crate) fn only(&self, ids: &[&str]) -> Self {
        let mut few = self.clone();
        for document in [&mut few.data, &mut few.chat] {
            let whole = document.clone();
            let paths = document["paths"].as_object_mut().unwrap();
            paths.retain(|_, item| {
                let operations = item.as_object().unwrap().values();
                let mut names =
                    operations.filter_map(|operation| operation["operationId"].as_str());
                names.any(|name| ids.contains(&name))
            });
            let reached = reached(&document["paths"], &whole);
            let schemas = document["components"]["schemas"].as_object_mut().unwrap();
            schemas.retain(|name, _| reached.contains(name));
        }
        few
    }

    /// Returns the operation with this identifier. Panics if there is none.
    #[track_caller]
    pub(crate) fn operation(&mut self, id: &str) -> &mut Value {
        let documents = [&mut self.data, &mut self.chat].into_iter();
        let paths = documents.flat_map(|document| document["paths"].as_object_mut().unwrap());
        let operations = paths.flat_map(|(_, item)| item.as_object_mut().unwrap());
        let found = operations.map(|(_, operation)| operation);
        found.into_iter().find(|operation| operation["operationId"] == id).unwrap()
    }

    #[track_caller]
    fn params(&mut self, id: &str) -> &mut Vec<Value> {
        self.operation(id)["parameters"].as_array_mut().unwrap()
    }

    #[track_caller]
    fn param(&mut self, id: &str, name: &str) -> &mut Value {
        self.params(id).iter_mut().find(|param| param["name"] == name).unwrap()
    }

    #[track_caller]
    fn record(&mut self, name: &str) -> &mut Value {
        let record = &mut self.data["components"]["schemas"][name];
        assert!(record.is_object(), "the record {name} is gone");
        record
    }

    #[track_caller]
    fn member(&mut self, record: &str, name: &str) -> &mut Value {
        let member = &mut self.record(record)["properties"][name];
        assert!(member.is_object(), "the member {record}.{name} is gone");
        member
    }

    /// Adds an action to the overlay.
    pub(crate) fn action(&mut self, target: &str, update: Value) {
        let action = json!({"target": target, "update": update});
        self.overlay["actions"].as_array_mut().unwrap().push(action);
    }

    /// Replaces all occurrences of `from` by `to` in the OpenAPI document `data`.
    fn reword(&mut self, from: &str, to: &str) {
        let text = self.data.to_string();
        assert!(text.contains(from), "{from} is gone");
        self.data = serde_json::from_str(&text.replace(from, to)).unwrap();
    }
}

/// Returns the names of the schemas to which a part of a document refers, directly or through other schemas.
fn reached(part: &Value, document: &Value) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![part.clone()];
    while let Some(node) = open.pop() {
        match node {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let target = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
                if let Some(name) = target.strip_prefix("#/components/schemas/") {
                    let name = name.replace("%20", " ").replace("%7B", "{").replace("%7D", "}");
                    if reached.insert(name.clone()) {
                        open.push(document["components"]["schemas"][&name].clone());
                    }
                }
                open.extend(members.into_iter().map(|(_, member)| member));
            }
            _ => {}
        }
    }
    reached
}

fn take(list: &mut Value, value: &str) {
    let items = list.as_array_mut().unwrap();
    assert!(items.iter().any(|item| item == value), "the value {value} is gone");
    items.retain(|item| item != value);
}

fn push(list: &mut Value, value: Value) {
    list.as_array_mut().unwrap().push(value);
}

fn without(node: &mut Value, member: &str) {
    assert!(node.as_object_mut().unwrap().remove(member).is_some(), "{member} is gone");
}

pub(crate) type Edit = (&'static str, fn(&mut Version));

const PRICE: &str = "$.paths['/gateway/v1/market/price'].get";

/// Edits of the OpenAPI documents and the overlay, each with a name. There is one edit for each kind of change.
pub(crate) const EDITS: &[Edit] = &[
    ("another default", |v| v.param("search-airdrop", "limit")["schema"]["default"] = json!(50)),
    ("a default that comes", |v| {
        v.param("search-airdrop", "q")["schema"]["default"] = json!("eth")
    }),
    ("a default that goes", |v| {
        without(&mut v.param("search-airdrop", "limit")["schema"], "default");
    }),
    ("an upper bound", |v| v.param("search-airdrop", "limit")["schema"]["maximum"] = json!(200)),
    ("a lower bound", |v| v.param("search-airdrop", "limit")["schema"]["minimum"] = json!(2)),
    ("a bound that goes", |v| {
        without(&mut v.param("search-airdrop", "limit")["schema"], "maximum");
    }),
    ("a bound of a length", |v| v.param("search-airdrop", "q")["schema"]["maxLength"] = json!(80)),
    ("a value more that others know", |v| {
        push(&mut v.param("token-holders", "chain")["schema"]["enum"], json!("linea"));
    }),
    ("a value more that nobody knows", |v| {
        push(&mut v.param("token-holders", "chain")["schema"]["enum"], json!("moonbase"));
    }),
    ("a value less that others know", |v| {
        take(&mut v.param("token-holders", "chain")["schema"]["enum"], "base");
    }),
    ("a value less that nobody else knows", |v| {
        take(&mut v.param("search-airdrop", "reward_type")["schema"]["enum"], "whitelist");
    }),
    ("a value more of a member", |v| {
        push(&mut v.member("AirdropTaskItem", "status")["enum"], json!("PAUSED"));
    }),
    ("a value less of a member", |v| {
        take(&mut v.member("AirdropTaskItem", "status")["enum"], "UPCOMING");
    }),
    ("from query to header", |v| v.param("market-price", "currency")["in"] = json!("header")),
    ("a parameter that becomes required", |v| {
        v.param("market-price", "currency")["required"] = json!(true);
    }),
    ("a parameter that may be left out", |v| {
        v.param("market-price", "symbol")["required"] = json!(false);
    }),
    ("another type of a parameter", |v| {
        v.param("social-detail", "geo_limit")["schema"]["type"] = json!("number");
    }),
    ("another type and another range of a parameter", |v| {
        let schema = &mut v.param("social-detail", "geo_limit")["schema"];
        schema["type"] = json!("number");
        schema["maximum"] = json!(7);
    }),
    ("a text that becomes an enum", |v| {
        v.param("market-price", "currency")["schema"]["enum"] = json!(["usd", "eur"]);
    }),
    ("a parameter more", |v| {
        let param = json!({"name": "depth", "in": "query", "description": "How deep it looks.",
            "schema": {"type": "integer", "format": "int64"}});
        v.params("market-price").push(param);
    }),
    ("a required parameter more", |v| {
        let param = json!({"name": "venue", "in": "query", "required": true,
            "description": "Where it was traded.", "schema": {"type": "string"}});
        v.params("market-price").push(param);
    }),
    ("a parameter less", |v| {
        v.params("market-price").retain(|param| param["name"] != "currency");
    }),
    ("another name of a parameter", |v| {
        v.param("market-price", "currency")["name"] = json!("quote_currency");
    }),
    ("a parameter that is deprecated", |v| {
        v.param("market-price", "currency")["deprecated"] = json!(true);
    }),
    ("the text of a parameter", |v| {
        let param = v.param("market-price", "currency");
        without(&mut param["schema"], "description");
        param["description"] = json!("In what the price is told.");
    }),
    ("a summary", |v| v.operation("market-price")["summary"] = json!("What it was worth")),
    ("the text of an operation", |v| {
        v.operation("market-price")["description"] = json!("What one token was worth, over time.");
    }),
    ("an operation that is deprecated", |v| {
        v.operation("market-price")["deprecated"] = json!(true)
    }),
    ("an operation more", |v| {
        let mut operation = v.operation("market-fear-greed").clone();
        operation["operationId"] = json!("market-mood");
        v.data["paths"]["/gateway/v1/market/mood"] = json!({"get": operation});
    }),
    ("an operation less", |v| {
        without(&mut v.data["paths"], "/gateway/v1/market/fear-greed");
    }),
    ("another name of an operation", |v| {
        v.operation("market-fear-greed")["operationId"] = json!("market-mood");
    }),
    ("another path of an operation", |v| {
        v.reword("/gateway/v1/market/fear-greed", "/gateway/v2/market/fear-greed");
    }),
    ("another record as the answer", |v| {
        let answer = "/responses/200/content/application~1json/schema/$ref";
        let other = v.operation("social-user-followers").pointer(answer).unwrap().clone();
        *v.operation("social-user-replies").pointer_mut(answer).unwrap() = other;
    }),
    ("the text of a domain", |v| {
        let tags = v.data["tags"].as_array_mut().unwrap();
        let tag = tags.iter_mut().find(|tag| tag["name"] == "Market").unwrap();
        tag["description"] = json!("What the market does.");
    }),
    ("the text of a record", |v| {
        v.record("AirdropTaskSummary")["description"] = json!("How many tasks there are.");
    }),
    ("the text of a member", |v| {
        v.member("AirdropTaskSummary", "open")["description"] = json!("Tasks to do.");
    }),
    ("a member more", |v| {
        v.record("AirdropTaskSummary")["properties"]["closed"] =
            json!({"type": "integer", "description": "Tasks that are over."});
    }),
    ("a member less", |v| {
        let record = v.record("AirdropTaskSummary");
        take(&mut record["required"], "open");
        without(&mut record["properties"], "open");
    }),
    ("another type of a member", |v| {
        v.member("AirdropTaskSummary", "open")["type"] = json!("number");
    }),
    ("another type of the parts of a list", |v| {
        v.member("AirdropTaskSummary", "types")["items"]["type"] = json!("integer");
    }),
    ("a member that may be absent", |v| {
        take(&mut v.record("AirdropTaskSummary")["required"], "open");
    }),
    ("a member that may be null", |v| {
        v.member("AirdropTaskSummary", "open")["type"] = json!(["integer", "null"]);
    }),
    ("a list that may be absent", |v| {
        take(&mut v.record("AirdropTaskSummary")["required"], "types");
    }),
    ("a member that is deprecated", |v| {
        v.member("AirdropTaskSummary", "open")["deprecated"] = json!(true);
    }),
    ("another name of a member", |v| {
        let record = v.record("AirdropTaskSummary");
        let member = record["properties"]["open"].take();
        without(&mut record["properties"], "open");
        record["properties"]["opened"] = member;
        take(&mut record["required"], "open");
        push(&mut record["required"], json!("opened"));
    }),
    ("another name of a record", |v| v.reword("OnchainGasPriceItem", "GasQuote")),
    ("overlay: a price", |v| v.action(PRICE, json!({"x-credits": 7}))),
    ("overlay: a price that nobody knows", |v| v.action(PRICE, json!({"x-credits": "unknown"}))),
    ("overlay: a list that is not paged", |v| {
        v.action(
            "$.paths['/gateway/v1/search/airdrop'].get",
            json!({"x-paging": {"kind": "none"}}),
        );
    }),
    ("overlay: a rule", |v| {
        v.action(PRICE, json!({"x-identifiers": [{"at-least-one": ["from", "to"]}]}));
    }),
    ("overlay: where it is from", |v| {
        v.action(PRICE, json!({"x-provenance": "interface text"}));
    }),
    ("overlay: an assumption", |v| v.action(PRICE, json!({"x-assumed": "It answers at all."}))),
    ("overlay: a convention", |v| {
        v.action(&format!("{PRICE}.parameters[?@.name=='from']"), json!({"x-param": "day"}));
    }),
    ("overlay: a list of texts", |v| {
        v.action(&format!("{PRICE}.parameters[?@.name=='currency']"), json!({"x-param": "list"}));
    }),
    ("overlay: a parameter that is refused", |v| {
        let update = json!({"x-refused": "is answered with status 400"});
        v.action(&format!("{PRICE}.parameters[?@.name=='currency']"), update);
    }),
    ("overlay: an operation that is deprecated", |v| {
        v.action(PRICE, json!({"x-deprecated": "use another"}));
    }),
    ("overlay: a day seen live", |v| v.action(PRICE, json!({"x-seen-live": "2026-11-24"}))),
    ("overlay: patience", |v| v.action(PRICE, json!({"x-patience": 90}))),
    ("overlay: the key of a row", |v| {
        v.action(PRICE, json!({"x-rows": {"key": ["timestamp", "metric"]}}))
    }),
    ("overlay: a parameter that belongs elsewhere", |v| {
        v.action(PRICE, json!({"x-misplaced": {"ticker": "is called `symbol` here"}}));
    }),
    ("overlay: the order of arguments", |v| {
        let target = "$.paths['/gateway/v1/dex/token/price'].get";
        let actions = v.overlay["actions"].as_array_mut().unwrap();
        actions.retain(|action| action["target"] != target);
        v.action(target, json!({"x-arguments": ["chain", "address"]}));
    }),
    ("overlay: another name of an operation", |v| {
        v.action(PRICE, json!({"x-rename": "price-history"}));
    }),
    ("overlay: a unit", |v| {
        let target = "$.components.schemas.AirdropTaskSummary.properties.open";
        v.action(target, json!({"x-native": "UnixMillis"}));
    }),
    ("overlay: the free window", |v| v.action("$", json!({"x-free-window": 60}))),
    ("overlay: the smallest purchase", |v| {
        v.action("$", json!({"x-top-up": {"usd": "10"}}));
    }),
    ("the version of the description", |v| v.data["info"]["version"] = json!("9.9.9")),
    ("a value of the chat description", |v| {
        let schemas = v.chat["components"]["schemas"].as_object_mut().unwrap();
        let schema = &mut schemas["ResponsesRequest"]["properties"]["input"];
        schema["description"] = json!("What is asked.");
    }),
];
