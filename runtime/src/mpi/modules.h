/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the profile on the program and its shared libraries. */
#ifndef POMP_MODULES_H
#define POMP_MODULES_H

/* With the init lock held: writes a text `module_N` for each file of code that is loaded now: what
 * is added to its addresses, the first address of its code and the one behind, its bytes, its time
 * of change in seconds, and its path. */
void pomp_modules_describe(void);

#endif
