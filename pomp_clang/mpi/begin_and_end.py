"""The functions that begin and end the use of MPI."""

from __future__ import annotations

BEGIN_AND_END = ("Init", "Init_thread", "Finalize", "Session_init", "Session_finalize")
