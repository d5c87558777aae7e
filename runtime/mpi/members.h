/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The members of a group, as text: ranks of MPI_COMM_WORLD, and ranges of them, separated by
 * commas, and ? for a process outside of it. */
#ifndef POMP_MPI_MEMBERS_H
#define POMP_MPI_MEMBERS_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Room for the longest range, of two ranks. */
enum { POMP_MPI_RANGE = 24, POMP_MPI_HOW = 80 };

static inline void pomp_mpi_write_how(char *how, size_t size, const char *way, uint32_t of,
                                      uint32_t call) {
  snprintf(how, size, "%s %u %u", way, (unsigned)of, (unsigned)call);
}

/* Their ranks in the world; the caller frees them. */
static inline int *pomp_mpi_world_ranks(MPI_Group group, int count) {
  int *ranks = malloc(2 * (size_t)(count ? count : 1) * sizeof *ranks);
  MPI_Group world = MPI_GROUP_NULL;
  if (!ranks)
    return NULL;
  for (int i = 0; i < count; i++)
    ranks[count + i] = i;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, count, ranks + count, world, ranks);
  PMPI_Group_free(&world);
  return ranks;
}

static inline int pomp_mpi_run_of(const int *ranks, int count, int first) {
  int end = first + 1;
  while (ranks[first] >= 0 && end < count && ranks[end] == ranks[first] + (end - first))
    end++;
  return end;
}

static inline char *pomp_mpi_write_ranks(char *text, const int *ranks, int count) {
  for (int i = 0; i < count;) {
    int end = pomp_mpi_run_of(ranks, count, i);
    const char *comma = i ? "," : "";
    if (ranks[i] == MPI_UNDEFINED)
      text += sprintf(text, "%s?", comma), end = i + 1;
    else if (end - i > 1)
      text += sprintf(text, "%s%d-%d", comma, ranks[i], ranks[end - 1]);
    else
      text += sprintf(text, "%s%d", comma, ranks[i]);
    i = end;
  }
  return text;
}

/* `how`, a space, and the members; behind a / those of the other group.  The caller frees it. */
static inline char *pomp_mpi_told_members(const char *how, MPI_Group members, MPI_Group remote) {
  int here = 0, there = 0;
  PMPI_Group_size(members, &here);
  if (remote != MPI_GROUP_NULL)
    PMPI_Group_size(remote, &there);
  int *ranks = pomp_mpi_world_ranks(members, here);
  int *others = there ? pomp_mpi_world_ranks(remote, there) : NULL;
  char *text = malloc(POMP_MPI_HOW + POMP_MPI_RANGE * ((size_t)here + (size_t)there));
  if (text && ranks && (others || !there)) {
    char *end = text + sprintf(text, "%s ", how);
    end = pomp_mpi_write_ranks(end, ranks, here);
    if (there)
      pomp_mpi_write_ranks(end + sprintf(end, "/"), others, there);
  } else {
    free(text);
    text = NULL;
  }
  free(ranks);
  free(others);
  return text;
}

#endif
