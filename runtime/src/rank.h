/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the process is in a parallel job, before MPI is ready: as its launcher says. */
#ifndef POMP_RANK_H
#define POMP_RANK_H

enum { POMP_JOB_LENGTH = 160 };

/* -1: no launcher said so. */
int pomp_rank(void);

/* What the processes of a job have in common, and other jobs' have not. */
void pomp_rank_job(char job[POMP_JOB_LENGTH]);

#endif
