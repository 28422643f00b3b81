#pragma once

#include <pthread.h>
#include <stdatomic.h>

/// The thread on which libjack calls a client once for each period.
///
/// jack2 waits for this thread's end when it stops a client, but not for one that ends by itself because its server fails it: closing the
/// client frees what that thread still uses (1.9.21, common/JackClient.cpp, Error() and Deactivate()). So it is counted here.
struct process_thread {
  /// Threads begun and not ended.
  atomic_int running;
  /// The one that began last.
  pthread_t newest;
};

/// Threads that libjack begins from now on belong to `process`; to nobody when it is null. One caller at a time.
void process_thread_owner(struct process_thread *process);

/// For libjack in pthread_create's place.
int process_thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);

/// Waits until no thread runs, and stops one that does not end by itself.
///
/// Returns: False when one runs all the same.
int process_thread_end(struct process_thread *process);
