// Queries over the tables of the world.

const EXAMPLE = `SELECT block_date, count() AS transfers, round(sum(amount_usd)) AS usd
FROM agent.ethereum_transfers
WHERE block_date >= today() - 7
GROUP BY block_date
ORDER BY block_date`;

function tables() {
  const asked = words($("table-q").value);
  const found = catalogue.tables.filter((table) => asked.every((word) => table.name.includes(word)));
  $("tables").replaceChildren(...found.map((table) => el("details", {},
    el("summary", { class: "mono" }, table.name),
    el("button", { type: "button", class: "plain-button", onclick: () => {
      const days = table.columns.some((column) => column.name === "block_date") ? "\nWHERE block_date >= today() - 2" : "";
      $("sql").value = `SELECT *\nFROM agent.${table.name}${days}\nLIMIT 20`;
    } }, "First rows"),
    el("ul", {}, table.columns.map((column) => el("li", { title: column.comment }, el("code", {}, column.name), ` ${column.type}`))))));
  if (!catalogue.tables.length) $("tables").replaceChildren(el("p", { class: "quiet" }, "This sandbox was built without the feature `sql`."));
}

async function run_sql() {
  $("sql-said").textContent = "running …";
  try {
    const operation = catalogue.operations.find((other) => other.id === catalogue.sql);
    const { method, target, headers, body } = request(operation, { sql: $("sql").value });
    const answer = await ask(target, { method, headers, body });
    $("sql-said").replaceChildren(verdict(answer));
    $("sql-result").hidden = false;
    show(answer.response.ok ? answer.json : undefined, answer.json ? JSON.stringify(answer.json, null, 2) : answer.text, $("sql-views"), $("sql-answer"), "Table");
  } catch (error) {
    $("sql-said").replaceChildren(el("span", { class: "bad" }, `No response: ${error.message}`));
  } finally {
    refresh();
  }
}

$("sql").value = EXAMPLE;
$("sql-form").addEventListener("submit", (event) => { event.preventDefault(); run_sql(); });
$("sql").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run_sql(); }
});
$("table-q").addEventListener("input", tables);
