// Charts of rows: candles if the rows have them, lines over time, and otherwise bars.

// Size of the picture in its own units. It is smaller on narrow screens, so that letters keep their size.
let WIDE = 960;
let HIGH = 340;
const ROOM = { left: 66, right: 14, top: 12, bottom: 28 };
const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat());
  return node;
}

// Round steps that divide a range into about five parts.
function ticks(low, high) {
  const rough = (high - low) / 5 || Math.abs(high) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) * power;
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) marks.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return marks;
}

function short(number) {
  const size = Math.abs(number);
  for (const [unit, name] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e4, "k"]]) {
    if (size >= unit) return `${Number((number / (unit === 1e4 ? 1e3 : unit)).toPrecision(4))}${name}`;
  }
  return Number(number.toPrecision(5)).toLocaleString("en-US", { maximumSignificantDigits: 5 });
}

// A drawing area: scales, grid lines and their numbers.
function plane(xs, low, high) {
  if (low === high) { low -= Math.abs(low) * 0.01 || 1; high += Math.abs(high) * 0.01 || 1; }
  const [first, final] = xs;
  const x = (at) => ROOM.left + ((at - first) / (final - first || 1)) * (WIDE - ROOM.left - ROOM.right);
  const y = (at) => HIGH - ROOM.bottom - ((at - low) / (high - low)) * (HIGH - ROOM.top - ROOM.bottom);
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
  for (const mark of ticks(low, high)) {
    picture.append(
      svg("line", { class: "gridline", x1: ROOM.left, x2: WIDE - ROOM.right, y1: y(mark), y2: y(mark) }),
      svg("text", { x: ROOM.left - 8, y: y(mark) + 4, "text-anchor": "end" }, short(mark)));
  }
  return { x, y, picture };
}

function times(picture, x, [first, final]) {
  const span = final - first;
  const parts = WIDE < 600 ? 2 : 4;
  for (let n = 0; n <= parts; n += 1) {
    const at = first + (span * n) / parts;
    const text = new Date(at).toISOString();
    const label = span > 5 * 86400e3 ? text.slice(0, 10) : text.slice(5, 16).replace("T", " ");
    picture.append(svg("text", { x: x(at), y: HIGH - 8, "text-anchor": n === 0 ? "start" : n === parts ? "end" : "middle" }, label));
  }
}

// Shows the values under the pointer.
function follow(box, picture, tip, points, x, tell) {
  const cross = svg("line", { class: "cross", y1: ROOM.top, y2: HIGH - ROOM.bottom, visibility: "hidden" });
  picture.append(cross);
  picture.addEventListener("pointermove", (event) => {
    const frame = picture.getBoundingClientRect();
    const at = ((event.clientX - frame.left) / frame.width) * WIDE;
    const nearest = points.reduce((best, point) => (Math.abs(x(point) - at) < Math.abs(x(best) - at) ? point : best), points[0]);
    cross.setAttribute("x1", x(nearest));
    cross.setAttribute("x2", x(nearest));
    cross.setAttribute("visibility", "visible");
    tip.textContent = tell(nearest);
  });
  picture.addEventListener("pointerleave", () => { cross.setAttribute("visibility", "hidden"); tip.textContent = ""; });
}

function candles(box, rows, time) {
  const sorted = rows.filter((row) => moment(time, row[time]) !== undefined).sort((a, b) => moment(time, a[time]) - moment(time, b[time]));
  const at = (row) => moment(time, row[time]);
  const step = Math.min(...sorted.slice(1).map((row, n) => at(row) - at(sorted[n]))) || 60e3;
  const xs = [at(sorted[0]) - step / 2, at(sorted[sorted.length - 1]) + step / 2];
  const { x, y, picture } = plane(xs, Math.min(...sorted.map((row) => row.low)), Math.max(...sorted.map((row) => row.high)));
  const width = Math.max(1, (x(xs[0] + step) - x(xs[0])) * 0.7);
  const volume = ["volume", "volume_base", "volume_usd"].find((name) => typeof sorted[0][name] === "number");
  const most = volume ? Math.max(...sorted.map((row) => row[volume])) || 1 : 1;
  for (const row of sorted) {
    const way = row.close >= row.open ? "up" : "down";
    const [top, bottom] = [y(Math.max(row.open, row.close)), y(Math.min(row.open, row.close))];
    if (volume) {
      const height = (row[volume] / most) * (HIGH - ROOM.top - ROOM.bottom) * 0.2;
      picture.append(svg("rect", { class: `${way} volume`, x: x(at(row)) - width / 2, width, y: HIGH - ROOM.bottom - height, height }));
    }
    picture.append(
      svg("line", { class: way, x1: x(at(row)), x2: x(at(row)), y1: y(row.high), y2: y(row.low) }),
      svg("rect", { class: way, x: x(at(row)) - width / 2, width, y: top, height: Math.max(1, bottom - top) }));
  }
  times(picture, x, xs);
  const tip = el("span", { class: "tip" });
  const known = new Map(sorted.map((row) => [at(row), row]));
  follow(box, picture, tip, [...known.keys()], x, (point) => {
    const row = known.get(point);
    const texts = ["open", "high", "low", "close", volume].filter(Boolean).map((name) => `${name} ${shown(row[name])}`);
    return `${iso(point)}: ${texts.join(", ")}`;
  });
  picture.setAttribute("aria-label", `${sorted.length} candles`);
  box.replaceChildren(el("div", { class: "legend" }, el("span", {}, `${sorted.length} candles${volume ? " with volume" : ""}`), tip), picture);
}

function lines(box, rows, time, measure, group, pick) {
  const series = new Map();
  for (const row of rows) {
    const at = moment(time, row[time]);
    if (at === undefined || typeof row[measure] !== "number") continue;
    const name = group ? String(row[group]) : measure;
    if (!series.has(name)) series.set(name, []);
    series.get(name).push([at, row[measure]]);
  }
  const drawn = [...series].slice(0, 5);
  for (const [, points] of drawn) points.sort((a, b) => a[0] - b[0]);
  const all = drawn.flatMap(([, points]) => points);
  const [moments, values] = [all.map((point) => point[0]), all.map((point) => point[1])];
  const xs = [Math.min(...moments), Math.max(...moments)];
  const { x, y, picture } = plane(xs, Math.min(...values), Math.max(...values));
  for (const [n, [, points]] of drawn.entries()) {
    const path = points.map(([at, value], i) => `${i ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    picture.append(svg("path", { class: `line s${n}`, d: path }));
  }
  times(picture, x, xs);
  const tip = el("span", { class: "tip" });
  follow(box, picture, tip, [...new Set(moments)], x, (point) => {
    const texts = drawn.map(([name, points]) => {
      const found = points.find(([at]) => at === point);
      return found ? `${name} ${shown(found[1])}` : null;
    });
    return `${iso(point)}: ${texts.filter(Boolean).join(", ")}`;
  });
  const names = group ? drawn.map(([name], n) => el("span", { class: `k${n}` }, `● ${name}`)) : [];
  picture.setAttribute("aria-label", `${measure} over time`);
  box.replaceChildren(el("div", { class: "legend" }, pick, names, tip), picture);
}

function bars(box, rows, label, measure, pick) {
  const shownRows = rows.filter((row) => typeof row[measure] === "number").slice(0, WIDE < 600 ? 8 : 24);
  const values = shownRows.map((row) => row[measure]);
  const { y, picture } = plane([0, 1], Math.min(0, ...values), Math.max(0, ...values));
  const slot = (WIDE - ROOM.left - ROOM.right) / shownRows.length;
  for (const [n, row] of shownRows.entries()) {
    const left = ROOM.left + slot * n;
    const [top, bottom] = [y(Math.max(0, row[measure])), y(Math.min(0, row[measure]))];
    const letters = Math.max(2, Math.floor(slot / 7.5));
    const name = String(row[label]);
    picture.append(
      svg("rect", { class: "f0", x: left + slot * 0.14, width: slot * 0.72, y: top, height: Math.max(1, bottom - top) },
        svg("title", {}, `${name}: ${shown(row[measure])}`)),
      svg("text", { x: left + slot / 2, y: HIGH - 8, "text-anchor": "middle" }, name.length > letters ? `${name.slice(0, letters - 1)}…` : name));
  }
  picture.setAttribute("aria-label", `${measure} by ${label}`);
  box.replaceChildren(el("div", { class: "legend" }, pick), picture);
}

// Most informative figures, in this order.
const TELLING = ["revenue", "total_assets", "operating_cash_flow", "value", "price", "close", "last", "usd_value", "net_flow", "flow_usd", "funding_rate", "market_cap", "market_cap_usd", "volume_24h", "volume_usd", "tvl", "total_pnl", "amount_usd", "score", "share"];
const LABELS = ["symbol", "name", "project", "project_name", "exchange", "title", "ticker", "pair", "chain", "key", "label", "question", "protocol"];

// Fields with the time of a row, the most informative first.
const WHEN = ["timestamp", "time", "block_time", "block_date", "open_time", "date", "day", "report_period", "published_at", "created_at", "close_time", "key"];

// A chart of rows; undefined if there is nothing to draw.
function chart(raw) {
  WIDE = Math.max(300, Math.min(960, innerWidth - 70));
  HIGH = WIDE < 600 ? 240 : 340;
  const rows = raw.filter((row) => row && typeof row === "object").map((row) => flat(row));
  if (rows.length < 2) return undefined;
  const names = [...new Set(rows.slice(0, 60).flatMap(Object.keys))];
  const varied = (name) => new Set(rows.map((row) => row[name])).size > 1;
  const is_time = (name) => rows.every((row) => moment(name, row[name]) !== undefined) && varied(name);
  const time = WHEN.find((name) => names.includes(name) && is_time(name));
  const numbers = names.filter((name) => name !== time && rows.some((row) => typeof row[name] === "number" && moment(name, row[name]) === undefined) && varied(name) && !/(^|[._])(id|rank|decimals|number|index)$/.test(name));
  const label = LABELS.find((name) => names.includes(name) && varied(name)) || names.find((name) => typeof rows[0][name] === "string" && varied(name));
  if (!numbers.length || (!time && !label)) return undefined;

  const box = el("div", { class: "chart" });
  if (time && ["open", "high", "low", "close"].every((name) => typeof rows[0][name] === "number")) {
    candles(box, rows, time);
    box.dataset.telling = "yes";
    return box;
  }
  numbers.sort((a, b) => (TELLING.indexOf(a) + 99) % 99 - (TELLING.indexOf(b) + 99) % 99);
  const group = time && LABELS.find((name) => names.includes(name) && varied(name) && new Set(rows.map((row) => row[name])).size <= 5);
  const per_time = time ? rows.length / new Set(rows.map((row) => row[time])).size : 0;
  // Rows that have a time but are separate things, such as posts, are bars.
  const is_series = time && (per_time < 1.5 || group) && rows.length > 4;
  if (!is_series && !label) return undefined;
  const pick = el("select", { "aria-label": "What is drawn" }, numbers.map((name) => el("option", {}, name)));
  const draw = () => (is_series ? lines(box, rows, time, pick.value, group, pick) : bars(box, rows, label, pick.value, pick));
  pick.addEventListener("change", draw);
  draw();
  box.dataset.telling = is_series && rows.length > 12 ? "yes" : "no";
  return box;
}
