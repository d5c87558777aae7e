"""The registry of properties: those of pomp-clang, of installed packages, and of the user's file;
their severities and instances.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from pomp_clang.causes.properties import PROPERTIES
from pomp_clang.causes.properties.property import Property, defined_in
from pomp_clang.causes.run.instance import Instances, joined
from pomp_clang.causes.run.run import Cells, Run

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pomp_clang.properties"
"""Entry points of this group are modules, or a property, or several."""


class PropertyError(Exception):
    """An error in a user's property: one line that says what is wrong, and where."""


def properties(file: str | None = None) -> list[type[Property]]:
    """Return all properties, parents before their parts.

    Raises PropertyError if a property cannot be loaded.
    """
    kinds = list(PROPERTIES)
    for entry in _entries() if _may_have_entries() else ():
        kinds += _loaded(entry.value, entry)
    if file is not None:
        kinds += _of_module(_load(file), file)
    return _ordered(kinds)


def _may_have_entries() -> bool:
    """Return False if no installed package has entry points of the group. The module
    importlib.metadata, which lists them, takes longer to import than all packages to look at."""
    for folder in sys.path or ():
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:
            return True
        except OSError:
            continue
        for name in names:
            if name.endswith(_METADATA) and _has_group(os.path.join(folder, name)):
                return True
    return False


_METADATA = (".dist-info", ".egg-info", ".egg")


def _has_group(package: str) -> bool:
    if package.endswith(".egg"):
        return True
    try:
        with open(os.path.join(package, "entry_points.txt"), "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:
        return False


def _entries() -> list[EntryPoint]:
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _loaded(origin: str, entry: object) -> list[type[Property]]:
    try:
        loaded = entry.load()  # type: ignore[attr-defined]
    except Exception as error:  # anything may come out of code that is not ours
        raise PropertyError(f"{_place_of(error, origin)}: {_one_line(error)}") from error
    if isinstance(loaded, ModuleType):
        return _of_module(loaded, origin)
    kinds = loaded if isinstance(loaded, list | tuple) else [loaded]
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Property)):
            raise PropertyError(f"{origin}: is no property: {kind!r}")
    return list(kinds)


def _load(file: str) -> ModuleType:
    path = Path(file)
    if not path.is_file():
        raise PropertyError(f"{file}: there is no such file: name one with properties in Python")
    spec = importlib.util.spec_from_file_location(f"pomp_properties_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise PropertyError(f"{file}: is no Python file: its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # anything may come out of code that is not ours
        raise PropertyError(f"{_place_of(error, file)}: {_one_line(error)}") from error
    return module


def _of_module(module: ModuleType, origin: str) -> list[type[Property]]:
    kinds = list(defined_in(module))
    if not kinds:
        raise PropertyError(
            f"{origin}: has no property: it is a class below pomp_clang.causes.Property, with a name"
        )
    return kinds


def _ordered(kinds: Iterable[type[Property]]) -> list[type[Property]]:
    order: list[type[Property]] = []

    def add(kind: type[Property]) -> None:
        if kind not in order:
            if kind.parent is not None:
                add(kind.parent)
            order.append(kind)

    for property_kind in kinds:
        add(property_kind)
    return order


def severity_of(kind: type[Property], run: Run) -> Cells | None:
    """Compute a property's severity. Raises PropertyError if a user's property fails."""
    if kind.__module__.startswith("pomp_clang."):
        return kind().severity(run)
    try:
        cells = kind().severity(run)
        if cells is not None:
            cells = np.asarray(cells, np.float64)
    except Exception as error:  # anything may come out of code that is not ours
        raise PropertyError(
            f"{_place_of(error, kind.__module__)}: property {kind.name}: {_one_line(error)}"
        ) from error
    shape = len(run.paths), len(run.threads)
    if cells is not None and cells.shape != shape:
        raise PropertyError(
            f"property {kind.name}: its severity has shape {cells.shape}, not {shape}: a row for "
            "each call path and a column for each thread; begin with run.cells()"
        )
    if cells is not None and not np.isfinite(cells).all():
        raise PropertyError(f"property {kind.name}: its severity has values that are no numbers")
    return cells


def _place_of(error: BaseException, otherwise: str) -> str:
    """Return file and line of the user's code in which an error arose, else `otherwise`."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if "importlib" not in frame.filename]
    own_frames = [frame for frame in own_frames if frame.filename != __file__]
    return f"{own_frames[-1].filename}:{own_frames[-1].lineno}" if own_frames else otherwise


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def instances_of(kind: type[Property], run: Run) -> Iterable[Instances] | None:
    """Return a property's instances.  The iterator raises PropertyError if a user's property fails."""
    if kind.__module__.startswith("pomp_clang."):
        return kind().instances(run)
    try:
        pieces = kind().instances(run)
    except Exception as error:  # anything may come out of code that is not ours
        raise _wrong_instances(kind, error) from error
    return None if pieces is None else _checked_instances(kind, pieces)


def _checked_instances(kind: type[Property], pieces: Iterable[Instances]) -> Iterator[Instances]:
    try:
        yield from pieces
    except Exception as error:  # anything may come out of code that is not ours
        raise _wrong_instances(kind, error) from error


def _wrong_instances(kind: type[Property], error: Exception) -> PropertyError:
    place = _place_of(error, kind.__module__)
    return PropertyError(f"{place}: instances of property {kind.name}: {_one_line(error)}")


def occurrences_of(kind: type[Property], run: Run, kinds: Iterable[type[Property]]) -> Instances:
    """Return instances that sum up to the property's severity, where that has a place in time.
    A property that is the sum of its parts, which are among `kinds`, has their instances."""
    kinds = list(kinds)
    parts = parts_of(kind, kinds, run)
    return joined((*pieces_of(kind, run), *(occurrences_of(part, run, kinds) for part in parts)))


def pieces_of(kind: type[Property], run: Run) -> Iterator[Instances]:
    """Yield the instances of a property that is not the sum of its parts, some at a time."""
    yield from instances_of(kind, run) or ()


def parts_of(
    kind: type[Property], kinds: Iterable[type[Property]], run: Run
) -> list[type[Property]]:
    """Return the properties whose instances are this one's."""
    if instances_of(kind, run) is not None:
        return []
    parts = [child for child in kinds if child.parent is kind]
    return parts if parts and severity_of(kind, run) is None else []
