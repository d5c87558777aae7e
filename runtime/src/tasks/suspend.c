/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/suspend.h"

bool pomp_suspend_holds(const struct pomp_stack *stack, uint64_t frame) {
  const struct pomp_frame *frames = stack->record->frames;
  uint64_t base = stack->base;
  while (base) {
    const struct pomp_frame *above = &frames[base - 1];
    base = above->below;
    if (frame > base)
      return above->flags & POMP_FRAME_SUSPENDS;
  }
  return false;
}
