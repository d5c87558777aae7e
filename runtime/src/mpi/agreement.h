/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Agreement of a job's processes on which of them do something together.  No process knows which
 * others are measured, so to ask through MPI could be to wait forever.  They agree through files in
 * the job's directory. */
#ifndef POMP_AGREEMENT_H
#define POMP_AGREEMENT_H

/* A process that may take part, one of each name.  It speaks for `speaks_for` processes; 0 if their
 * number is unknown. */
struct pomp_candidate {
  const char *name;
  int rank, speaks_for;
};

/* `directory` is this process's, and stays. */
void pomp_agreement_start(const char *directory);

/* Returns the ranks of the processes that take part, in order and the same for each of them; 0 if
 * this process is not among them.  Waits until the processes that have come speak for `size`
 * processes, or until none has come for five seconds. */
unsigned pomp_agree(const struct pomp_candidate *own, int size, int ranks[], unsigned most);

#endif
