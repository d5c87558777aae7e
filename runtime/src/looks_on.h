/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Of a function that reads what another thread may be writing, and makes sure of it in another
 * way: sanitizers do not look at it.  Inlined it would be a part of what they do look at. */
#ifndef POMP_LOOKS_ON_H
#define POMP_LOOKS_ON_H

#if __has_attribute(disable_sanitizer_instrumentation)
#define POMP_LOOKS_ON __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define POMP_LOOKS_ON __attribute__((noinline, no_sanitize("thread")))
#endif

#endif
