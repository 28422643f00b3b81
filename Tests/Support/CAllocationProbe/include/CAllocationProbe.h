/// Counts the heap calls and locks of one thread, in a test process.
///
/// Linking this target replaces malloc, calloc, realloc, free, memalign, aligned_alloc, posix_memalign,
/// pthread_mutex_lock, pthread_mutex_trylock and the pthread_rwlock locks of the whole process, the Swift
/// runtime and C libraries included, by functions that count where counting is on and then do the same as
/// before. Compiled with AURICLE_NO_INTERPOSITION (the sanitizers replace malloc themselves) nothing is
/// replaced and nothing counted.
///
/// What it cannot see: memory mapped directly (mmap), and Synchronization.Mutex while nobody contends for it,
/// which locks by an inlined atomic instruction; both are left to the compiler's analysis and to
/// RealtimeSanitizer.
#ifndef AURICLE_ALLOCATION_PROBE_H
#define AURICLE_ALLOCATION_PROBE_H

#include <stdbool.h>

/// What one thread did between allocation_probe_start and allocation_probe_stop.
struct allocation_probe_counts {
  /// Calls that take memory from the heap or resize it.
  long allocations;
  /// Calls that give memory back (free of a null pointer does not count).
  long frees;
  /// Calls that lock, or try to lock, a mutex or a read-write lock.
  long locks;
};

/// Whether the functions are replaced in this build. A test of "none" must require it.
bool allocation_probe_is_active(void);

/// Starts counting from zero on the calling thread.
void allocation_probe_start(void);

/// Stops counting on the calling thread.
struct allocation_probe_counts allocation_probe_stop(void);

/// Starts counting from zero what another thread does, one at a time; `thread` is its kernel id. For threads
/// whose code cannot start the count itself.
void allocation_probe_watch(int thread);

/// Stops watching. A call that the thread is just making may still count.
struct allocation_probe_counts allocation_probe_unwatch(void);

/// From now on the first counted call of any thread ends the process by a trap, so that a debugger or
/// Swift's backtrace shows who made it. For the hunt only; AURICLE_PROBE_TRAP=1 in the environment does it
/// too.
void allocation_probe_trap(bool enabled);

#endif
