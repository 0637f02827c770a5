// The streamed chat.

let previous; // The id of the answer that the next question follows.

const chat = () => catalogue.operations.find((operation) => operation.id === catalogue.chat);

function chat_price() {
  const lines = (chat()?.prices || []).filter((line) => line.model === $("model").value);
  const line = lines.find((one) => !one.effort || one.effort === $("effort").value) || lines[0];
  $("chat-price").textContent = line ? credits(line.credits) : "";
}

// Yields the events of a stream. An incomplete event is stored until its rest arrives.
async function* events(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for (const reader = body.getReader(); ;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const parts = rest.split(/\r?\n\r?\n/);
    rest = done ? "" : parts.pop();
    for (const part of parts) {
      const data = part.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n");
      if (data && data !== "[DONE]") { try { yield JSON.parse(data); } catch { yield { type: "unreadable" }; } }
    }
    if (done) return;
  }
}

// Shows bold and italic text of the answer. All other text stays plain.
function marked(text) {
  return text.split(/(\*\*[^*\n]+\*\*|\*[^*\n]+\*)/).map((part) => {
    if (/^\*\*.+\*\*$/.test(part)) return el("b", {}, part.slice(2, -2));
    return /^\*.+\*$/.test(part) ? el("i", {}, part.slice(1, -1)) : part;
  });
}

async function question(text) {
  const answered = el("div", { class: "answered" });
  $("turns").append(el("div", { class: "asked" }, text), answered);
  $("ask").disabled = true;
  $("chat-said").textContent = "thinking …";
  const start = performance.now();
  const body = { model: $("model").value, input: text, stream: true };
  if ($("effort").value) body.reasoning = { effort: $("effort").value };
  if (previous) body.previous_response_id = previous;
  let final;
  try {
    const response = await fetch(chat().path, { method: "POST", headers: headers({ "content-type": "application/json" }), body: JSON.stringify(body) });
    if (!response.ok) {
      const error = await response.json().catch(() => ({}));
      throw new Error(`${response.status} ${error.error?.message || error.message || ""}`);
    }
    for await (const event of events(response.body)) {
      if (event.type?.endsWith("output_text.delta")) answered.append(event.delta);
      if (event.response?.status && event.response.status !== "in_progress") final = event.response;
      if (event.type === "error") throw new Error(event.message || "an error inside the stream");
    }
    answered.replaceChildren(...marked(answered.textContent));
    if (!final) throw new Error("the stream ended before the answer did");
    previous = final.id;
    const took = ((performance.now() - start) / 1000).toFixed(1);
    $("chat-said").replaceChildren(el("span", { class: "good" }, `${final.status} after ${took} s, ${final.usage?.total_tokens ?? "?"} tokens`));
  } catch (error) {
    // The error is shown after the part of the answer that arrived.
    answered.append(el("p", { class: "bad" }, error.message));
    $("chat-said").replaceChildren();
  } finally {
    $("ask").disabled = false;
    refresh();
  }
}

function fill_chat() {
  const param = (name) => chat()?.params.find((one) => one.name === name);
  $("model").replaceChildren(...(param("model")?.choices || []).map((name) => el("option", {}, name)));
  const efforts = [...new Set((chat()?.prices || []).map((line) => line.effort).filter(Boolean))];
  $("effort").replaceChildren(el("option", { value: "" }, "none"), ...efforts.filter((name) => name !== "none").map((name) => el("option", {}, name)));
  chat_price();
}

$("chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("question").value.trim() || $("question").placeholder;
  $("question").value = "";
  question(text);
});
$("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); $("chat-form").requestSubmit(); }
});
for (const id of ["model", "effort"]) $(id).addEventListener("change", chat_price);
