#define _GNU_SOURCE
#include "CLinux.h"

#include <stdio.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

_Static_assert(CLINUX_SCHED_OTHER == SCHED_OTHER, "policy");
_Static_assert(CLINUX_SCHED_FIFO == SCHED_FIFO, "policy");
_Static_assert(CLINUX_SCHED_RR == SCHED_RR, "policy");
_Static_assert(CLINUX_SCHED_RESET_ON_FORK == SCHED_RESET_ON_FORK, "policy");
_Static_assert(CLINUX_MCL_CURRENT == MCL_CURRENT, "mlockall flag");
_Static_assert(CLINUX_MCL_FUTURE == MCL_FUTURE, "mlockall flag");
_Static_assert(CLINUX_MCL_ONFAULT == MCL_ONFAULT, "mlockall flag");
_Static_assert(CLINUX_RLIMIT_CORE == RLIMIT_CORE, "resource");
_Static_assert(CLINUX_RLIMIT_NOFILE == RLIMIT_NOFILE, "resource");
_Static_assert(CLINUX_RLIMIT_MEMLOCK == RLIMIT_MEMLOCK, "resource");
_Static_assert(CLINUX_RLIMIT_RTPRIO == RLIMIT_RTPRIO, "resource");
_Static_assert(CLINUX_RLIMIT_RTTIME == RLIMIT_RTTIME, "resource");
_Static_assert(RLIM_INFINITY == UINT64_MAX, "CLINUX_RLIM_INFINITY");

/// Kernel convention: a failed call's errno, negated.
#define RESULT(call)                          \
  ({                                          \
    __typeof__(call) result = (call);         \
    result < 0 ? -(__typeof__(call))errno : result; \
  })

// MARK: - Threads and scheduling

int32_t clinux_gettid(void) { return (int32_t)syscall(SYS_gettid); }

int clinux_set_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = 0;
  return -pthread_setname_np(pthread_self(), kept);
}

int clinux_set_scheduling(int32_t tid, int policy, int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return RESULT(sched_setscheduler(tid, policy, &parameters));
}

int clinux_get_scheduling(int32_t tid, int *policy, int *priority) {
  struct sched_param parameters;
  int found = sched_getscheduler(tid);
  if (found < 0 || sched_getparam(tid, &parameters) < 0) return -errno;
  *policy = found;
  *priority = parameters.sched_priority;
  return 0;
}

int clinux_set_nice(int32_t tid, int nice) {
  return RESULT(setpriority(PRIO_PROCESS, (id_t)(tid ? tid : clinux_gettid()), nice));
}

static _Atomic int32_t realtime_threads[CLINUX_REALTIME_THREADS];
// Of the thread in the same place: it has fallen back.
static _Atomic int32_t fallen_back[CLINUX_REALTIME_THREADS];

// With each SIGXCPU the kernel raises the process's soft limit by a second (check_thread_timers, posix-cpu-timers.c), to where the hard
// one may lie: the next thread that runs too long would get SIGKILL at once.
static int restore_soft_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit) < 0 || limit.rlim_cur <= 1000000) return -1;
  limit.rlim_cur -= 1000000;
  return setrlimit(RLIMIT_RTTIME, &limit);
}

static void fall_back(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  int saved = errno;
  struct sched_param parameters = {.sched_priority = 0};
  // The kernel gives the signal to the thread that ran too long. One that blocks it leaves it to another, which cannot tell whose
  // it is. Where the limit stays raised, no thread may run too long again.
  int32_t caller = clinux_gettid();
  int is_raised = info->si_code == SI_KERNEL && restore_soft_limit() < 0;
  int is_callers = clinux_is_realtime_thread(caller) && !is_raised;
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++) {
    int32_t tid = atomic_load_explicit(&realtime_threads[i], memory_order_acquire);
    if (!tid || (is_callers && tid != caller)) continue;
    atomic_store_explicit(&fallen_back[i], 1, memory_order_relaxed);
    // A thread that has RESET_ON_FORK may not clear the flag without privilege, so it is kept.
    sched_setscheduler(tid, SCHED_OTHER | SCHED_RESET_ON_FORK, &parameters);
  }
  errno = saved;
}

int clinux_install_cpu_time_fallback(void) {
  struct sigaction action = {.sa_sigaction = fall_back, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigfillset(&action.sa_mask);
  return RESULT(sigaction(SIGXCPU, &action, NULL));
}

int clinux_register_realtime_thread(int32_t tid) {
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++) {
    int32_t none = 0;
    if (atomic_compare_exchange_strong(&realtime_threads[i], &none, tid)) return 0;
  }
  return -ENOSPC;
}

void clinux_unregister_realtime_thread(int32_t tid) {
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++) {
    if (atomic_load_explicit(&realtime_threads[i], memory_order_acquire) != tid) continue;
    // The place is the next thread's, perhaps of the same number.
    atomic_store(&fallen_back[i], 0);
    atomic_store(&realtime_threads[i], 0);
    return;
  }
}

int clinux_is_realtime_thread(int32_t tid) {
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++)
    if (atomic_load_explicit(&realtime_threads[i], memory_order_acquire) == tid) return 1;
  return 0;
}

int clinux_has_fallen_back(int32_t tid) {
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++)
    if (atomic_load_explicit(&realtime_threads[i], memory_order_acquire) == tid)
      return atomic_load_explicit(&fallen_back[i], memory_order_relaxed);
  return 0;
}

void clinux_forget_fallback(int32_t tid) {
  for (int i = 0; i < CLINUX_REALTIME_THREADS; i++)
    if (atomic_load_explicit(&realtime_threads[i], memory_order_acquire) == tid)
      atomic_store_explicit(&fallen_back[i], 0, memory_order_relaxed);
}

// MARK: - Memory

int clinux_mlockall(int flags) { return RESULT(mlockall(flags)); }
int clinux_munlockall(void) { return RESULT(munlockall()); }
int clinux_mlock(const void *start, size_t bytes) { return RESULT(mlock(start, bytes)); }
int clinux_keep_heap_small(void) {
  const int block = 64 << 10;
  return mallopt(M_ARENA_MAX, 1) && mallopt(M_MMAP_THRESHOLD, block) && mallopt(M_TRIM_THRESHOLD, block) && mallopt(M_TOP_PAD, 0)
             ? 0
             : -EINVAL;
}

__attribute__((noinline)) void clinux_touch_stack(size_t bytes) {
  const size_t page = 4096;
  volatile char *stack = __builtin_alloca(bytes);
  for (size_t at = 0; at < bytes; at += page) stack[at] = 0;
}

// MARK: - Limits

int clinux_get_limit(int resource, uint64_t *soft, uint64_t *hard) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) < 0) return -errno;
  *soft = limit.rlim_cur;
  *hard = limit.rlim_max;
  return 0;
}

int clinux_set_limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
  return RESULT(setrlimit((__rlimit_resource_t)resource, &limit));
}

int clinux_limit_process(pid_t process, int resource, uint64_t most) {
  struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
  return RESULT(prlimit(process, (__rlimit_resource_t)resource, &limit, NULL));
}

// MARK: - Processes

pid_t clinux_start_again(char *const arguments[], int kept) {
  pid_t process = fork();
  if (process != 0) return RESULT(process);
  // From here to the new program only functions of signal-safety(7).
  fcntl(kept, F_SETFD, 0);
  execv("/proc/self/exe", arguments);
  _exit(127);
}

int clinux_keep_memory_private(void) {
  struct rlimit none = {0, 0};
  int limited = RESULT(setrlimit(RLIMIT_CORE, &none));
  // A program that core files are piped to (core(5)) does not keep to the limit, but to this.
  int hidden = RESULT(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
  return limited < 0 ? limited : hidden;
}

char *const *clinux_environment(void) { return environ; }

// MARK: - Descriptors

int clinux_eventfd(void) { return RESULT(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_eventfd_signal(int fd) {
  uint64_t one = 1;
  return write(fd, &one, sizeof one) < 0 ? -errno : 0;
}

int64_t clinux_eventfd_take(int fd) {
  uint64_t count;
  return read(fd, &count, sizeof count) < 0 ? -errno : (int64_t)count;
}

int clinux_signalfd(const sigset_t *set) { return RESULT(signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK)); }

int clinux_signalfd_take(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) < 0 ? -errno : (int)info.ssi_signo;
}

int clinux_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

// MARK: - Locks

int clinux_lock_byte(int fd, off_t position) {
  struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = position, .l_len = 1};
  return RESULT(fcntl(fd, F_OFD_SETLK, &byte));
}

// MARK: - Standard output

int clinux_flush_output(void) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  return errno ? -errno : -EIO;
}

// MARK: - Files without names

int clinux_open_nameless(const char *folder, mode_t mode) {
  return RESULT(open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
}

int clinux_name_file(int fd, const char *path) {
  char nameless[32];
  snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", fd);
  return RESULT(linkat(AT_FDCWD, nameless, AT_FDCWD, path, AT_SYMLINK_FOLLOW));
}

// MARK: - Names of files

int clinux_rename_without_replacing(const char *from, const char *to) {
  return RESULT(renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE));
}

// MARK: - Unix sockets

int clinux_unix_stream_socket(void) { return RESULT(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }
int clinux_nonblocking_unix_stream_socket(void) {
  return RESULT(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}
int clinux_unix_datagram_socket(void) { return RESULT(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)); }
int clinux_accept(int fd) { return RESULT(accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

ssize_t clinux_send(int fd, const void *bytes, size_t count) {
  return RESULT(send(fd, bytes, count, MSG_NOSIGNAL));
}

int clinux_set_attribute(const char *path, const char *name, const void *bytes, size_t count) {
  return setxattr(path, name, bytes, count, 0) < 0 ? -errno : 0;
}

ssize_t clinux_attribute_length(const char *path, const char *name) {
  ssize_t length = getxattr(path, name, NULL, 0);
  return length < 0 ? -errno : length;
}

int clinux_remove_attribute(const char *path, const char *name) {
  return removexattr(path, name) < 0 ? -errno : 0;
}

int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
  *pid = credentials.pid;
  *uid = credentials.uid;
  *gid = credentials.gid;
  return 0;
}
