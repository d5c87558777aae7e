"""Constructs that one thread cancels while another one, which does not look, works on."""

from __future__ import annotations

from tests.causes.programs.program import Program, wait_at

_WAITS = ("Wait at Barrier", "Wait after Cancellation")

_LOOKS = """
        for (int part = 0; part < 40; part++) {
          naps(0.01);
          #pragma omp cancellation point %s
        }
"""

PROGRAMS = {
    "cancelled loop": Program(
        _WAITS,
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp for schedule(static, 1) /* here */
    for (int i = 0; i < 2; i++) {
      if (i == 0) {
        #pragma omp cancel for
      } else
        lost[0] = naps(0.4);
    }
  }
""",
        f"""
  #pragma omp parallel num_threads(2)
  {{
    #pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; i++) {{
      if (i == 0) {{
        #pragma omp cancel for
      }} else {{{_LOOKS % "for"}
      }}
    }}
  }}
""",
        also=wait_at("here", "here"),
    ),
    "cancelled sections": Program(
        _WAITS,
        """
  #pragma omp parallel num_threads(2)
  {
    #pragma omp sections /* here */
    {
      #pragma omp section
      {
        while (!begun) naps(0.001);
        #pragma omp cancel sections
      }
      #pragma omp section
      {
        begun = 1;
        lost[1 - omp_get_thread_num()] = naps(0.4);
      }
    }
  }
""",
        f"""
  #pragma omp parallel num_threads(2)
  {{
    #pragma omp sections
    {{
      #pragma omp section
      {{
        while (!begun) naps(0.001);
        #pragma omp cancel sections
      }}
      #pragma omp section
      {{
        begun = 1;{_LOOKS % "sections"}
      }}
    }}
  }}
""",
        also=wait_at("here", "here"),
    ),
    "cancelled region": Program(
        _WAITS,
        """
  #pragma omp parallel num_threads(2) /* here */
  {
    if (omp_get_thread_num() == 0) {
      #pragma omp cancel parallel
    } else {
      lost[0] = naps(0.4);
      #pragma omp cancellation point parallel
    }
  }
""",
        f"""
  #pragma omp parallel num_threads(2)
  {{
    if (omp_get_thread_num() == 0) {{
      #pragma omp cancel parallel
    }} else {{{_LOOKS % "parallel"}
    }}
  }}
""",
        also=wait_at("here", "here"),
    ),
    "cancelled combined loop": Program(
        _WAITS,
        """
  #pragma omp parallel for schedule(static, 1) num_threads(2) /* here */
  for (int i = 0; i < 2; i++) {
    if (i == 0) {
      #pragma omp cancel for
    } else
      lost[0] = naps(0.4);
  }
""",
        f"""
  #pragma omp parallel for schedule(static, 1) num_threads(2)
  for (int i = 0; i < 2; i++) {{
    if (i == 0) {{
      #pragma omp cancel for
    }} else {{{_LOOKS % "for"}
    }}
  }}
""",
        also=wait_at("here", "here"),
    ),
}
