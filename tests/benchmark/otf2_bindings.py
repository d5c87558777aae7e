"""Reads an archive's events with OTF2's Python bindings: otf2_bindings.py ANCHOR."""

from __future__ import annotations

import sys
import time

import otf2


def main(anchor: str) -> None:
    begin, events = time.process_time(), 0
    with otf2.reader.open(anchor) as trace:
        for _ in trace.events:
            events += 1
    print(f"events {events}")
    print(f"seconds {time.process_time() - begin:.6f}")


if __name__ == "__main__":
    main(sys.argv[1])
