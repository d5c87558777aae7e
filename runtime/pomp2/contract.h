/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_POMP2_CONTRACT_H
#define POMP_POMP2_CONTRACT_H

#include "region.h"

/* Set the region types of a descriptor, and return their number: 0 if POMP2 has no event for it. */
int pomp2_types_of(const OMPRegDescr *d, enum pomp2_type types[POMP2_MOST_TYPES]);

/* Return a new string that describes the descriptor as a region of this type; NULL without
 * memory. */
char *pomp2_contract(const OMPRegDescr *d, enum pomp2_type type);

#endif
