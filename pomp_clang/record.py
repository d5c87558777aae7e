"""Frozen records, which the phases of a compile hand on.

They behave like frozen dataclasses. The standard library compiles a dataclass's methods from text
at the start of every process. For the classes of one compile, that takes as long as the parse of a
C file. Here all records share their methods.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_):
        """Return a decorator without effect: only type checkers need the real one."""
        return lambda decorator: decorator


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class a record.

    Its annotated names are its fields, in order; a value that the class gives a field is its
    default.
    """
    names = tuple(cls.__annotations__)
    methods = {
        "__match_args__": names,
        "_fields": frozenset(names),
        "_required": frozenset(name for name in names if name not in cls.__dict__),
        "__init__": _init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _repr,
    }
    for name, method in methods.items():
        setattr(cls, name, method)
    return cls


def replace(old: T, **changes: Any) -> T:
    """Return the record with other values in some fields."""
    fields = type(old).__match_args__  # type: ignore[attr-defined]
    values = {name: value for name, value in old.__dict__.items() if name in fields}
    return type(old)(**{**values, **changes})


def _init(self: Any, *args: Any, **named: Any) -> None:
    fields, values = self.__match_args__, self.__dict__
    values.update(zip(fields, args, strict=False))
    if len(args) == len(fields) and not named:
        return
    values.update(named)
    value_count = len(args) + len(named)
    if value_count != len(values) or not self._required <= values.keys() <= self._fields:
        raise TypeError(f"{type(self).__name__}({', '.join(fields)}): wrong arguments")


def _refuse(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} is frozen")


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__match_args__)


def _equal(self: Any, other: Any) -> Any:
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    fields = zip(self.__match_args__, _values(self), strict=True)
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields)})"
