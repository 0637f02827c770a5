"""Questions in plain language: text, conversations, tools, and typed answers."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from ._errors import DecodeError
from ._schema import arguments_of, decode, schema_of, schema_of_arguments
from ._stream import Citation, ToolCall, citations_in, tool_calls_in

if TYPE_CHECKING:
    from ._client import AsyncClient, Client
    from ._records import Response
    from ._reply import Reply

T = TypeVar("T")


def answer_text(answer: Any) -> str:
    """The text of a complete answer of `responses` or `chat_completions`."""
    texts = [
        part.get("text") or ""
        for item in answer.get("output") or []
        for part in item.get("content") or []
        if part.get("type") == "output_text"
    ]
    messages = [choice.get("message") or {} for choice in answer.get("choices") or []]
    return "".join(texts + [message.get("content") or "" for message in messages[:1]])


def answer_citations(answer: Any) -> list[Citation]:
    """The sources that a complete answer cites."""
    parts = [part for item in answer.get("output") or [] for part in item.get("content") or []]
    parts += [choice.get("message") or {} for choice in answer.get("choices") or []]
    return [citation for part in parts for citation in citations_in(part.get("annotations"))]


@dataclass(frozen=True)
class ToolRun:
    """A tool call that was run."""

    call: ToolCall
    """The call, as the model requested it."""
    output: str
    """The result as JSON text, as the model received it."""
    error: Exception | None
    """The exception of the function. The model received its text."""


@dataclass(frozen=True)
class ToolAnswer:
    """Result of a question with tools."""

    reply: Reply[Response]
    """The last answer."""
    end: Literal["answered", "incomplete", "rounds", "credits"]
    """The answer is final or incomplete, or the limit of rounds or credits was reached. The last
    three contain tool calls that were not run."""
    rounds: int
    """Requests that were sent."""
    credits_used: int
    """Credits used by all requests, as the service reports them."""
    runs: list[ToolRun]
    """The calls of tools, in their order."""

    @property
    def text(self) -> str:
        """Text of the last answer."""
        return answer_text(self.reply.data)


@dataclass
class _Tools:
    """The state of a question with tools."""

    functions: dict[str, Callable[..., Any]]
    max_rounds: int
    max_credits: int | None
    runs: list[ToolRun] = field(default_factory=list)
    rounds: int = 0
    credits: int = 0

    @classmethod
    def of(
        cls, tools: Sequence[Callable[..., Any]], max_rounds: int, max_credits: int | None
    ) -> _Tools:
        return cls({tool.__name__: tool for tool in tools}, max_rounds, max_credits)

    def offered(self) -> list[dict[str, Any]]:
        return [
            {
                "type": "function",
                "name": name,
                "description": inspect.getdoc(function) or "",
                "parameters": schema_of_arguments(function),
            }
            for name, function in self.functions.items()
        ]

    def end(self, reply: Reply[Any]) -> ToolAnswer | None:
        """The result, if no tool is to be run after this answer."""
        self.rounds += 1
        used = reply.credits_used or 0
        self.credits += used
        end: Any = None
        if reply.data.get("status") == "incomplete":
            end = "incomplete"
        elif not tool_calls_in(reply.data):
            end = "answered"
        elif self.rounds >= self.max_rounds:
            end = "rounds"
        elif self.max_credits is not None and self.credits + used > self.max_credits:
            end = "credits"
        if end is None:
            return None
        return ToolAnswer(reply, end, self.rounds, self.credits, self.runs)

    def prepared(self, call: ToolCall) -> tuple[Callable[..., Any], dict[str, Any]]:
        function = self.functions.get(call.name)
        if function is None:
            raise ValueError(f"there is no tool `{call.name}`; the tools are {list(self.functions)}")
        return function, arguments_of(function, call.parse())

    def add(self, call: ToolCall, result: Any, error: Exception | None) -> None:
        output = {"error": str(error)} if error is not None else result
        self.runs.append(ToolRun(call, json.dumps(output, default=str), error))

    def outputs(self, calls: int) -> list[dict[str, Any]]:
        return [
            {"type": "function_call_output", "call_id": run.call.id, "output": run.output}
            for run in self.runs[-calls:]
        ]


_FENCE = "```"


def _parsed(into: Any, answer: Any) -> Any:
    """The typed value in the text of an answer."""
    text = answer_text(answer).strip()
    if _FENCE in text:
        block = text.split(_FENCE)[1]
        first, _, rest = block.partition("\n")
        text = rest if first.strip().isalnum() else block
    try:
        return decode(into, json.loads(text))
    except ValueError as error:
        raise DecodeError(f"the answer does not match the type: {error}; it is {text[:200]!r}") from error


def _guided(into: Any, instructions: str | None) -> str:
    guidance = (
        "Answer with one JSON value that fits this JSON Schema, and with nothing else: "
        f"{json.dumps(schema_of(into))}"
    )
    return guidance if instructions is None else f"{instructions}\n\n{guidance}"


class Chat:
    """Questions with tools, and typed answers."""

    def structured(
        self,
        into: type[T],
        model: str,
        input: Any,
        *,
        instructions: str | None = None,
        **arguments: Any,
    ) -> T:
        """Requests an answer of a type: a dataclass, a `TypedDict`, or a model of pydantic.

        The service documents no way to enforce a form, so this can fail after the question was charged.

        Args:
            into: The type.
            model: See `responses`.
            input: The question.
            instructions: Guidance besides the JSON Schema of the type.
            arguments: Other arguments of `responses`.

        Raises:
            DecodeError: The answer does not match the type. The message has its text and the path.
        """
        client = cast("Client", self)
        guidance = _guided(into, instructions)
        reply = client.responses(model, input, instructions=guidance, **arguments)
        return cast(T, _parsed(into, reply.data))

    def run_tools(
        self,
        model: str,
        input: Any,
        tools: Sequence[Callable[..., Any]],
        *,
        max_rounds: int = 8,
        max_credits: int | None = None,
        **arguments: Any,
    ) -> ToolAnswer:
        """Asks a question, runs the functions that the model requests, and returns their results to the
        model, until the answer is final.

        Args:
            model: See `responses`.
            input: The question.
            tools: Functions with type hints. Their docstrings tell the model what they do. An exception
                goes to the model as text.
            max_rounds: Maximum requests.
            max_credits: Ends the loop if another request of the same cost would exceed this sum.
            arguments: Other arguments of `responses`.
        """
        client = cast("Client", self)
        state = _Tools.of(tools, max_rounds, max_credits)
        client = client.with_options(extra={"tools": state.offered()})
        while True:
            reply = client.responses(model, input, **arguments)
            if (answer := state.end(reply)) is not None:
                return answer
            calls = tool_calls_in(reply.data)
            for call in calls:
                try:
                    function, given = state.prepared(call)
                    state.add(call, function(**given), None)
                except Exception as error:
                    state.add(call, None, error)
            input = state.outputs(len(calls))
            arguments["previous_response_id"] = reply.data["id"]


class AsyncChat:
    """Questions with tools, and typed answers; awaited."""

    async def structured(
        self,
        into: type[T],
        model: str,
        input: Any,
        *,
        instructions: str | None = None,
        **arguments: Any,
    ) -> T:
        """Asks for an answer of a type; see `Client.structured`."""
        client = cast("AsyncClient", self)
        guidance = _guided(into, instructions)
        reply = await client.responses(model, input, instructions=guidance, **arguments)
        return cast(T, _parsed(into, reply.data))

    async def run_tools(
        self,
        model: str,
        input: Any,
        tools: Sequence[Callable[..., Any]],
        *,
        max_rounds: int = 8,
        max_credits: int | None = None,
        **arguments: Any,
    ) -> ToolAnswer:
        """Asks a question, and runs the functions that the model requests; see `Client.run_tools`. A
        function may be `async`."""
        client = cast("AsyncClient", self)
        state = _Tools.of(tools, max_rounds, max_credits)
        client = client.with_options(extra={"tools": state.offered()})
        while True:
            reply = await client.responses(model, input, **arguments)
            if (answer := state.end(reply)) is not None:
                return answer
            calls = tool_calls_in(reply.data)
            for call in calls:
                try:
                    function, given = state.prepared(call)
                    result = function(**given)
                    state.add(call, await result if inspect.isawaitable(result) else result, None)
                except Exception as error:
                    state.add(call, None, error)
            input = state.outputs(len(calls))
            arguments["previous_response_id"] = reply.data["id"]


C = TypeVar("C", "Client", "AsyncClient")


class Conversation(Generic[C]):
    """A conversation through `responses`. The service keeps the messages; this has the identifier of the
    last answer, from which another program can continue.

    Args:
        client: A client or an async client.
        model: See `responses`.
        instructions: Guidance for all answers.
        last: Identifier of the answer to continue from.
    """

    def __init__(
        self, client: C, model: str, *, instructions: str | None = None, last: str | None = None
    ) -> None:
        self._client: C = client
        self.model = model
        self.instructions = instructions
        self.last = last

    def _asked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        asked = {"instructions": self.instructions, "previous_response_id": self.last}
        return asked | arguments

    def _noted(self, reply: Reply[Response]) -> Reply[Response]:
        self.last = reply.data.get("id") or self.last
        return reply

    def ask(self: Conversation[Client], input: Any, **arguments: Any) -> Reply[Response]:
        """Asks the next question of a conversation with a `Client`.

        Args:
            input: The question.
            arguments: Other arguments of `responses`.
        """
        return self._noted(
            self._client.responses(self.model, input, **self._asked(arguments))
        )

    async def ask_async(
        self: Conversation[AsyncClient], input: Any, **arguments: Any
    ) -> Reply[Response]:
        """Asks the next question of a conversation with an `AsyncClient`."""
        return self._noted(
            await self._client.responses(self.model, input, **self._asked(arguments))
        )
