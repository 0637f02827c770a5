// The list of operations, with the best match first.

let catalogue = { operations: [], tables: [] };
let selected;

const words = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

// A plural also matches its singular, and a singular its plural.
const stem = (word) => (word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word);

// How well a word matches texts: completely, at the beginning, or inside.
function fit(word, texts, whole, start, inside) {
  let best = 0;
  for (const text of texts) {
    if (text === word) best = Math.max(best, whole + 2);
    else if (stem(text) === stem(word)) best = Math.max(best, whole);
    else if (text.startsWith(word)) best = Math.max(best, start);
    else if (inside && text.includes(word)) best = Math.max(best, inside);
  }
  return best;
}

// The name of an operation has the largest weight, then its description, then its parameters.
function score(operation, asked) {
  let total = 0;
  for (const word of asked) {
    const best = Math.max(
      fit(word, operation.ends, 60, 40, 0),
      fit(word, operation.names, 40, 24, 8),
      fit(word, operation.said, 16, 9, 3),
      fit(word, operation.noted, 4, 3, 0),
    );
    if (!best) return 0;
    total += best;
  }
  // Of equal matches, the shortest one comes first.
  return total - operation.names.length * 0.5;
}

function ranked(text) {
  const asked = words(text);
  if (!asked.length) return catalogue.operations;
  const scored = catalogue.operations.map((operation) => [score(operation, asked), operation]);
  return scored.filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).map(([, operation]) => operation);
}

function list() {
  const found = ranked($("q").value);
  const parts = [];
  let tag;
  for (const operation of found) {
    if (!$("q").value.trim() && operation.tag !== tag) {
      tag = operation.tag;
      parts.push(el("h3", {}, tag));
    }
    parts.push(el("button", {
      class: "op", type: "button", role: "option", "data-id": operation.id, tabindex: "-1",
      "aria-selected": String(operation === selected), onclick: () => select(operation),
    }, el("b", {}, operation.id), el("span", {}, operation.summary)));
  }
  $("list").replaceChildren(...parts);
  $("shown").textContent = `${found.length} of ${catalogue.operations.length} operations`;
}

// The arrow keys move through the list, and Enter selects the first match.
function walk(event) {
  const options = [...$("list").querySelectorAll(".op")];
  const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "Enter" && event.target === $("q")) options[0]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const option = options[Math.min(Math.max(at + step, 0), options.length - 1)];
  option?.click();
  [...$("list").querySelectorAll(".op")].find((other) => other.dataset.id === option?.dataset.id)?.scrollIntoView({ block: "nearest" });
}

function prepare(loaded) {
  for (const operation of loaded.operations) {
    operation.names = words(operation.id);
    operation.ends = operation.names.slice(-1);
    operation.said = words(`${operation.summary} ${operation.tag} ${operation.path}`);
    operation.noted = words(`${operation.note || ""} ${operation.params.map((param) => `${param.name} ${param.doc}`).join(" ")}`);
  }
  catalogue = loaded;
}

$("q").addEventListener("input", list);
$("q").addEventListener("keydown", walk);
$("list").addEventListener("keydown", walk);
