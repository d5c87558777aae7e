/* Flaws of loops and sections, for a team of four. */
#include "part.h"

static double triangular(void) {
#pragma omp parallel for schedule(static) /* triangular */
  for (int i = 0; i < 32; i++)
    nap(0.004 * i);
  return 4 * 0.880 - 1.984;
}

static double folded(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 16; i++) {
    nap(0.004 * i);
    nap(0.004 * (31 - i));
  }
  return 0;
}

static double one_slow(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) /* one-slow */
    for (int i = 0; i < 8; i++)
      nap(i == 5 ? 0.7 : 0.1);
  }
  return 3 * 0.6;
}

static double one_slow_divided(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 28; i++)
      nap(0.05);
  }
  return 0;
}

static double large_chunk(void) {
#pragma omp parallel for schedule(dynamic, 16) /* large-chunk */
  for (int i = 0; i < 80; i++)
    nap(0.02);
  return 3 * 0.32;
}

static double chunk_of_one(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 80; i++)
    nap(0.02);
  return 0;
}

static double few_iterations(void) {
#pragma omp parallel for /* few-iterations */
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 4; j++)
      nap(0.1);
  return 3 * 0.4;
}

static double collapsed(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 4; j++)
      nap(0.1);
  return 0;
}

static double few_sections(void) {
#pragma omp parallel sections /* few-sections */
  {
#pragma omp section
    nap(0.8);
#pragma omp section
    nap(0.8);
  }
  return 2 * 0.8;
}

static double enough_sections(void) {
#pragma omp parallel sections
  {
#pragma omp section
    nap(0.4);
#pragma omp section
    nap(0.4);
#pragma omp section
    nap(0.4);
#pragma omp section
    nap(0.4);
  }
  return 0;
}

static double long_section(void) {
#pragma omp parallel
  {
#pragma omp sections /* long-section */
    {
#pragma omp section
      nap(0.8);
#pragma omp section
      nap(0.2);
#pragma omp section
      nap(0.2);
#pragma omp section
      nap(0.2);
    }
  }
  return 3 * 0.6;
}

static double equal_sections(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      nap(0.35);
#pragma omp section
      nap(0.35);
#pragma omp section
      nap(0.35);
#pragma omp section
      nap(0.35);
    }
  }
  return 0;
}

static double ordered_work(void) {
#pragma omp parallel num_threads(2)
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 200; i++) {
    nap(0.001);
#pragma omp ordered /* ordered */
    nap(0.005);
  }
  return 200 * 0.004;
}

static double unordered_work(void) {
#pragma omp parallel num_threads(2)
#pragma omp for schedule(static, 1)
  for (int i = 0; i < 200; i++) {
    nap(0.001);
    nap(0.005);
  }
  return 0;
}

static double cancelled(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static, 1) /* cancelled */
    for (int i = 0; i < 2; i++) {
      if (i == 0) {
#pragma omp cancel for /* cancelled */
      } else {
        nap(0.6);
      }
    }
  }
  return 0.6;
}

static double cancelled_soon(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; i++) {
      if (i == 0) {
#pragma omp cancel for
      } else {
        for (int part = 0; part < 60; part++) {
          nap(0.01);
#pragma omp cancellation point for
        }
      }
    }
  }
  return 0;
}

static const Part parts[] = {
    {"triangular", triangular, folded},
    {"one-slow", one_slow, one_slow_divided},
    {"large-chunk", large_chunk, chunk_of_one},
    {"few-iterations", few_iterations, collapsed},
    {"few-sections", few_sections, enough_sections},
    {"long-section", long_section, equal_sections},
    {"ordered", ordered_work, unordered_work},
    {"cancelled", cancelled, cancelled_soon},
};

int main(int argc, char **argv) { return run(argc, argv, parts, sizeof parts / sizeof *parts); }
