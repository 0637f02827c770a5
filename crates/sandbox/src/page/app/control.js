// Buttons for faults and scenarios, the log of requests, and the balance.

const token = document.body.dataset.token;

// Faults with a button: the text form, the label and the effect of each fault.
const FAULTS = [
  ["status=429;retry-after=2", "Rate limited", "429, retry after two seconds"],
  ["status=503;retry-after=1", "Unavailable", "503, retry after one second"],
  ["status=500", "Broken", "500 without a reason"],
  ["status=402", "No credits", "402, as without credits"],
  ["html", "A proxy's page", "502 with HTML instead of JSON"],
  ["latency=3000", "Slow", "three seconds before the response"],
  ["stall", "Silent", "no response"],
  ["cut=200", "Cut off", "the connection breaks after 200 bytes"],
  ["cut-events=3", "A cut stream", "the connection breaks after three events"],
  ["split", "In splinters", "one chunk per byte"],
  ["malformed", "Malformed", "JSON that ends too early"],
  ["unknown-members", "New fields", "unknown fields"],
  ["unknown-values", "New values", "unknown enum values"],
  ["null-lists", "No lists", "null instead of each list"],
  ["queue-full", "SQL queue full", "no job is accepted"],
  ["clock=+1d", "A day later", "the clock jumps before the response"],
];

// Without the token, a button only shows how to start the sandbox with one.
function unlocked() {
  $("locked").classList.toggle("asked-for", !token);
  if (!token) $("locked").scrollIntoView({ block: "nearest" });
  return Boolean(token);
}

const locks = { "aria-disabled": String(!token), title: token ? undefined : "This sandbox was started without --control" };

async function control(path, method, body) {
  if (!unlocked()) return;
  const response = await fetch(path, { method, body, headers: { "x-sandbox-token": token } });
  const error = response.ok ? "" : (await response.json().catch(() => ({}))).error?.message || `status ${response.status}`;
  $("control-said").replaceChildren(el("span", { class: error ? "bad" : "good" }, error || "done"));
  await refresh();
}

function fault(text) {
  const times = $("times").value ? `;times=${$("times").value}` : "";
  const meets = $("meets").value ? `;operation=${$("meets").value}` : "";
  return control("/sandbox/faults", "POST", `${text}${times}${meets}`);
}

function draw_control(state) {
  $("scenarios").replaceChildren(...state.scenarios.all.map(({ name, about }) => {
    const kind = name.split("=")[0];
    const playing = state.scenarios.playing.find((one) => one.split("=")[0] === kind);
    return el("button", {
      type: "button", ...locks, "aria-pressed": String(Boolean(playing)),
      onclick: () => control("/sandbox/scenarios", playing ? "DELETE" : "POST", playing || name),
    }, el("b", {}, playing ? `${playing} (on)` : name), el("span", {}, prose(about)));
  }));
  $("waiting").replaceChildren(...state.faults.map((text) => el("li", {}, el("code", {}, text))));
  $("clear").disabled = !state.faults.length;
}

// Adds the number of the attempt to each request. Requests with equal method and path are attempts of one call, until a
// response has a status other than 408, 429 and 5xx.
function attempts(requests) {
  const failed = new Map();
  return [...requests].reverse().map((request) => {
    const name = `${request.method} ${request.target}`;
    const before = failed.get(name) || 0;
    const is_over = request.status !== null && request.status < 500 && ![408, 429].includes(request.status);
    failed.set(name, is_over ? 0 : before + 1);
    return { ...request, attempt: before + 1 };
  }).reverse();
}

function draw_log(state) {
  const rows = attempts(state.requests).map((request) => el("tr", {},
    el("td", { class: "mono" }, request.time.slice(11, 19)),
    el("td", { title: `${request.method} ${request.target}` }, request.operation || request.target),
    el("td", {}, request.attempt > 1 ? el("span", { class: "badge warn" }, `${request.attempt}.`) : "1."),
    el("td", { class: request.status >= 200 && request.status < 300 ? "good" : "bad" }, request.status === null ? "none" : String(request.status)),
    el("td", {}, request.fault ? el("span", { class: "badge warn" }, request.fault) : ""),
    el("td", { class: "number" }, request.credits === null ? "" : String(request.credits))));
  const nothing = el("tr", {}, el("td", { colspan: "6", class: "quiet" }, "Nothing has arrived yet."));
  $("rows").replaceChildren(...(rows.length ? rows : [nothing]));
  const playing = state.scenarios.playing.length ? `; playing ${state.scenarios.playing.join(", ")}` : "";
  $("summary").textContent = `${state.served} so far; the clock says ${state.now.replace("T", " ").replace("Z", " UTC")}${playing}`;
}

// The balance of the key in the field. The sandbox sends at most the last four characters of each key.
function draw_left(state) {
  const mine = key();
  const known = state.keys.filter((one) => mine && (one.key === "…" ? mine.length < 9 : mine.endsWith(one.key.slice(1))));
  if (!mine) $("left").textContent = `${state.free_remaining} of ${state.free_daily} free credits left today`;
  else if (known.length === 1) $("left").textContent = `${shown(known[0].credits)} credits left`;
  else $("left").textContent = known.length ? "" : "this key is unknown to the sandbox";
}

let seen;

async function refresh() {
  let state;
  try {
    state = await (await fetch("/sandbox/state")).json();
  } catch {
    $("summary").textContent = "the sandbox has stopped";
    return;
  }
  draw_left(state);
  const now = JSON.stringify(state);
  if (now === seen) return;
  seen = now;
  draw_log(state);
  draw_control(state);
}

function fill_control() {
  $("locked").hidden = Boolean(token);
  $("faults").replaceChildren(...FAULTS.map(([text, name, about]) => el("button", {
    type: "button", title: text, ...(token ? {} : locks), onclick: () => fault(text),
  }, el("b", {}, name), el("span", {}, about))));
  $("meets").append(...catalogue.operations.map((operation) => el("option", {}, operation.id)));
}

$("clear").addEventListener("click", () => control("/sandbox/faults", "DELETE"));
