"""Rows of the table of properties that target constructs have; `property_texts` has the others."""

from __future__ import annotations

from pomp_clang.analysis.property_row import KERNELS, MAPS, UPDATES, PropertyText, kinds_of

_MAP_ONCE = (
    "Map the data once around the visits: target data, or target enter data and target exit data. "
    "Add target update where the host changes the data or reads it in between."
)
WORK_BESIDE_KERNELS = (
    "Give the host work to do before the wait, or let kernels that depend on one another follow "
    "by depend clauses and wait once for all of them. A wait much longer than the kernels is the "
    "price of nowait."
)
FALLBACK_TO_HOST = PropertyText(
    "FallbackToHost",
    "Target construct on the host",
    KERNELS,
    "A target construct runs on the host, as no kernel is launched.",
    "Check that a device is there and that the program is compiled for it. "
    "OMP_TARGET_OFFLOAD=MANDATORY makes a fallback an error.",
)
REPEATED_TRANSFER = PropertyText(
    "RepeatedTransfer",
    "Repeated transfer",
    MAPS,
    "A construct transfers the same data at each visit.",
    _MAP_ONCE,
)
REDUNDANT_TRANSFER = PropertyText(
    "RedundantTransfer",
    "Redundant transfer",
    MAPS,
    "Data is transferred with the content of its last transfer.",
    "If neither kernels nor the host change it in between, it is there already. Keep the data on the "
    "device around the constructs: target data, or target enter data and target exit data. Use "
    "map(to: ...) for data that kernels only read.",
)
REDUNDANT_UPDATE = PropertyText(
    REDUNDANT_TRANSFER.name,
    REDUNDANT_TRANSFER.title,
    UPDATES,
    REDUNDANT_TRANSFER.description,
    "If neither kernels nor the host change it in between, it is there already. Remove the update, or "
    "move it out of a loop that does not change the data.",
)
ROUND_TRIP = PropertyText(
    "RoundTrip",
    "Round trip of data",
    MAPS,
    "Data comes back from the device, and goes there again unchanged.",
    "Keep the data on the device between the constructs: target data, or target enter data and "
    "target exit data. The host does not change it in between; if a kernel does, the transfer is "
    "necessary.",
)
ROUND_TRIP_OF_UPDATE = PropertyText(
    ROUND_TRIP.name,
    ROUND_TRIP.title,
    UPDATES,
    ROUND_TRIP.description,
    "Remove the update to the device: the host does not change the data after it came from there. If a "
    "kernel does, the transfer is necessary.",
)
REPEATED_ALLOCATION = PropertyText(
    "RepeatedAllocation",
    "Repeated allocation",
    MAPS,
    "A construct allocates memory for the same data on the device at each visit.",
    _MAP_ONCE,
)
IMPLICIT_TRANSFER = PropertyText(
    "ImplicitTransfer",
    "Implicit transfer",
    KERNELS,
    "A large variable moves to the device and back, as no clause says otherwise.",
    "Name the variable in a map clause: map(to: ...) if the kernel only reads it, map(from: ...) if "
    "the kernel writes all of it, map(alloc: ...) if only kernels use it.",
)
UNUSED_MAPPING = PropertyText(
    "UnusedMapping",
    "Mapping without a kernel",
    kinds_of("target data"),
    "Data is mapped, and no kernel is launched meanwhile.",
    "Remove the construct, or put it around the kernels that use the data.",
)
HOST_WORK = PropertyText(
    "HostWorkBetweenKernels",
    "Serial work between kernels",
    kinds_of("target data"),
    "The host works serially between kernels, and the device has nothing to do.",
    "Move the work to the device as well, run it in parallel, or overlap it with kernels that have "
    "nowait.",
)
SMALL_KERNELS = PropertyText(
    "SmallKernels",
    "Kernels smaller than their launch",
    KERNELS,
    "Launching the kernels takes longer than running them.",
    "Give a kernel more iterations (a loop further out, collapse), merge kernels that follow one "
    "another, or leave the work on the host with an if clause.",
)
ONE_TEAM = PropertyText(
    "TargetWithoutTeams",
    "Kernel with one team",
    KERNELS,
    "A single team runs the kernel, on a small part of the device.",
    "Use target teams distribute parallel for, or target teams loop.",
)

TABLE = tuple(value for value in vars().copy().values() if isinstance(value, PropertyText))
"""All rows, in their order."""
