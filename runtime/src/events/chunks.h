/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chunks of loops that the OpenMP runtime hands out one by one.  All are counted; one call in
 * POMP_PRICE_EVERY is timed, and stands for as many. */
#ifndef POMP_CHUNKS_H
#define POMP_CHUNKS_H

#include <stdint.h>

/* Returns the time, or 0 if this call is not timed. */
uint64_t pomp_chunk_asked(void);

/* `chunks` is 1, or 0 if none was left. */
void pomp_chunk_given(uint64_t asked, unsigned chunks);

/* The body of a function around the OpenMP runtime's, which returns whether there was a chunk. */
#define POMP_CHUNK(call)                                                                           \
  {                                                                                                \
    uint64_t asked = pomp_chunk_asked();                                                           \
    __typeof__(call) given = call;                                                                 \
    pomp_chunk_given(asked, given != 0);                                                           \
    return given;                                                                                  \
  }

#endif
