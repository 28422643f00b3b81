#define _GNU_SOURCE
#include "CAllocationProbe.h"

#ifdef AURICLE_NO_INTERPOSITION

bool allocation_probe_is_active(void) { return false; }
void allocation_probe_start(void) {}
struct allocation_probe_counts allocation_probe_stop(void) {
  return (struct allocation_probe_counts){0, 0, 0};
}
void allocation_probe_watch(int thread) { (void)thread; }
struct allocation_probe_counts allocation_probe_unwatch(void) {
  return (struct allocation_probe_counts){0, 0, 0};
}
void allocation_probe_trap(bool enabled) { (void)enabled; }

#else

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// initial-exec: the first access from a thread must not itself allocate, as other models may.
static __thread __attribute__((tls_model("initial-exec"))) bool counting;
static __thread __attribute__((tls_model("initial-exec"))) struct allocation_probe_counts counts;
static bool trapping;

// Kernel id of the thread that is watched from outside, 0 for none, and what it did. Only that thread counts.
static int watched;
static struct allocation_probe_counts watched_counts;
static __thread __attribute__((tls_model("initial-exec"))) int own_thread;

static bool is_watched(void) {
  if (!own_thread) own_thread = (int)syscall(SYS_gettid);
  return own_thread == __atomic_load_n(&watched, __ATOMIC_RELAXED);
}

bool allocation_probe_is_active(void) { return true; }

void allocation_probe_trap(bool enabled) { __atomic_store_n(&trapping, enabled, __ATOMIC_RELAXED); }

void allocation_probe_start(void) {
  counts = (struct allocation_probe_counts){0, 0, 0};
  counting = true;
}

struct allocation_probe_counts allocation_probe_stop(void) {
  counting = false;
  return counts;
}

void allocation_probe_watch(int thread) {
  __atomic_store_n(&watched_counts.allocations, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched_counts.frees, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched_counts.locks, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched, thread, __ATOMIC_RELEASE);
}

struct allocation_probe_counts allocation_probe_unwatch(void) {
  __atomic_store_n(&watched, 0, __ATOMIC_RELEASE);
  return (struct allocation_probe_counts){
      __atomic_load_n(&watched_counts.allocations, __ATOMIC_RELAXED),
      __atomic_load_n(&watched_counts.frees, __ATOMIC_RELAXED),
      __atomic_load_n(&watched_counts.locks, __ATOMIC_RELAXED)};
}

#define COUNT(what)                                                          \
  do {                                                                       \
    if (__builtin_expect(counting, false)) {                                 \
      counts.what++;                                                         \
      if (__atomic_load_n(&trapping, __ATOMIC_RELAXED)) {                    \
        counting = false;                                                    \
        __builtin_trap();                                                    \
      }                                                                      \
    }                                                                        \
    if (__builtin_expect(__atomic_load_n(&watched, __ATOMIC_RELAXED) != 0, false) && is_watched()) { \
      __atomic_add_fetch(&watched_counts.what, 1, __ATOMIC_RELAXED);         \
      if (__atomic_load_n(&trapping, __ATOMIC_RELAXED)) __builtin_trap();    \
    }                                                                        \
  } while (0)

// MARK: - Heap

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  COUNT(allocations);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  COUNT(allocations);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  COUNT(allocations);
  return __libc_realloc(memory, size);
}

void free(void *memory) {
  if (memory) COUNT(frees);
  __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
  COUNT(allocations);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  COUNT(allocations);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  COUNT(allocations);
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

// MARK: - Locks

// glibc has no second name for its locks that a program may link, so the originals are looked up: at the
// first call of each, before which a dynamic loader that locks while it looks up would come back here. It
// locks with its own recursive lock, not with these functions (glibc/elf/dl-sym.c), so it does not.
#define FORWARD(name, type)                                                       \
  int name(type *lock) {                                                          \
    static int (*original)(type *);                                               \
    int (*found)(type *) = __atomic_load_n(&original, __ATOMIC_ACQUIRE);          \
    if (!found) {                                                                 \
      bool was = counting;                                                        \
      counting = false;                                                           \
      found = (int (*)(type *))dlsym(RTLD_NEXT, #name);                           \
      counting = was;                                                             \
      __atomic_store_n(&original, found, __ATOMIC_RELEASE);                       \
    }                                                                             \
    COUNT(locks);                                                                 \
    return found(lock);                                                           \
  }

FORWARD(pthread_mutex_lock, pthread_mutex_t)
FORWARD(pthread_mutex_trylock, pthread_mutex_t)
FORWARD(pthread_rwlock_rdlock, pthread_rwlock_t)
FORWARD(pthread_rwlock_wrlock, pthread_rwlock_t)

__attribute__((constructor)) static void read_environment(void) {
  const char *wanted = getenv("AURICLE_PROBE_TRAP");
  if (wanted && wanted[0] == '1') allocation_probe_trap(true);
}

#endif
