// The form of an operation, and its request.

let last; // The last answer, and what was asked.

function field(param) {
  const id = `p-${param.name}`;
  const value = param.value ?? "";
  let input;
  if (param.choices.length) {
    const none = param.required ? [] : [el("option", { value: "" }, param.default ? `default: ${param.default}` : "not given")];
    input = el("select", { id, name: param.name }, none, param.choices.map((choice) => el("option", {}, choice)));
    input.value = value && param.choices.includes(value) ? value : (param.required ? param.choices[0] : "");
  } else if (param.kind === "json" || param.long) {
    input = el("textarea", { id, name: param.name, rows: "2", spellcheck: "false" });
    input.value = value;
  } else {
    input = el("input", { id, name: param.name, placeholder: param.default ? `default: ${param.default}` : "", autocomplete: "off" });
    input.value = value;
  }
  const need = param.required ? el("span", { class: "bad" }, " required") : null;
  return el("div", { class: param.kind === "json" ? "wide" : "" },
    el("label", { for: id }, param.name, need, el("span", { class: "quiet" }, ` ${param.type}`)), input,
    el("p", {}, prose(param.doc)));
}

// Shows an operation, with values from a link.
function select(operation, values = {}) {
  selected = operation;
  $("intro").hidden = true;
  for (const id of ["operation", "same"]) $(id).hidden = false;
  $("result").hidden = true;
  $("next").hidden = true;
  last = undefined;
  $("name").textContent = operation.id;
  $("price").textContent = operation.price;
  $("paged").textContent = operation.paging || "";
  $("path").textContent = `${operation.method} ${operation.path}`;
  $("about").replaceChildren(el("b", {}, operation.summary), ...(operation.note ? [". ", ...prose(operation.note)] : []));
  $("said").replaceChildren();

  const required = operation.params.filter((param) => param.required || param.value);
  const optional = operation.params.filter((param) => !required.includes(param));
  $("required").replaceChildren(...required.map(field));
  $("optional").replaceChildren(...optional.map(field));
  $("more").hidden = !optional.length;
  $("more").firstElementChild.textContent = optional.length === 1 ? "1 more parameter" : `${optional.length} more parameters`;
  $("more").open = !required.length && optional.length <= 6;
  for (const param of operation.params) {
    const value = values[param.name];
    if (value === undefined) continue;
    const input = $(`p-${param.name}`);
    if (input.tagName === "SELECT" && !param.choices.includes(value)) input.append(el("option", {}, value));
    input.value = value;
    if (optional.includes(param)) $("more").open = true;
  }
  list();
  tell();
}

// The values of the form, as strings by name.
function given() {
  const values = {};
  for (const param of selected?.params || []) {
    const text = $(`p-${param.name}`).value.trim();
    if (text !== "") values[param.name] = text;
  }
  return values;
}

// Converts a string to the type of the body's field.
function typed(param, text) {
  if (["integer", "number"].includes(param.kind) && !Number.isNaN(Number(text))) return Number(text);
  if (param.kind === "boolean") return text === "true";
  if (param.kind === "list") return text.split(",").map((part) => part.trim());
  if (param.kind === "json") { try { return JSON.parse(text); } catch { return text; } }
  return text;
}

// Builds the request of an operation from strings: target, headers and body.
function request(operation, values) {
  let path = operation.path;
  const query = new URLSearchParams();
  const body = {};
  const more = {};
  for (const param of operation.params) {
    const text = values[param.name];
    if (text === undefined) continue;
    if (param.in === "path") path = path.replace(`{${param.name}}`, encodeURIComponent(text));
    else if (param.in === "body") body[param.name] = typed(param, text);
    else if (param.in === "header") more[param.name] = text;
    else query.append(param.name, text);
  }
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  const has_body = operation.params.some((param) => param.in === "body");
  if (has_body) more["content-type"] = "application/json";
  return { method: operation.method, target: text ? `${path}?${text}` : path, headers: more, body: has_body ? JSON.stringify(body) : undefined };
}

// Sends the form, or requests its next page from a position.
async function send(more = {}) {
  const operation = selected;
  const { method, target, headers, body } = request(operation, { ...given(), ...more });
  $("send").disabled = true;
  $("said").textContent = "waiting …";
  try {
    const answer = await ask(target, { method, headers, body });
    if (selected !== operation) return;
    last = { operation, answer, position: more };
    $("said").replaceChildren(verdict(answer));
    render();
  } catch (error) {
    $("said").replaceChildren(el("span", { class: "bad" }, `No response: ${error.message}. The connection broke, perhaps because of a fault.`));
  } finally {
    $("send").disabled = false;
    refresh();
  }
}

// Position of the next page: a cursor, or the number of the shown rows.
function position() {
  const meta = last?.answer.json?.meta;
  const has = (name) => last.operation.params.some((param) => param.name === name);
  if (meta?.next_cursor && has("cursor")) return { cursor: meta.next_cursor };
  const rows = last?.answer.json?.data;
  if (has("offset") && Array.isArray(rows) && rows.length) {
    const offset = Number(meta?.offset ?? last.position.offset ?? 0) + rows.length;
    if (meta?.has_more || offset < (meta?.total ?? 0)) return { offset: String(offset) };
  }
  return undefined;
}

$("form").addEventListener("submit", (event) => { event.preventDefault(); send(); });
$("form").addEventListener("input", () => tell());
$("next").addEventListener("click", () => { const next = position(); if (next) send(next); });
