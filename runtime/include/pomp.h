/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The POMP API: the calls that an instrumented OpenMP program makes, and that a measuring library
 * defines (Mohr, Malony, Shende, Wolf: "Design and Prototype of a Performance Tool Interface for
 * OpenMP", Table 3).
 *
 * The thread that reaches the place makes the call.  `d` describes the construct and is the same
 * pointer at every call for it.  A barrier that the instrumentation made explicit gets the
 * descriptor of the construct that implied it.  Calls marked "extension" are not in the paper; for
 * a library without them, the linker takes them from the null library. */
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
  /* The place where a lock is released.  Times are booked at the place that acquired the lock, so
   * this descriptor is no region of its own. */
  POMP_RELEASE = 8,
  /* The task is untied: another thread may go on with it after a scheduling point. */
  POMP_UNTIED = 16,
  /* The implicit barrier stays, and the OpenMP runtime reports its time (OMPT): Barrier_enter and
   * Barrier_exit are not called for it. */
  POMP_OMPT = 32,
  /* The implicit barrier at a parallel region's end stays, and a member's time in it begins with
   * its Parallel_end: Barrier_enter and Barrier_exit are not called for it. */
  POMP_ARRIVAL = 64
};

/* One static object for each construct, function, lock call or user region.  The first ten members
 * are the paper's (section 3.5).  The layout is extended at its end only, and `size` is the
 * object's size. */
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
  /* Of a construct in a header that is included within a function: "file:line" of the #include
   * directive, and of those that include its file, one on a line; or 0. */
  const char *included_from;
} OMPRegDescr;

/* Extension.  Before main, and when a library is loaded: pointers to the descriptors of one
 * executable or shared library stand from begin up to end.  Comes from each translation
 * unit, so more than once for the same range; a unit's other calls may come before it. */
void POMP_Register(OMPRegDescr **begin, OMPRegDescr **end);

/* Control: #pragma pomp inst init | finalize | on | off.  By any thread, for all. */
void POMP_Init(void);     /* measurement starts, unless it has already */
void POMP_Finalize(void); /* measurement ends; what comes later does not count */
void POMP_On(void);       /* events count again */
void POMP_Off(void);      /* events do not count until POMP_On */

/* Extension, #pragma pomp inst snapshot.  Appends the sums of all threads so far to the experiment,
 * as a profile of their own. */
void POMP_Snapshot(void);

/* User regions, #pragma pomp inst begin(name) | end(name), and function bodies.  May nest
 * and recur; several ends may belong to one begin, of which one is reached. */
void POMP_Begin(OMPRegDescr *d); /* the region is entered */
void POMP_End(OMPRegDescr *d);   /* the region is left */

/* Extension, #pragma pomp inst begin(name, variable) | end(name, variable): right after the
 * one, right before the other, what the variable has. */
void POMP_Value_int(OMPRegDescr *d, long value);               /* also of an enumeration */
void POMP_Value_unsigned(OMPRegDescr *d, unsigned long value); /* also _Bool, bool */
void POMP_Value_real(OMPRegDescr *d, double value);            /* floating-point */

/* parallel, and every combined construct that begins with it. */
void POMP_Parallel_fork(OMPRegDescr *d);  /* the encountering thread, before the region */
void POMP_Parallel_begin(OMPRegDescr *d); /* each team member, first thing in the region */
void POMP_Parallel_end(OMPRegDescr *d);   /* each team member, last thing in the region */
void POMP_Parallel_join(OMPRegDescr *d);  /* the encountering thread, after the region */

/* Extension.  Which team a member belongs to, however teams are nested and threads made:
 * the pointer goes into the region as a firstprivate variable. */
void *POMP_Get_team(void);      /* right after fork: what it opened, or 0 */
void POMP_Set_team(void *team); /* right before begin, by each member */

/* Worksharing.  After the work come Barrier_enter and Barrier_exit with the same descriptor, before
 * exit; not with nowait, nor if the descriptor says that the barrier is not measured.  In combined
 * constructs all come between Parallel_begin and Parallel_end. */
void POMP_For_enter(OMPRegDescr *d);       /* each team member, before the loop */
void POMP_For_exit(OMPRegDescr *d);        /* each team member, after it and its barrier */
void POMP_Sections_enter(OMPRegDescr *d);  /* each team member, before the sections */
void POMP_Section_begin(OMPRegDescr *d);   /* who runs a section, at its start; d is that */
void POMP_Section_end(OMPRegDescr *d);     /* and at its end;     of the whole construct */
void POMP_Sections_exit(OMPRegDescr *d);   /* each team member, after them and the barrier */
void POMP_Single_enter(OMPRegDescr *d);    /* each team member, before the construct */
void POMP_Single_begin(OMPRegDescr *d);    /* who runs the block, at its start */
void POMP_Single_end(OMPRegDescr *d);      /* and at its end */
void POMP_Single_exit(OMPRegDescr *d);     /* each team member, after it and its barrier */
void POMP_Workshare_enter(OMPRegDescr *d); /* Fortran: each team member, before */
void POMP_Workshare_exit(OMPRegDescr *d);  /* Fortran: each team member, after */

/* Extension: in loops that a filter selects.  For_exit's barrier comes after Iterations_end. */
void POMP_Iterations_begin(OMPRegDescr *d);      /* each team member, after For_enter */
void POMP_Iteration(OMPRegDescr *d, long value); /* first thing in the body: the loop variable's */
void POMP_Iterations_end(OMPRegDescr *d);        /* each team member, after its iterations */

/* Synchronization. */
void POMP_Barrier_enter(OMPRegDescr *d);  /* before the wait, explicit or made explicit */
void POMP_Barrier_exit(OMPRegDescr *d);   /* after it */
void POMP_Critical_enter(OMPRegDescr *d); /* before the wait for the section */
void POMP_Critical_begin(OMPRegDescr *d); /* inside, first thing */
void POMP_Critical_end(OMPRegDescr *d);   /* inside, last thing */
void POMP_Critical_exit(OMPRegDescr *d);  /* after the section was let go */
void POMP_Atomic_enter(OMPRegDescr *d);   /* before the atomic statement */
void POMP_Atomic_exit(OMPRegDescr *d);    /* after it */
void POMP_Master_begin(OMPRegDescr *d);   /* the master, at the start of the block */
void POMP_Master_end(OMPRegDescr *d);     /* and at its end */

/* Extension: the paper's open issue, section 3.10. */
void POMP_Flush_enter(OMPRegDescr *d);   /* before the flush */
void POMP_Flush_exit(OMPRegDescr *d);    /* after it */
void POMP_Ordered_enter(OMPRegDescr *d); /* before the wait for the turn; a directive */
void POMP_Ordered_begin(OMPRegDescr *d); /* inside, first thing;   without a block has */
void POMP_Ordered_end(OMPRegDescr *d);   /* inside, last thing;    enter and exit only */
void POMP_Ordered_exit(OMPRegDescr *d);  /* after the block */

/* Extension: tasks.  The explicit task that a thread is in.  The program asks for it where the
 * thread may leave the task for others, and where an untied task may come back on another thread.
 * It keeps the pointer in a variable of the task.  Set_task of the task that the thread is in
 * already costs next to nothing. */
void *POMP_Get_task(void);      /* before enter: the current task; 0: an implicit one.  Or,
                                   untied, right after begin, for all of the task's life */
void POMP_Set_task(void *task); /* before exit: the thread is in this task again */

/* Extension.  The place where a task was created, for the thread that runs it: the pointer goes
 * into the task as a firstprivate variable. */
void *POMP_Get_creation(void);          /* right after enter: the creation, or 0 */
void POMP_Set_creation(void *creation); /* right before begin, by who runs the task */

/* Extension.  An undeferred task begins and ends between its creator's enter and exit. */
void POMP_Task_enter(OMPRegDescr *d); /* the creating thread, before the task directive */
void POMP_Task_begin(OMPRegDescr *d); /* who runs the task, at its start */
void POMP_Task_end(OMPRegDescr *d);   /* and at its end; not reached when it is cancelled */
void POMP_Task_exit(OMPRegDescr *d);  /* the creating thread, when the task is made */

/* Extension.  Waits: other tasks may begin and end on the thread between the two, as in a
 * barrier. */
void POMP_Taskwait_enter(OMPRegDescr *d);  /* before the wait for child tasks */
void POMP_Taskwait_exit(OMPRegDescr *d);   /* after it */
void POMP_Taskyield_enter(OMPRegDescr *d); /* before the thread may take up another task */
void POMP_Taskyield_exit(OMPRegDescr *d);  /* when it is back */
void POMP_Taskgroup_enter(OMPRegDescr *d); /* before the construct */
void POMP_Taskgroup_begin(OMPRegDescr *d); /* inside, first thing */
void POMP_Taskgroup_end(OMPRegDescr *d);   /* inside, last thing; from here it waits */
void POMP_Taskgroup_exit(OMPRegDescr *d);  /* after the wait for the group's tasks */
void POMP_Taskloop_enter(OMPRegDescr *d);  /* before the construct; its tasks make no events */
void POMP_Taskloop_exit(OMPRegDescr *d);   /* after it, and its wait unless nogroup */

/* Extension: constructs that came after the paper. */
void POMP_Scope_enter(OMPRegDescr *d); /* each team member, before the construct */
void POMP_Scope_begin(OMPRegDescr *d); /* each, at the start of the block */
void POMP_Scope_end(OMPRegDescr *d);   /* and at its end; a barrier follows as for single */
void POMP_Scope_exit(OMPRegDescr *d);  /* each team member, after it and its barrier */
void POMP_Masked_begin(
    OMPRegDescr *d); /* by threads that are not masked out, at the start of the block */
void POMP_Masked_end(OMPRegDescr *d); /* and at its end */

/* Extension: where the standard allows no call inside, or there is no inside.  Each by the
 * thread that comes to the construct, on the host. */
void POMP_Simd_enter(OMPRegDescr *d);               /* before the loop */
void POMP_Simd_exit(OMPRegDescr *d);                /* after it */
void POMP_Loop_enter(OMPRegDescr *d);               /* before the loop */
void POMP_Loop_exit(OMPRegDescr *d);                /* after it, and its barrier if it has one */
void POMP_Teams_enter(OMPRegDescr *d);              /* before the league is made */
void POMP_Teams_exit(OMPRegDescr *d);               /* after its end */
void POMP_Distribute_enter(OMPRegDescr *d);         /* before the loop */
void POMP_Distribute_exit(OMPRegDescr *d);          /* after it */
void POMP_Target_enter(OMPRegDescr *d);             /* before the region, whoever runs it */
void POMP_Target_exit(OMPRegDescr *d);              /* after it, or (nowait) its start */
void POMP_Target_data_enter(OMPRegDescr *d);        /* before the mapping */
void POMP_Target_data_begin(OMPRegDescr *d);        /* after the mapping, first in the block */
void POMP_Target_data_end(OMPRegDescr *d);          /* last in the block */
void POMP_Target_data_exit(OMPRegDescr *d);         /* after the block and the mapping back */
void POMP_Target_enter_data_enter(OMPRegDescr *d);  /* before the mapping */
void POMP_Target_enter_data_exit(OMPRegDescr *d);   /* after it, or (nowait) its start */
void POMP_Target_exit_data_enter(OMPRegDescr *d);   /* before the mapping back */
void POMP_Target_exit_data_exit(OMPRegDescr *d);    /* after it, or (nowait) its start */
void POMP_Target_update_enter(OMPRegDescr *d);      /* before the copying */
void POMP_Target_update_exit(OMPRegDescr *d);       /* after it, or (nowait) its start */
void POMP_Dispatch_enter(OMPRegDescr *d);           /* before the call */
void POMP_Dispatch_exit(OMPRegDescr *d);            /* after it */
void POMP_Depobj_enter(OMPRegDescr *d);             /* before the directive */
void POMP_Depobj_exit(OMPRegDescr *d);              /* after it */
void POMP_Interop_enter(OMPRegDescr *d);            /* before the directive */
void POMP_Interop_exit(OMPRegDescr *d);             /* after it */
void POMP_Metadirective_enter(OMPRegDescr *d);      /* before the directive, whichever is meant */
void POMP_Metadirective_exit(OMPRegDescr *d);       /* after it, and its block if it has one */
void POMP_Cancel_enter(OMPRegDescr *d);             /* before the directive */
void POMP_Cancel_exit(OMPRegDescr *d);              /* after it, where nothing was canceled */
void POMP_Cancellation_point_enter(OMPRegDescr *d); /* before the directive */
void POMP_Cancellation_point_exit(OMPRegDescr *d);  /* after it, where nothing was canceled */

/* Runtime library routines: each calls the omp_ routine of its name with `lock`, as the program
 * passed it, and returns its result.  It may measure around the call.  `d` (extension: the paper
 * leaves the arguments open) is the place of the call. */
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
