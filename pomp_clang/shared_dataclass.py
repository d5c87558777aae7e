"""Frozen dataclasses that share their methods.

They behave like frozen dataclasses with slots, and the functions of `dataclasses` work on them. The
standard library compiles six methods of each such class from text, at the start of every process:
a third of the start of `pomp-clang analyze`.
"""

from __future__ import annotations

import dataclasses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from dataclasses import dataclass as dataclass
    from typing import Any
else:

    def dataclass(*, frozen=False, slots=False, eq=True):
        """Return the decorator. Only frozen classes with slots share their methods."""
        if not (frozen and slots):
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq)
        return lambda cls: _with_shared_methods(cls, eq)


def _with_shared_methods(cls: Any, eq: bool) -> Any:
    if cls.__doc__ is None:
        # The standard library writes the signature there, which takes longer than all else.
        cls.__doc__ = cls.__name__
    built: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(built)
    built._defaults = {field.name: field for field in fields if _is_optional(field)}
    built._repr_names = tuple(field.name for field in fields if field.repr)
    built._compared_names = tuple(field.name for field in fields if field.compare)
    for name, method in (_METHODS | _COMPARISONS if eq else _METHODS).items():
        if cls.__dict__.get(name) is None:
            setattr(built, name, method)
    return built


def _is_optional(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


_set = object.__setattr__


def _init(self: Any, *args: Any, **named: Any) -> None:
    names = self.__match_args__
    if named or len(args) != len(names):
        args = _completed(self, args, named)
    for name, value in zip(names, args, strict=True):
        _set(self, name, value)


def _completed(self: Any, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments in the order of the fields, with the defaults of those that are not
    given. Raises TypeError."""
    names, defaults = self.__match_args__, self._defaults
    values = dict(zip(names, args, strict=False))
    is_wrong = len(args) > len(names) or values.keys() & named.keys()
    values.update(named)
    if is_wrong or not values.keys() <= set(names) <= values.keys() | defaults.keys():
        raise TypeError(f"{type(self).__name__}({', '.join(names)}): wrong arguments")
    return tuple(values[name] if name in values else _default(defaults[name]) for name in names)


def _default(field: dataclasses.Field[Any]) -> Any:
    factory = field.default_factory
    return field.default if factory is dataclasses.MISSING else factory()


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"{type(self).__name__}.{name} is frozen")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        _set(self, name, value)


def _repr(self: Any) -> str:
    fields = (f"{name}={getattr(self, name)!r}" for name in self._repr_names)
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _compared(self: Any) -> Iterator[Any]:
    return (getattr(self, name) for name in self._compared_names)


def _equal(self: Any, other: Any) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    return tuple(_compared(self)) == tuple(_compared(other))


def _hash(self: Any) -> int:
    return hash(tuple(_compared(self)))


_METHODS = {
    "__init__": _init,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _state,
    "__setstate__": _set_state,
    "__repr__": _repr,
}
_COMPARISONS = {"__eq__": _equal, "__hash__": _hash}
