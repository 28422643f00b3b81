#include "Width.h"
#include "CLanes.h"

#if defined(__SSE2__)

#include <stdatomic.h>

static _Atomic int is_wide;

__attribute__((constructor)) static void look_at_processor(void) { clanes_widen(1); }

int clanes_widen(int isWide) {
  __builtin_cpu_init();
  return is_wide = isWide && __builtin_cpu_supports("avx2");
}

int clanes_uses_wide(void) { return atomic_load_explicit(&is_wide, memory_order_relaxed); }

#else

int clanes_widen(int isWide) {
  (void)isWide;
  return 0;
}

int clanes_uses_wide(void) { return 0; }

#endif
