/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The format of a location's trace: docs/reference/trace-format.md.
 *
 * A file is a sequence of blocks, in any order; those without magic are unused.  A block is its
 * head and words.  A word is
 *     ticks since the block's base << 24 | call path << 8 | enum pomp_trace_op
 * or, right after the word that it belongs to, a value of 56 bits << 8 | POMP_TRACE_VALUE.  A block
 * ends at the first word that is 0. */
#ifndef POMP_TRACE_FORMAT_H
#define POMP_TRACE_FORMAT_H

#include "location/format.h"

#define POMP_TRACE_FILE "trace-%u.pomp" /* the location's number */
#define POMP_TRACE_MAGIC "POMPTRC\n"
#define POMP_TRACE_VERSION 4u
#define POMP_TRACE_BLOCK ((uint64_t)1 << 18)
#define POMP_TRACE_TICK_BITS 40 /* of a word */
#define POMP_TRACE_MOST_VALUES 5u

/* A block's base lies that far before its first word: a time may be taken from another thread. */
#define POMP_TRACE_SLACK (UINT64_C(1) << 36)

/* The newest when the program ended: a trace without it has lost its end. */
enum pomp_trace_mark { POMP_TRACE_UNMARKED, POMP_TRACE_NEWEST };

struct pomp_trace_block {
  char magic[8];
  uint32_t byte_order;
  uint32_t version;
  uint32_t size; /* bytes from this block to the next */
  uint32_t location;
  uint64_t number; /* from 0 */
  uint64_t base;   /* ticks */
  int64_t pid;     /* with start: the run that this is of */
  uint64_t start;
  uint64_t before; /* in memory, where the one before is; in a file enum pomp_trace_mark */
};

_Static_assert(sizeof(struct pomp_trace_block) == 64, "a block's words begin at its 64th byte");

/* Changes of the top frame of the thread's open regions, as the profile books them.  A frame's
 * phase is a column of time (enum pomp_column); 0 is none. */
enum pomp_trace_op {
  POMP_TRACE_NONE,
  POMP_TRACE_LEAVE,      /* the frame is closed */
  POMP_TRACE_BEGIN,      /* the fork's frame becomes the master's of the region: phase bodyT */
  POMP_TRACE_COUNT_BODY, /* a section, or the single block */
  POMP_TRACE_JOINED,     /* a team, by its master, whose frame is closed; value: team */
  POMP_TRACE_DEPARTS,    /* the frame is closed next, by a worker that leaves its team */
  POMP_TRACE_DEPARTED,   /* the member takes its team for joined: the join was not reported; value:
                            team; or 0: it was joined, what follows is not of that team */
  POMP_TRACE_WAITS,      /* who left a team is in the barrier at the region's end */
  POMP_TRACE_ASSEMBLED,  /* all were in that barrier, as the master saw; value: team */
  POMP_TRACE_HOLDS,      /* a lock is got; value: lock */
  POMP_TRACE_HOLDS_MORE, /* the same of one that may be got again; value: lock */
  POMP_TRACE_RELEASES,   /* a lock is given up, that this thread got; value: lock */
  POMP_TRACE_HANDS_OVER, /* the same, that another got: a visit of its own; value: lock */
  POMP_TRACE_VISITS,     /* a visit that has no room for a frame */
  POMP_TRACE_RELEASED,   /* the call that gave it up is back */
  POMP_TRACE_ENDS,       /* the thread ends */
  POMP_TRACE_PHASE = 0x10,       /* + phase: another one begins */
  POMP_TRACE_COUNTED = 0x20,     /* + phase: the same, of a section or the single block */
  POMP_TRACE_PHASE_AGAIN = 0x30, /* + phase: the time of the one before is not booked */
  POMP_TRACE_TELLS = 0x40,       /* + enum pomp_trace_type: a variable's value */
  POMP_TRACE_MPI = 0x50,         /* + enum pomp_mpi_event: runtime/mpi/hooks.h */
  POMP_TRACE_ENTER = 0x80, /* | kind of frame << 3 | enum pomp_trace_enter: a frame is opened */
  POMP_TRACE_VALUE = 0xff
};

/* Type of a variable's value.  An integer is a word's value, sign- or zero-extended, or that and
 * its highest byte.  A double is its bits without the lowest byte, or that and the byte. */
enum pomp_trace_type { POMP_TRACE_SIGNED, POMP_TRACE_UNSIGNED, POMP_TRACE_REAL };

/* Values of a fork: the team; of a parallel region at a worker: the team, ticks since its fork; of
 * an untied task: its number. */
enum pomp_trace_enter {
  POMP_TRACE_RESUMES = 1, /* a visit that was counted elsewhere goes on here */
  POMP_TRACE_SPECIAL = 2, /* user: within another visit of the region; task: the task beneath stands
                             still meanwhile; work: its body begins at once */
  POMP_TRACE_SWITCHES = 4 /* task: the frame beneath has got another phase for it, just before */
};

/* The word of a frame that is opened as nearly all are. */
#define POMP_TRACE_ENTERS(kind, phase)                                                             \
  (uint8_t)(POMP_TRACE_ENTER | (unsigned)(kind) << 3 |                                             \
            ((kind) == POMP_FRAME_WORK && (phase) == POMP_BODY_T ? POMP_TRACE_SPECIAL : 0))

#endif
