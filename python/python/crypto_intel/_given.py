"""A call for the native module."""

from typing import Any

Given = tuple[str, dict[str, Any], dict[str, Any]]
"""The operation, its arguments, and the options of the call."""
