/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The numbers of communicators and windows in a trace.
 *
 * A communicator keeps its number as an attribute, which MPI deletes with it.  No process asks
 * another for its numbers.  A reader finds the same communicator in several processes by the
 * communicator it was made of, and by which call made it. */
#ifndef POMP_MPI_GROUPS_H
#define POMP_MPI_GROUPS_H

#include "hooks.h"
#include "members.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { POMP_MPI_WORLD = 1, POMP_MPI_SELF = 2 };

/* `made` counts the calls that made other communicators of it. */
struct pomp_mpi_known {
  uint32_t number;
  _Atomic uint32_t made;
};

static struct pomp_mpi_known pomp_mpi_world = {POMP_MPI_WORLD, 0};
static struct pomp_mpi_known pomp_mpi_self = {POMP_MPI_SELF, 0};
static bool pomp_mpi_records;
static int pomp_mpi_comm_key, pomp_mpi_win_key;
static _Atomic uint32_t pomp_mpi_forgotten; /* how often a handle may have become another's */

static int pomp_mpi_forget(struct pomp_mpi_known *known) {
  atomic_fetch_add_explicit(&pomp_mpi_forgotten, 1, memory_order_release);
  free(known);
  return MPI_SUCCESS;
}

static int pomp_mpi_forget_comm(MPI_Comm comm, int key, void *known, void *none) {
  (void)comm, (void)key, (void)none;
  return pomp_mpi_forget(known);
}

static int pomp_mpi_forget_win(MPI_Win win, int key, void *known, void *none) {
  (void)win, (void)key, (void)none;
  return pomp_mpi_forget(known);
}

static inline bool pomp_mpi_know(void) {
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, pomp_mpi_forget_comm, &pomp_mpi_comm_key,
                                 NULL) == MPI_SUCCESS &&
         PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, pomp_mpi_forget_win, &pomp_mpi_win_key,
                                NULL) == MPI_SUCCESS;
}

/* `how` and the members, of a communicator or a window's group. */
static inline struct pomp_mpi_known *pomp_mpi_new(const char *how, MPI_Group members,
                                                  MPI_Group remote) {
  struct pomp_mpi_known *known = malloc(sizeof *known);
  char *text = known ? pomp_mpi_told_members(how, members, remote) : NULL;
  if (known)
    *known = (struct pomp_mpi_known){text ? pomp_mpi_define(text) : 0, 0};
  free(text);
  return known;
}

static inline struct pomp_mpi_known *pomp_mpi_new_comm(MPI_Comm comm, const char *how) {
  struct pomp_mpi_known *known = NULL;
  MPI_Group members = MPI_GROUP_NULL, remote = MPI_GROUP_NULL;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_group(comm, &members);
  if (inter)
    PMPI_Comm_remote_group(comm, &remote);
  known = pomp_mpi_new(how, members, remote);
  PMPI_Group_free(&members);
  if (inter)
    PMPI_Group_free(&remote);
  if (known)
    PMPI_Comm_set_attr(comm, pomp_mpi_comm_key, known);
  return known;
}

static inline struct pomp_mpi_known *pomp_mpi_new_win(MPI_Win win, const char *how) {
  struct pomp_mpi_known *known = NULL;
  MPI_Group members = MPI_GROUP_NULL;
  PMPI_Win_get_group(win, &members);
  known = pomp_mpi_new(how, members, MPI_GROUP_NULL);
  PMPI_Group_free(&members);
  if (known)
    PMPI_Win_set_attr(win, pomp_mpi_win_key, known);
  return known;
}

/* One that comes from where nothing was seen is taken for the next of the same members. */
static inline struct pomp_mpi_known *pomp_mpi_known_comm(MPI_Comm comm) {
  struct pomp_mpi_known *known = NULL;
  int there = 0;
  if (comm == MPI_COMM_WORLD)
    return &pomp_mpi_world;
  if (comm == MPI_COMM_SELF)
    return &pomp_mpi_self;
  PMPI_Comm_get_attr(comm, pomp_mpi_comm_key, &known, &there);
  return there ? known : pomp_mpi_new_comm(comm, "met 0 0");
}

static inline struct pomp_mpi_known *pomp_mpi_known_win(MPI_Win win) {
  struct pomp_mpi_known *known = NULL;
  int there = 0;
  PMPI_Win_get_attr(win, pomp_mpi_win_key, &known, &there);
  return there ? known : pomp_mpi_new_win(win, "window 0 0");
}

/* The newest that the thread has asked for is remembered: MPI looks attributes up behind a lock. */
static inline uint32_t pomp_mpi_comm(MPI_Comm comm) {
  static __thread struct {
    MPI_Comm comm;
    uint32_t number, forgotten;
  } newest;
  uint32_t forgotten = atomic_load_explicit(&pomp_mpi_forgotten, memory_order_acquire);
  if (!pomp_mpi_records)
    return 0;
  if (newest.number && newest.comm == comm && newest.forgotten == forgotten)
    return newest.number;
  struct pomp_mpi_known *known = pomp_mpi_known_comm(comm);
  newest.comm = comm;
  newest.number = known ? known->number : 0;
  newest.forgotten = forgotten;
  return newest.number;
}

static inline uint32_t pomp_mpi_win(MPI_Win win) {
  static __thread struct {
    MPI_Win win;
    uint32_t number, forgotten;
  } newest;
  uint32_t forgotten = atomic_load_explicit(&pomp_mpi_forgotten, memory_order_acquire);
  if (!pomp_mpi_records)
    return 0;
  if (newest.number && newest.win == win && newest.forgotten == forgotten)
    return newest.number;
  struct pomp_mpi_known *known = pomp_mpi_known_win(win);
  newest.win = win;
  newest.number = known ? known->number : 0;
  newest.forgotten = forgotten;
  return newest.number;
}

/* The place of a call among those that make other communicators of one: the same in all its
 * processes. */
struct pomp_mpi_origin {
  uint32_t number, call;
};

static inline struct pomp_mpi_origin pomp_mpi_origin_of(MPI_Comm comm) {
  struct pomp_mpi_known *known = pomp_mpi_records ? pomp_mpi_known_comm(comm) : NULL;
  struct pomp_mpi_origin origin = {0, 0};
  if (known) {
    origin.number = known->number;
    origin.call = atomic_fetch_add_explicit(&known->made, 1, memory_order_relaxed) + 1;
  }
  return origin;
}

/* Made of another one, by all its processes. */
static inline void pomp_mpi_derived(MPI_Comm of, const MPI_Comm *made) {
  char how[64];
  struct pomp_mpi_origin origin = pomp_mpi_origin_of(of);
  if (!pomp_mpi_records || *made == MPI_COMM_NULL)
    return;
  pomp_mpi_write_how(how, sizeof how, "derived", origin.number, origin.call);
  pomp_mpi_new_comm(*made, how);
}

/* Made by its own processes alone. */
static inline void pomp_mpi_joined(const MPI_Comm *made) {
  if (pomp_mpi_records && *made != MPI_COMM_NULL)
    pomp_mpi_new_comm(*made, "joined 0 0");
}

static inline void pomp_mpi_opened(MPI_Comm of, const MPI_Win *made) {
  char how[64];
  struct pomp_mpi_origin origin = pomp_mpi_origin_of(of);
  if (!pomp_mpi_records || *made == MPI_WIN_NULL)
    return;
  pomp_mpi_write_how(how, sizeof how, "window", origin.number, origin.call);
  pomp_mpi_new_win(*made, how);
}

/* One that is complete: of what it was made was noted when it was begun. */
static inline void pomp_mpi_made(const void *made, const struct pomp_mpi_about *origin) {
  char how[64];
  const MPI_Comm *comm = made;
  if (*comm == MPI_COMM_NULL)
    return;
  pomp_mpi_write_how(how, sizeof how, "derived", origin->group, (uint32_t)origin->tag);
  pomp_mpi_new_comm(*comm, how);
}

#endif
