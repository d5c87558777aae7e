/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_LOG_COUNT_H
#define POMP_LOG_COUNT_H

/* One more of this event at this place ("name(sub_name) file:line", or "-"). */
void pomp_log_count(const char *place, const char *event);

#endif
