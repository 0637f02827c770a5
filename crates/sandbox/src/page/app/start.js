// The start of the page: loads the catalogue and follows a link.

function start(title, about, act) {
  return el("button", { type: "button", onclick: act }, el("b", {}, title), el("span", {}, about));
}

function starts() {
  const try_it = (id, values) => () => {
    const operation = catalogue.operations.find((one) => one.id === id);
    if (operation) { select(operation, values); send(); }
  };
  const id = (name) => catalogue.operations.find((one) => one.id === name)?.id;
  const found = catalogue.starts.filter((one) => id(one.id));
  return [
    ...found.map((one) => start(one.title, one.about, try_it(one.id, one.values))),
    start("Query the chain", "Count a week of transfers with SQL.", () => { open("sql"); run_sql(); }),
    start("Ask a question", "The chat answers in a stream, with its sources.", () => open("chat", true)),
    start("Make it fail", "Faults and scenarios that your client should handle.", () => open("control", true)),
  ];
}

// `?try=ID&param=value` opens an operation, and sends the request of a `GET` operation. `?q=`, `?tab=`, `?view=`,
// `?sql=` and `?ask=` fill in these parts.
async function follow_link() {
  const link = new URLSearchParams(location.search);
  const take = (name) => { const value = link.get(name); link.delete(name); return value; };
  const [q, wanted, tab, sql, asked] = ["q", "try", "tab", "sql", "ask"].map(take);
  link_view = take("view") || undefined;
  if (q !== null) { $("q").value = q; list(); }
  if (TABS.includes(tab)) open(tab);
  if (sql) { open("sql"); $("sql").value = sql; await run_sql(); }
  if (asked) { open("chat"); await question(asked); }
  const operation = catalogue.operations.find((one) => one.id === wanted);
  if (operation) {
    select(operation, Object.fromEntries(link));
    if (operation.method === "GET") await send();
  }
}

async function begin() {
  $("key").value = document.body.dataset.key;
  $("base").textContent = location.origin;
  prepare(await (await fetch("/sandbox/catalogue")).json());
  $("starts").replaceChildren(...starts());
  list();
  tables();
  fill_chat();
  fill_control();
  await refresh();
  await follow_link();
  setInterval(() => { if (document.visibilityState === "visible") refresh(); }, 1500);
}

begin();
