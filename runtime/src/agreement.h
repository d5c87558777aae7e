/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which processes of a job do something together, when none knows which others are measured: to
 * ask through MPI would be to wait for what never comes.  They agree by the job's directory. */
#ifndef POMP_AGREEMENT_H
#define POMP_AGREEMENT_H

/* One of each name takes part, and speaks for so many processes; 0: it does not know how many. */
struct pomp_candidate {
  const char *name;
  int rank, speaks_for;
};

/* `directory` is this process's, and stays. */
void pomp_agreement_start(const char *directory);

/* The ranks of those that take part, the same for each of them, in order; 0 where the process is
 * none of them.  Waits for who speaks for `size` processes, until nobody has come for five
 * seconds. */
unsigned pomp_agree(const struct pomp_candidate *own, int size, int ranks[], unsigned most);

#endif
