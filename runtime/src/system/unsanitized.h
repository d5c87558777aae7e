/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Attribute of a function that reads memory which another thread may be writing, and checks the
 * result in another way.  Sanitizers leave it out.  It is not inlined, as it would then be part of
 * a function that they instrument. */
#ifndef POMP_UNSANITIZED_H
#define POMP_UNSANITIZED_H

#if __has_attribute(disable_sanitizer_instrumentation)
#define POMP_UNSANITIZED __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define POMP_UNSANITIZED __attribute__((noinline, no_sanitize("thread")))
#endif

#endif
