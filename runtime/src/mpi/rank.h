/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The process's rank in a parallel job before MPI is ready, as the launcher's variables give it. */
#ifndef POMP_RANK_H
#define POMP_RANK_H

enum { POMP_JOB_LENGTH = 160 };

/* -1: no launcher said so. */
int pomp_rank(void);

/* Writes a text that is the same for the processes of a job, and differs between jobs. */
void pomp_rank_job(char job[POMP_JOB_LENGTH]);

#endif
