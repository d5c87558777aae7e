/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The records of an experiment file: docs/reference/experiment-format.md.  Byte order and alignment
 * are the machine's.  Records are extended at their end only, and a reader passes over types that
 * it does not know. */
#ifndef POMP_FORMAT_H
#define POMP_FORMAT_H

#include <stdint.h>

#define POMP_FILE_NAME "profile.pomp"
#define POMP_FILE_MAGIC "POMPEXP\n"
#define POMP_FILE_VERSION 2u
#define POMP_FILE_BYTE_ORDER 0x01020304u
#define POMP_RECORD_ALIGNMENT 64u

enum pomp_file_state { POMP_FILE_OPEN = 0, POMP_FILE_ENDED = 1 };

struct pomp_file_header {
  char magic[8];
  uint32_t byte_order;
  uint32_t version;
  uint32_t header_size;
  uint32_t state;
  uint64_t records_end; /* offset in the file */
  uint64_t ticks_per_second;
  uint64_t start, end;      /* ticks; end is valid once state is ENDED */
  uint64_t start_wall;      /* ns since 1970-01-01 UTC */
  int64_t pid, forked_from; /* forked_from is 0 in a process that was not forked */
  uint64_t lost;            /* events that no location could take */
  uint64_t folded; /* 1: some call paths had no room, and their regions are booked below the root */
  uint64_t dropped_snapshots; /* there was no room for */
  uint64_t reserved[3];
};

enum pomp_record_type {
  POMP_RECORD_PAD = 0, /* nothing, or not ready */
  POMP_RECORD_TEXT = 1,
  POMP_RECORD_REGION = 2,
  POMP_RECORD_LOCATION = 3,
  POMP_RECORD_PROFILE = 4,
  POMP_RECORD_STACK = 5,
  POMP_RECORD_HELD = 6,
  POMP_RECORD_PATHS = 7,
  POMP_RECORD_SNAPSHOT = 8,
  POMP_RECORD_COSTS = 9,
  POMP_RECORD_COUNTERS = 10, /* as a profile, the columns being the metrics */
  POMP_RECORD_MPI = 11,      /* as a profile, the columns being those of enum pomp_mpi_column */
  POMP_RECORD_ITERATIONS = 12,
  POMP_RECORD_TARGET = 13,
  POMP_RECORD_DEVICE = 14
};

struct pomp_record {
  uint32_t type;
  uint32_t reserved;
  uint64_t size; /* bytes, with this head and the padding at the end */
};

/* Followed by the key and the value, neither with a NUL at its end. */
struct pomp_text_record {
  struct pomp_record head;
  uint32_t key_length, value_length;
};

/* Followed by the strings in the order of their lengths, without NULs. */
struct pomp_region_record {
  struct pomp_record head;
  uint32_t id;    /* from 1 */
  uint32_t flags; /* enum ompregdescr_flags */
  int32_t num_sections;
  int32_t begin_line1, begin_lineN, end_line1, end_lineN;
  int32_t begin_column;
  uint32_t name_length, sub_name_length, file_length, clauses_length, function_length;
  uint32_t included_from_length;
};

/* The end of a team, as its master reports it. */
struct pomp_join {
  uint64_t team;      /* its number; 0: none */
  uint64_t when;      /* ticks */
  uint64_t assembled; /* ticks: all were in the barrier at the region's end; 0: unknown */
};

/* One OS thread at a time; a later thread of the same role may follow it. */
struct pomp_location_record {
  struct pomp_record head;
  uint32_t id;        /* from 0, in order of creation */
  int32_t level;      /* omp_get_level at first sight; 0 for an initial thread */
  int32_t thread_num; /* omp_get_thread_num at first sight */
  uint32_t reserved;
  uint64_t first;            /* ticks: before the first event */
  uint64_t last;             /* ticks of the newest event; 0: none */
  uint64_t dropped;          /* events whose time could not be booked */
  uint64_t unrecorded;       /* events that the trace had no room for; of version 2, later */
  uint64_t unrecorded_since; /* ticks: when the first of them was */
  uint64_t cut;       /* the newest joined team that it never said to leave; of version 2, later */
  uint64_t cut_since; /* ticks: when that was joined, or the newest in whose barrier it waited */
  uint64_t mpi_since; /* ticks: of the MPI call under way; 0: none; later still */
  uint32_t mpi_path;  /* the call path that it is on */
  /* The team at whose region's end the location arrived last, and when: if that is later than
   * cut_since it waits there.  The ticks that it ran tasks there since. */
  uint32_t arrived_path;
  uint64_t arrived, arrived_since, arrived_tasks, reserved_too;
  uint64_t ran;            /* nanoseconds that its threads were on a processor; 0: not known */
  uint64_t queued;         /* nanoseconds that they waited for a processor; 0: not known */
  struct pomp_join joined; /* of its newest team whose members may still have to book their wait */
};

enum pomp_column {
  POMP_EXEC_C,
  POMP_BODY_C,
  POMP_EXEC_T,
  POMP_BODY_T,
  POMP_ENTER_T,
  POMP_EXIT_T,
  POMP_EXIT_BAR_T,
  POMP_STARTUP_T,
  POMP_SHUTDWN_T,
  POMP_TASK_T,
  POMP_AGAIN_T, /* a parallel region's: the lesser, of each visit, of its barrier and its end */
  POMP_CREATE_C,
  POMP_CREATE_T,
  POMP_INNER_T,          /* of execT: within another visit of the region, on the same thread */
  POMP_CHUNK_C,          /* a loop's chunks that the OpenMP runtime handed out one by one */
  POMP_CHUNK_T,          /* in its calls for them, by one call in 31 */
  POMP_SERIAL_T,         /* before a parallel region, outside all of them */
  POMP_SUMS,             /* what follows is the process's own */
  POMP_SELF = POMP_SUMS, /* region << 32 | call path */
  POMP_CHILD,            /* the row of the region that was met last below this one */
  POMP_NEXT,             /* the row that was met after this one, below the same row */
  POMP_OUTERMOST,        /* the row of the region below the root */
  POMP_OPEN,             /* in that row: the frame of the visit whose time counts */
  POMP_COLUMNS,
  POMP_TASKS = POMP_OUTERMOST /* of a creation's row: the row of the tasks created there */
};

enum pomp_mpi_column {
  POMP_MPI_T,      /* in MPI calls */
  POMP_MPI_IN_V,   /* bytes that came in */
  POMP_MPI_OUT_V,  /* that went out */
  POMP_MPI_RECV_C, /* receive operations */
  POMP_MPI_SEND_C,
  POMP_MPI_COLL_C,
  POMP_MPI_INIT_T, /* the part of POMP_MPI_T that begins and ends the use of MPI */
  POMP_MPI_COLUMNS
};

/* The OpenMP runtime's reports of target constructs: C are counts, V are bytes, T are ticks. */
enum pomp_target_column {
  POMP_TARGET_C,          /* times that the runtime began a construct for the device */
  POMP_TARGET_T,          /* from begin to end */
  POMP_TARGET_DEFERRED_C, /* of them: as tasks */
  POMP_TARGET_STARTUP_C,  /* devices that were used for the first time */
  POMP_TARGET_STARTUP_T,  /* from the construct's begin to the runtime's */
  POMP_TARGET_LAUNCH_C,   /* kernels */
  POMP_TARGET_ONE_TEAM_C, /* of them: for which one team was asked for */
  POMP_TARGET_KERNEL_T,   /* launch to completion, if the runtime reports that */
  POMP_TARGET_TO_C,       /* transfers to the device */
  POMP_TARGET_TO_V,
  POMP_TARGET_TO_T,
  POMP_TARGET_FROM_C,
  POMP_TARGET_FROM_V,
  POMP_TARGET_FROM_T,
  POMP_TARGET_ALLOC_C, /* allocations on the device */
  POMP_TARGET_ALLOC_V,
  POMP_TARGET_ALLOC_T,
  POMP_TARGET_DELETE_C,
  POMP_TARGET_DELETE_T,
  POMP_TARGET_AGAIN_C, /* transfers to the device of what went there before */
  POMP_TARGET_AGAIN_V,
  POMP_TARGET_AGAIN_T,
  POMP_TARGET_ROUND_C, /* of what came from there before */
  POMP_TARGET_ROUND_V,
  POMP_TARGET_ROUND_T,
  POMP_TARGET_SAME_FROM_C, /* transfers from the device of what the host had before */
  POMP_TARGET_SAME_FROM_V,
  POMP_TARGET_SAME_FROM_T,
  POMP_TARGET_COLUMNS
};

#define POMP_BLOCK_PATHS 32u

/* A call path is a region below another path; 0 is the root. */
struct pomp_path {
  uint32_t above;
  uint32_t region; /* 0: not made yet; with POMP_PATH_TASK where it runs as a task */
};

#define POMP_PATH_TASK 0x80000000u

struct pomp_path_record {
  struct pomp_record head;
  uint32_t first;
  uint32_t count;
  uint32_t entry_size;
  uint32_t reserved;
  struct pomp_path paths[];
};

/* Sums for a range of call paths on one location. */
struct pomp_profile_record {
  struct pomp_record head;
  uint32_t location;
  uint32_t first_path;
  uint32_t paths;
  uint32_t columns;
  uint64_t values[]; /* [paths][columns] */
};

enum pomp_frame_kind {
  POMP_FRAME_NONE,
  POMP_FRAME_SIMPLE, /* execC and execT; of target data bodyT, too */
  POMP_FRAME_USER,   /* the same, and may recurse: execT is the outermost visit's */
  POMP_FRAME_WORK,   /* for, sections, single, scope, workshare */
  POMP_FRAME_SYNC,   /* critical, ordered, lock */
  POMP_FRAME_BARRIER,
  POMP_FRAME_FORK,
  POMP_FRAME_PARALLEL,
  POMP_FRAME_WAIT,   /* taskwait, taskyield, taskgroup, taskloop */
  POMP_FRAME_CREATE, /* a task is made: no execT */
  POMP_FRAME_CANCEL,
  POMP_FRAME_TASK /* a task runs: the frames from here up to the next of its kind are its own */
};

enum pomp_frame_flags {
  POMP_FRAME_MUTED = 1,        /* books nothing */
  POMP_FRAME_MASTER = 2,       /* team is a pointer of the process, else a serial number */
  POMP_FRAME_AWAY = 4,         /* away is valid */
  POMP_FRAME_INNER = 8,        /* of kind USER: another visit holds this one's time */
  POMP_FRAME_SUSPENDS = 16,    /* of kind TASK: beneath is a task that stands still meanwhile */
  POMP_FRAME_SWITCHED = 32,    /* of kind TASK: the frame beneath has left its phase meanwhile */
  POMP_FRAME_UNTIED = 64,      /* of kind TASK */
  POMP_FRAME_TOLD = 128,       /* of kind PARALLEL: OMPT tells of the barrier at its end */
  POMP_FRAME_PHASE = 15 * 256, /* the phase that was left */
  POMP_FRAME_WORKS =
      4096, /* kind PARALLEL: in the work of a combined construct, as the OpenMP runtime reports */
  POMP_FRAME_UNRECORDED = 8192, /* no part of the trace */
  POMP_FRAME_KERNEL = 16384     /* kind SIMPLE: a target construct, the thread may run its kernel */
};

struct pomp_frame {
  uint32_t region; /* 0: none */
  union {
    struct {
      uint8_t kind;
      uint8_t phase; /* the time column that runs since `since`; 0: none */
      uint16_t flags;
    };
    uint32_t kind_phase_flags;
  };
  uint64_t start, since; /* ticks; TASK: since its begin; USER: since is the process's own */
  uint64_t slot;         /* the process's own, as all below but away */
  union {
    uint64_t team;
    uint64_t task; /* of an untied one */
    uint64_t away; /* ticks, ended ones, in which the task stood still: not the frames' beneath */
  };
  uint32_t below; /* of kind TASK: the stack's base before */
  uint32_t path;  /* the call path that it books for */
};

struct pomp_stack_record {
  struct pomp_record head;
  uint32_t location;
  uint32_t depth;
  uint32_t capacity;
  uint32_t frame_size;
  struct pomp_frame frames[];
};

struct pomp_held_lock {
  uint64_t lock;   /* address */
  uint32_t region; /* where it was set; 0: not measured */
  uint32_t path;
  uint64_t since; /* ticks */
  uint64_t slot;  /* the process's own */
};

struct pomp_held_record {
  struct pomp_record head;
  uint32_t location;
  uint32_t count;
  uint32_t capacity;
  uint32_t entry_size;
  struct pomp_held_lock locks[];
};

/* Costs of the measurement, in ticks for `visits` visits. */
struct pomp_costs_record {
  struct pomp_record head;
  uint64_t visits;
  uint64_t pair, pair_within;         /* enter and exit; the part in the region's own time */
  uint64_t step;                      /* an event more, of the visit's inside */
  uint64_t parallel, parallel_within; /* a parallel region, by its master */
  /* Cost that a construct's events add to the construct, which hides some of it; 0: not measured.
   */
  uint64_t atomic, atomic_within;
  uint64_t critical, critical_within;
  uint64_t master, master_within;
  /* Costs of a task where it is created, where it runs, and of a wait for tasks. */
  uint64_t creation;
  uint64_t task, task_within;
  uint64_t wait, wait_within;
  uint64_t atomic_bare; /* an atomic update alone, in the cache */
};

#define POMP_TARGET_NAME 64u

/* Sums of a call path on a device, or the part of them that concerns the data at an address of the
 * host. */
struct pomp_target_row {
  uint32_t path;    /* 0: outside all regions */
  int32_t device;   /* number, as omp_get_default_device has it */
  uint64_t address; /* 0: all of the call path; 1: data beyond the first ones */
  uint64_t bytes;   /* the largest transfer or allocation at the address */
  uint64_t places;  /* the process's own: of address 0, the number of addresses */
  uint64_t values[POMP_TARGET_COLUMNS];
  char name[POMP_TARGET_NAME]; /* of the variable at the address, and a NUL; "": not known */
};

struct pomp_target_record {
  struct pomp_record head;
  uint32_t count; /* rows in use */
  uint32_t row_size;
  struct pomp_target_row rows[];
};

enum pomp_device_operation {
  POMP_DEVICE_KERNEL = 1,
  POMP_DEVICE_TO, /* a transfer to the device */
  POMP_DEVICE_FROM,
  POMP_DEVICE_ALLOC,
  POMP_DEVICE_DELETE
};

#define POMP_NO_LOCATION UINT32_MAX

/* An operation of a device, in a run whose events are recorded. */
struct pomp_device_interval {
  uint64_t begin, end; /* ticks */
  uint64_t address;    /* of the data on the host; 0: not known */
  uint64_t bytes;
  uint32_t path; /* the construct's; 0: outside all regions */
  int32_t device;
  uint32_t location; /* the thread that the runtime reported it on, or POMP_NO_LOCATION */
  uint16_t operation;
  uint16_t is_bound; /* 1: the end is an upper bound */
  uint32_t teams;    /* of a kernel: the number that was asked for; 0: none */
  uint32_t reserved;
};

#define POMP_BLOCK_DEVICE_INTERVALS 256u

/* A thread fills one after the other, in the order of their ends. */
struct pomp_device_record {
  struct pomp_record head;
  uint32_t count; /* intervals in use */
  uint32_t interval_size;
  uint64_t lost;   /* intervals that there was no room for */
  uint64_t before; /* the process's own */
  struct pomp_device_interval intervals[];
};

#define POMP_ITERATION_BINS 2048u

/* Iterations whose loop variables have the same value, except its lowest `shift` bits. */
struct pomp_iteration_bin {
  uint64_t ticks;
  uint64_t count;
};

/* A thread's part in one execution of a loop, by the value of the loop variable. */
struct pomp_iterations_record {
  struct pomp_record head;
  uint32_t location;
  uint32_t region;
  uint32_t execution; /* of the loop, by the thread: from 1 */
  uint32_t bins;      /* in use */
  uint64_t begin;     /* ticks: before the loop */
  uint64_t end;       /* after the thread's last iteration; 0: the loop was not left */
  int64_t low;        /* bin b has the values v with v >> shift == low + b */
  uint32_t shift;
  uint32_t folding;   /* 1: the bins are being merged */
  uint64_t backwards; /* iterations with a lesser value than the thread's one before */
  struct pomp_iteration_bin bin[POMP_ITERATION_BINS];
};

enum pomp_snapshot_cause { POMP_BY_CALL, POMP_BY_INTERVAL, POMP_BY_SIGNAL };

/* The sums of all locations at one moment. */
struct pomp_snapshot_record {
  struct pomp_record head;
  uint32_t number; /* from 1 */
  uint32_t cause;
  uint64_t when;      /* ticks */
  uint32_t unsettled; /* locations that made events in the time that a copy of theirs takes */
  uint32_t reserved;
  uint64_t before; /* the process's own */
  uint64_t padding[2];
  char records[]; /* of types LOCATION, PROFILE, STACK, HELD, COUNTERS, MPI and TARGET */
};

_Static_assert(sizeof(struct pomp_snapshot_record) == POMP_RECORD_ALIGNMENT,
               "records in a snapshot are aligned as others are");
_Static_assert(sizeof(struct pomp_file_header) % POMP_RECORD_ALIGNMENT == 0,
               "records are aligned from the first one on");

#endif
