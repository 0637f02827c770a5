"""JSON Schema of Python types, and values of these types from JSON.

Dataclasses, `TypedDict`, `Literal`, enums, lists, dictionaries, optional values and plain types are read here;
models of pydantic by their own methods.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

_PLAIN: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_of(ty: Any) -> dict[str, Any]:
    """The JSON Schema of a type.

    Raises:
        TypeError: The type has no JSON Schema.
    """
    if hasattr(ty, "model_json_schema"):
        schema: dict[str, Any] = ty.model_json_schema()
        return schema
    if ty in _PLAIN:
        return {"type": _PLAIN[ty]}
    if ty is Any or ty is object:
        return {}
    if ty is type(None):
        return {"type": "null"}
    if dataclasses.is_dataclass(ty):
        return _of_dataclass(ty)
    if typing.is_typeddict(ty):
        hints = typing.get_type_hints(ty, include_extras=True)
        return _object(hints, required=sorted(ty.__required_keys__))
    if isinstance(ty, type) and issubclass(ty, enum.Enum):
        return {"enum": [member.value for member in ty]}
    return _of_generic(ty)


def _of_generic(ty: Any) -> dict[str, Any]:
    origin, args = typing.get_origin(ty), typing.get_args(ty)
    if origin is Annotated:
        texts = [note for note in args[1:] if isinstance(note, str)]
        return schema_of(args[0]) | ({"description": texts[0]} if texts else {})
    if origin in (typing.Required, typing.NotRequired):
        return schema_of(args[0])
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(arg) for arg in args]}
    if ty is list or origin is list:
        return {"type": "array", "items": schema_of(args[0]) if args else {}}
    if ty is dict or origin is dict:
        return {"type": "object", "additionalProperties": schema_of(args[1]) if args else {}}
    raise TypeError(f"{ty!r} has no JSON Schema; use a dataclass, a TypedDict or a model of pydantic")


def _of_dataclass(ty: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(ty, include_extras=True)
    required = [
        field.name
        for field in dataclasses.fields(ty)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    return _object(hints, required)


def _object(hints: dict[str, Any], required: list[str]) -> dict[str, Any]:
    properties = {name: schema_of(hint) for name, hint in hints.items()}
    return {"type": "object", "properties": properties, "required": required}


def schema_of_arguments(function: Callable[..., Any]) -> dict[str, Any]:
    """The JSON Schema of the arguments of a function, from its type hints."""
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise TypeError(f"{function.__name__}: `{parameter.name}` cannot be given by name")
    named = {parameter.name: parameter for parameter in parameters}
    missing = [name for name in named if name not in hints]
    if missing:
        raise TypeError(f"{function.__name__}: `{missing[0]}` needs a type hint")
    required = [name for name, one in named.items() if one.default is inspect.Parameter.empty]
    return _object({name: hints[name] for name in named}, required)


def arguments_of(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """Arguments from JSON as the types of the function's hints.

    Raises:
        ValueError: An argument is missing, unknown, or of another type.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    inspect.signature(function).bind(**given)
    return {name: decode(hints[name], value, name) for name, value in given.items()}


def decode(ty: Any, value: Any, place: str = "the answer") -> Any:
    """A value of a type from JSON.

    Raises:
        ValueError: The value does not fit. The message names the place.
    """
    if hasattr(ty, "model_validate"):
        return ty.model_validate(value)
    if ty is Any or ty is object:
        return value
    if ty is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if ty in _PLAIN or ty is type(None):
        if isinstance(value, ty) and not (ty is int and isinstance(value, bool)):
            return value
        raise _misfit(ty, value, place)
    if dataclasses.is_dataclass(ty):
        return _decode_dataclass(ty, value, place)
    if typing.is_typeddict(ty):
        hints = typing.get_type_hints(ty, include_extras=True)
        return _members(ty, hints, ty.__required_keys__, value, place)
    if isinstance(ty, type) and issubclass(ty, enum.Enum):
        try:
            return ty(value)
        except ValueError:
            raise _misfit(ty, value, place) from None
    return _decode_generic(ty, value, place)


def _decode_generic(ty: Any, value: Any, place: str) -> Any:
    origin, args = typing.get_origin(ty), typing.get_args(ty)
    if origin in (Annotated, typing.Required, typing.NotRequired):
        return decode(args[0], value, place)
    if origin is Literal and value in args:
        return value
    if origin in (Union, types.UnionType):
        for arg in args:
            try:
                return decode(arg, value, place)
            except ValueError:
                pass
    if (ty is list or origin is list) and isinstance(value, list):
        inner = args[0] if args else Any
        return [decode(inner, item, f"{place}[{index}]") for index, item in enumerate(value)]
    if (ty is dict or origin is dict) and isinstance(value, dict):
        inner = args[1] if args else Any
        return {key: decode(inner, item, f"{place}.{key}") for key, item in value.items()}
    raise _misfit(ty, value, place)


def _decode_dataclass(ty: Any, value: Any, place: str) -> Any:
    hints = typing.get_type_hints(ty, include_extras=True)
    required = schema_of(ty)["required"]
    return ty(**_members(ty, hints, required, value, place))


def _members(ty: Any, hints: dict[str, Any], required: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise _misfit(ty, value, place)
    missing = [name for name in required if name not in value]
    if missing:
        raise ValueError(f"{place}: `{missing[0]}` is missing")
    known = {name: item for name, item in value.items() if name in hints}
    return {name: decode(hints[name], item, f"{place}.{name}") for name, item in known.items()}


def _misfit(ty: Any, value: Any, place: str) -> ValueError:
    name = getattr(ty, "__name__", None) or str(ty)
    return ValueError(f"{place}: {repr(value)[:60]} is no {name}")
