// Functions that all parts of the page use.

const $ = (id) => document.getElementById(id);

// Creates an element with attributes and children. Strings become text, never markup.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// Text in which backticks enclose code.
const prose = (text) => (text || "").split("`").map((part, n) => (n % 2 ? el("code", {}, part) : part));

const credits = (n) => (n === 1 ? "1 credit" : `${n} credits`);

const key = () => $("key").value.trim();

function headers(more = {}) {
  return key() ? { ...more, authorization: `Bearer ${key()}` } : more;
}

// Sends a request. Returns the response, its body as text and as JSON, and the time.
async function ask(path, options = {}) {
  const start = performance.now();
  const response = await fetch(path, { ...options, headers: headers(options.headers) });
  const text = await response.text();
  let json;
  try { json = JSON.parse(text); } catch { json = undefined; }
  return { response, text, json, took: Math.round(performance.now() - start) };
}

// The status line of a response.
function verdict(answer) {
  const { response, json, took } = answer;
  const error = json && (json.error?.message || json.message);
  const used = json?.meta?.credits_used;
  const cost = used === undefined ? "" : `, ${credits(used)}${json.meta.cached ? " (free within three minutes)" : ""}`;
  return el("span", { class: response.ok ? "good" : "bad" }, `${response.status} after ${took} ms${cost}${error ? `: ${error}` : ""}`);
}

// Buttons of which one is pressed.
function choose(place, names, chosen, onchoose) {
  place.replaceChildren(...names.map((name) => el("button", {
    type: "button", "aria-pressed": String(name === chosen),
    onclick: () => {
      for (const other of place.children) other.setAttribute("aria-pressed", String(other.textContent === name));
      onchoose(name);
    },
  }, name)));
}

// Tabs: the arrow keys go from one to the next.
const TABS = ["data", "sql", "chat", "control"];

function open(tab, focus = false) {
  for (const name of TABS) {
    const chosen = name === tab;
    const button = $(`tab-${name}`);
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    $(`part-${name}`).hidden = !chosen;
    if (chosen && focus) button.focus();
  }
}

for (const [at, name] of TABS.entries()) {
  $(`tab-${name}`).addEventListener("click", () => open(name));
  $(`tab-${name}`).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    if (step) open(TABS[(at + step) % TABS.length], true);
  });
}

// Formats a number with separators. A fraction of 1,000 or more has at most two decimals. A smaller fraction has at
// most six significant digits.
function shown(number) {
  if (Number.isInteger(number)) return Math.abs(number) < 1e15 ? number.toLocaleString("en-US") : String(number);
  const size = Math.abs(number);
  return number.toLocaleString("en-US", size >= 1000 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 6 });
}

// Reads a time in Unix seconds or milliseconds from a field; undefined for other fields.
function moment(name, value) {
  const last = name.split(".").pop();
  const is_time = /(^|_)(time|timestamp|date|at|ms|from|to|watermark|updated|expires|start|end|period|day)$/.test(last) && !/elapsed|hold/.test(last);
  if (!is_time) return undefined;
  if (typeof value === "number") {
    if (value > 1e12 && value < 1e14) return value;
    return value > 3e8 && value < 1e10 ? value * 1000 : undefined;
  }
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value)) {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  return undefined;
}

const iso = (millis) => new Date(millis).toISOString().replace("T", " ").replace(/(:00)?\.\d+Z$/, "").replace(/ 00:00$/, "");
