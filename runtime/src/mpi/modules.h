/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of the profile on the program and its shared libraries. */
#ifndef POMP_MODULES_H
#define POMP_MODULES_H

/* Writes a text `module_N` for each file of code that is loaded now, with the init lock held.  Its
 * words are the difference between addresses in memory and in the file, where its code begins and
 * ends, the file's size, its modification time in seconds, and its path. */
void pomp_modules_describe(void);

#endif
