#include "ProcessThread.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

// MARK: - Beginning

/// Owner of the threads that begin; read by whoever lets libjack begin one.
static struct process_thread *owner;

void process_thread_owner(struct process_thread *process) { owner = process; }

struct beginning {
  struct process_thread *process;
  void *(*body)(void *);
  void *argument;
};

static void count_end(void *process) { atomic_fetch_sub(&((struct process_thread *)process)->running, 1); }

static void *run(void *argument) {
  struct beginning beginning = *(struct beginning *)argument;
  void *result;
  free(argument);
  // Also where the thread is cancelled, or ends within.
  pthread_cleanup_push(count_end, beginning.process);
  result = beginning.body(beginning.argument);
  pthread_cleanup_pop(1);
  return result;
}

int process_thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (!owner) return pthread_create(thread, attributes, body, argument);
  struct beginning *beginning = malloc(sizeof *beginning);
  if (!beginning) return EAGAIN;
  *beginning = (struct beginning){.process = owner, .body = body, .argument = argument};
  atomic_fetch_add(&owner->running, 1);
  int result = pthread_create(thread, attributes, run, beginning);
  if (result == 0) {
    owner->newest = *thread;
  } else {
    atomic_fetch_sub(&owner->running, 1);
    free(beginning);
  }
  return result;
}

// MARK: - Ending

/// Longest wait for a thread that ends by itself, ms: it asks its server once more, which answers, is gone or hangs. Own choice.
enum { longest_wait = 2000 };

static int ends_within(struct process_thread *process, int milliseconds) {
  for (; atomic_load(&process->running) > 0; milliseconds--) {
    if (milliseconds <= 0) return 0;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return 1;
}

int process_thread_end(struct process_thread *process) {
  if (ends_within(process, longest_wait)) return 1;
  // Valid for a thread that has ended meanwhile, too: nobody has joined it.
  pthread_cancel(process->newest);
  return ends_within(process, longest_wait);
}
