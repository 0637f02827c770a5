// Shows the same call in Rust, as curl command and in SQL.

const rust_name = (id) => id.replaceAll("-", "_");
const RESERVED = ["type", "match", "ref", "use", "where", "move", "in"];

function rust_value(param, text) {
  if (["integer", "number", "boolean"].includes(param.kind)) return text;
  if (param.kind === "list") {
    const items = text.split(",").map((part) => JSON.stringify(part.trim()));
    return items.length === 1 ? items[0] : `[${items.join(", ")}]`;
  }
  if (param.kind === "json" && /^[[{]/.test(text)) return `serde_json::json!(${text})`;
  return JSON.stringify(text);
}

function in_rust(operation, values) {
  const required = operation.params.filter((param) => param.required).map((param) => rust_value(param, values[param.name] ?? "…"));
  const options = operation.params.filter((param) => !param.required && values[param.name] !== undefined);
  const setters = options.map((param) => `\n    .${param.name}${RESERVED.includes(param.name) ? "_" : ""}(${rust_value(param, values[param.name])})`);
  const key_line = key() ? "\n    .api_key(std::env::var(\"API_KEY\")?)" : "";
  return `use crypto_intel::Client;

let client = Client::builder()
    .base_url("${location.origin}")${key_line}
    .build()?;
let answer = client
    .${rust_name(operation.id)}(${required.join(", ")})${setters.join("")}
    .await?;
println!("{answer:#?}");`;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function in_shell(operation, values) {
  const { method, target, headers, body } = request(operation, values);
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoted(location.origin + target)}`];
  if (key()) lines.push("-H \"Authorization: Bearer $API_KEY\"");
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) lines.push(`-d ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

// A query of the SQL table whose columns have the most in common with the fields of the operation's rows.
function in_sql(operation, values) {
  if (operation.params.some((param) => param.name === "sql")) return values.sql || "SELECT 1";
  const table = catalogue.tables.find((other) => other.name === operation.table);
  if (!table) return `-- No table shows what \`${operation.id}\` shows. ${catalogue.tables.length} others are listed under SQL.`;
  const has = (name) => table.columns.some((column) => column.name === name);
  const conditions = has("block_date") ? ["block_date >= today() - 7"] : [];
  for (const param of operation.params) {
    const text = values[param.name];
    if (text !== undefined && has(param.name) && param.kind !== "json") {
      const items = text.split(",").map((part) => (["integer", "number"].includes(param.kind) ? part : `'${part.trim().replaceAll("'", "''")}'`));
      conditions.push(items.length === 1 ? `${param.name} = ${items[0]}` : `${param.name} IN (${items.join(", ")})`);
    }
  }
  const where = conditions.length ? `\nWHERE ${conditions.join("\n  AND ")}` : "";
  return `SELECT *\nFROM agent.${table.name}${where}\nLIMIT ${values.limit || 100}`;
}

const TONGUES = { Rust: in_rust, curl: in_shell, SQL: in_sql };
let tongue = "Rust";

function tell() {
  if (selected) $("code").textContent = TONGUES[tongue](selected, given());
}

choose($("tongues"), Object.keys(TONGUES), tongue, (name) => { tongue = name; tell(); });
$("key").addEventListener("input", () => { tell(); refresh(); });
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText($("code").textContent);
    $("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($("code"));
    $("copy").textContent = "Selected";
  }
  setTimeout(() => { $("copy").textContent = "Copy"; }, 1500);
});
