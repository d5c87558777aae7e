/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_TARGET_CONNECTION_H
#define POMP_TARGET_CONNECTION_H

/* Helps libomptarget to find libomp by the name that it looks for: else it reports nothing.  Comes
 * before a device image is registered. */
void pomp_target_connect(void);

/* Writes the number of devices to the experiment, once.  Comes before a target construct, where the
 * program itself may ask for it. */
void pomp_target_count_devices(void);

#endif
