/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kokkos: its kernels, by the labels that the program gives them.
 *
 * All of a program's kernels run in the same few parallel regions of Kokkos's headers.  Kokkos
 * reports the begin and end of each kernel to a tool library (Kokkos Tools), and the kernel becomes
 * a user region around the parallel region. */
#ifndef POMP_KOKKOS_H
#define POMP_KOKKOS_H

#include "export.h"

/* Names this library as Kokkos's tool, if these descriptors are of a program that uses Kokkos and
 * neither the user nor the program has named another. */
void pomp_kokkos_offer(OMPRegDescr *const *begin, OMPRegDescr *const *end);

#endif
