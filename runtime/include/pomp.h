/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The POMP API: the calls that an instrumented OpenMP program makes, and that
 * a measuring library defines (Mohr, Malony, Shende, Wolf: "Design and
 * Prototype of a Performance Tool Interface for OpenMP", Table 3).
 *
 * Every call is made by the thread that reaches the place.  `d` describes the
 * construct and is the same pointer at every call for it; a barrier that the
 * instrumentation made explicit is passed the descriptor of the construct that
 * implied it.  What is marked "extension" is not in the paper; a library that
 * leaves it out is completed from the null library at link time.
 */
#ifndef POMP_H
#define POMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* The value of _POMP in an instrumented compilation: YYYYMM of this API. */
#define POMP_VERSION 202611

enum ompregdescr_flags {
  /* The implicit barrier was left as it is and has no events of its own
   * (copyprivate excludes nowait; a cancelled construct may not be nowait). */
  POMP_BARRIER_NOT_MEASURED = 1,
  /* The construct has no barrier at its end: the programmer wrote nowait. */
  POMP_NOWAIT = 2,
  /* The descriptor is a function's; name is "region" as in the paper. */
  POMP_FUNCTION = 4,
  /* The descriptor is the place where a lock is released: times are booked at
   * the place that acquired it, so this one is no region of its own. */
  POMP_RELEASE = 8,
  /* The construct stands inside a taskable or worksharing parallel directive
   * that was split: "parallel for" and its like use one descriptor for both. */
  POMP_COMBINED = 16
};

/* One static object for each construct, function, lock call or user region.
 * The first ten members are the paper's (section 3.5); the layout is only ever
 * extended at its end, and `size` tells how far an object reaches. */
typedef struct ompregdescr {
  const char *name;     /* the directive's words, "lock", or "region" */
  const char *sub_name; /* of a named critical, function, region or lock; or 0 */
  int num_sections;     /* of a sections construct, else 0 */
  const char *file_name;
  int begin_line1, begin_lineN; /* first and last line of the opening directive */
  int end_line1, end_lineN;     /* of the end: in C the last line of the block */
  void *data;                   /* the measuring library's own */
  struct ompregdescr *next;     /* chain, for the measuring library */
  /* Extension, version 202611. */
  unsigned size;        /* sizeof of this object in the unit that defines it */
  unsigned flags;       /* enum ompregdescr_flags */
  int begin_column;     /* column of the opening directive, from 1 */
  const char *clauses;  /* the directive's clauses as written, or "" */
  const char *function; /* the enclosing function's name, or "" */
} OMPRegDescr;

/* Extension.  Called before main (and when a library is loaded) with the
 * descriptors of one translation unit: begin <= p < end are pointers to them.
 * May come more than once for the same range. */
void POMP_Register(OMPRegDescr **begin, OMPRegDescr **end);

/* Control (#pragma pomp inst init | finalize | on | off). */
void POMP_Init(void);     /* measurement starts, unless it has already */
void POMP_Finalize(void); /* measurement ends; what comes later is ignored */
void POMP_On(void);       /* events count again */
void POMP_Off(void);      /* events from here on do not count */

/* User regions and functions (#pragma pomp inst begin(name) | end(name)). */
void POMP_Begin(OMPRegDescr *d);
void POMP_End(OMPRegDescr *d);

/* parallel, and every combined construct that begins with it.  fork and join
 * are the encountering thread's, before and after the region; begin and end
 * are each team member's first and last event of it. */
void POMP_Parallel_fork(OMPRegDescr *d);
void POMP_Parallel_begin(OMPRegDescr *d);
void POMP_Parallel_end(OMPRegDescr *d);
void POMP_Parallel_join(OMPRegDescr *d);

/* Extension.  What the last fork of this thread opened, carried into the region
 * as a firstprivate pointer and handed over before Parallel_begin, so that each
 * member knows its own team however teams are nested. */
void *POMP_Get_team(void);
void POMP_Set_team(void *team);

/* Worksharing.  enter and exit are every team member's; begin and end stand
 * inside the structured block.  Between them and exit, Barrier_enter and
 * Barrier_exit come with the same descriptor unless nowait was written. */
void POMP_For_enter(OMPRegDescr *d);
void POMP_For_exit(OMPRegDescr *d);
void POMP_Sections_enter(OMPRegDescr *d);
void POMP_Section_begin(OMPRegDescr *d);
void POMP_Section_end(OMPRegDescr *d);
void POMP_Sections_exit(OMPRegDescr *d);
void POMP_Single_enter(OMPRegDescr *d);
void POMP_Single_begin(OMPRegDescr *d);
void POMP_Single_end(OMPRegDescr *d);
void POMP_Single_exit(OMPRegDescr *d);
void POMP_Workshare_enter(OMPRegDescr *d);
void POMP_Workshare_exit(OMPRegDescr *d);

/* Synchronisation.  enter is before the wait, begin after it, end before the
 * release, exit after it. */
void POMP_Barrier_enter(OMPRegDescr *d);
void POMP_Barrier_exit(OMPRegDescr *d);
void POMP_Critical_enter(OMPRegDescr *d);
void POMP_Critical_begin(OMPRegDescr *d);
void POMP_Critical_end(OMPRegDescr *d);
void POMP_Critical_exit(OMPRegDescr *d);
void POMP_Atomic_enter(OMPRegDescr *d);
void POMP_Atomic_exit(OMPRegDescr *d);
void POMP_Master_begin(OMPRegDescr *d);
void POMP_Master_end(OMPRegDescr *d);

/* Extension: the paper's open issue, section 3.10. */
void POMP_Flush_enter(OMPRegDescr *d);
void POMP_Flush_exit(OMPRegDescr *d);
void POMP_Ordered_enter(OMPRegDescr *d);
void POMP_Ordered_begin(OMPRegDescr *d);
void POMP_Ordered_end(OMPRegDescr *d);
void POMP_Ordered_exit(OMPRegDescr *d);

/* Runtime library routines: each calls the omp_ routine of its name and may
 * measure around it.  `lock` is what the program passed; `d` (extension: the
 * paper leaves the arguments open) is the place of the call. */
void POMP_Set_lock(void *lock, OMPRegDescr *d);
void POMP_Unset_lock(void *lock, OMPRegDescr *d);
int POMP_Test_lock(void *lock, OMPRegDescr *d);
void POMP_Set_nest_lock(void *lock, OMPRegDescr *d);
void POMP_Unset_nest_lock(void *lock, OMPRegDescr *d);
int POMP_Test_nest_lock(void *lock, OMPRegDescr *d);

#ifdef __cplusplus
}
#endif

#endif
