// Shows a response as a table, a chart or JSON.

// Returns the rows of a response, and the values beside them.
function parts(json) {
  let whole = json && typeof json === "object" && "data" in json && "meta" in json ? json.data : json;
  // A single row that contains a list, such as the candles of one pair, becomes that list.
  const is_list = (value) => Array.isArray(value) && value.length && value[0] && typeof value[0] === "object";
  if (Array.isArray(whole) && whole.length === 1 && Object.values(whole[0] || {}).some(is_list)) whole = whole[0];
  if (Array.isArray(whole)) return { rows: whole, facts: {} };
  if (!whole || typeof whole !== "object") return { rows: [], facts: whole === undefined ? {} : { answer: whole } };
  const lists = Object.entries(whole).filter(([, value]) => is_list(value));
  lists.sort((a, b) => b[1].length - a[1].length);
  const [name, rows] = lists[0] || [undefined, []];
  const facts = Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name && other !== "meta" && other !== "$schema"));
  return { rows, facts, name };
}

// Flattens nested fields, up to two levels. A figure of a statement becomes its value, or the reason why it is missing.
function flat(value, prefix = "", depth = 0) {
  const row = {};
  for (const [name, member] of Object.entries(value || {})) {
    const full = prefix + name;
    if (member && typeof member === "object" && "status" in member && "value" in member) {
      row[full] = member.value ?? { missing: member.reason_code || member.status };
    } else if (member && typeof member === "object" && !Array.isArray(member) && depth < 2) {
      Object.assign(row, flat(member, `${full}.`, depth + 1));
    } else row[full] = member;
  }
  return row;
}

function cell(name, value) {
  if (value === null || value === undefined) return el("td", { class: "missing" }, "–");
  const time = moment(name, value);
  if (time !== undefined) return el("td", { title: String(value) }, iso(time));
  if (typeof value === "number") return el("td", { class: "number", title: String(value) }, shown(value));
  if (value.missing) return el("td", { class: "missing" }, value.missing);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return el("td", { title: text.length > 40 ? text.slice(0, 600) : undefined }, text.length > 140 ? `${text.slice(0, 140)}…` : text);
}

function table(rows) {
  const flattened = rows.map((row) => (row && typeof row === "object" ? flat(row) : { value: row }));
  const names = [...new Set(flattened.slice(0, 60).flatMap(Object.keys))].slice(0, 40);
  const is_number = (name) => flattened.some((row) => typeof row[name] === "number" && moment(name, row[name]) === undefined);
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows" }, el("table", {},
    el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col", class: is_number(name) ? "number" : undefined }, name)))),
    el("tbody", {}, flattened.slice(0, 500).map((row) => el("tr", {}, names.map((name) => cell(name, row[name])))))));
}

function pairs(facts) {
  const entries = Object.entries(flat(facts)).slice(0, 60);
  if (!entries.length) return null;
  return el("div", { class: "scroll" }, el("table", { class: "pairs" }, el("tbody", {}, entries.map(([name, value]) => {
    const found = cell(name, value);
    found.classList.remove("number");
    return el("tr", {}, el("th", { scope: "row" }, name), found);
  }))));
}

// Shows a response at a place, with buttons for the other views.
function show(json, text, views, place, wished) {
  const { rows, facts } = parts(json);
  const drawing = json === undefined ? undefined : chart(rows);
  const names = [];
  if (json !== undefined && (rows.length || Object.keys(facts).length || Array.isArray(json.data))) names.push("Table");
  if (drawing) names.push("Chart");
  names.push("JSON");
  const draw = (name) => {
    if (name === "Chart") place.replaceChildren(drawing);
    else if (name === "JSON") place.replaceChildren(el("pre", { tabindex: "0" }, json === undefined ? text : JSON.stringify(json, null, 2)));
    else {
      const empty = rows.length || Object.keys(facts).length ? null : el("p", { class: "quiet" }, "No rows.");
      const cut = rows.length > 500 ? el("p", { class: "quiet" }, `500 of ${rows.length} rows; the JSON has all.`) : null;
      place.replaceChildren(...[pairs(facts), rows.length ? table(rows) : null, empty, cut].filter(Boolean));
    }
  };
  const first = names.includes(wished) ? wished : drawing?.dataset.telling === "yes" ? "Chart" : names[0];
  choose(views, names, first, draw);
  draw(first);
}

function render() {
  const { answer } = last;
  $("result").hidden = false;
  show(answer.response.ok ? answer.json : undefined, answer.json ? JSON.stringify(answer.json, null, 2) : answer.text, $("views"), $("answer"), link_view);
  $("next").hidden = !position();
}

// The view that a link selects.
let link_view;
