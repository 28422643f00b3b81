/// Declarations that Swift's Glibc module leaves out, because it is built without _GNU_SOURCE, and the few
/// instructions that need C.
///
/// One rule for every function that can fail: the result is 0 or positive on success and a negated
/// errno value (-EPERM, ...) on failure. errno itself is not part of the interface.
#ifndef AURICLE_CLINUX_H
#define AURICLE_CLINUX_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: - Threads and scheduling

/// Kernel id of the calling thread (gettid).
int32_t clinux_gettid(void);

/// Names the calling thread (pthread_setname_np); the kernel keeps 15 bytes, longer names are cut.
int clinux_set_thread_name(const char *name);

/// Policies of sched_setscheduler (linux/sched.h), as plain integers.
enum {
  CLINUX_SCHED_OTHER = 0,
  CLINUX_SCHED_FIFO = 1,
  CLINUX_SCHED_RR = 2,
  /// Or-ed to a policy: children of the thread start as SCHED_OTHER.
  CLINUX_SCHED_RESET_ON_FORK = 0x40000000,
};

/// Sets policy and priority of one thread (0: the caller). The corresponding C function is
/// `sched_setscheduler`.
int clinux_set_scheduling(int32_t tid, int policy, int priority);

/// Reads policy (with CLINUX_SCHED_RESET_ON_FORK) and priority of one thread (0: the caller) from the
/// kernel; pthread_getschedparam answers from glibc's memory and misses what others changed.
int clinux_get_scheduling(int32_t tid, int *policy, int *priority);

/// Sets the nice value of one thread (0: the caller); on Linux setpriority acts on single threads.
int clinux_set_nice(int32_t tid, int nice);

/// Installs a SIGXCPU handler that takes the registered real-time thread that gets the signal back to SCHED_OTHER, or all of them
/// where another thread gets it or the limit cannot be put back.
///
/// The kernel sends SIGXCPU at the soft RLIMIT_RTTIME, when a real-time thread ran too long without
/// blocking, and SIGKILL at the hard one. The handler makes only async-signal-safe system calls.
int clinux_install_cpu_time_fallback(void);

/// Registers a real-time thread for the fallback; -ENOSPC when CLINUX_REALTIME_THREADS are known.
int clinux_register_realtime_thread(int32_t tid);

/// Takes a thread out of the fallback's list.
void clinux_unregister_realtime_thread(int32_t tid);

/// True when the fallback has taken the priority of a registered thread.
int clinux_has_fallen_back(int32_t tid);

/// Forgets that, for a thread that was given the priority again.
void clinux_forget_fallback(int32_t tid);

enum { CLINUX_REALTIME_THREADS = 16 };

// MARK: - Memory

/// Flags of mlockall (bits/mman-linux.h).
enum {
  CLINUX_MCL_CURRENT = 1,
  CLINUX_MCL_FUTURE = 2,
  /// Lock pages when they are first touched instead of filling all mappings at once; Linux 4.4.
  CLINUX_MCL_ONFAULT = 4,
};

/// The corresponding C function is `mlockall`.
int clinux_mlockall(int flags);
/// The corresponding C function is `munlockall`.
int clinux_munlockall(void);
/// The corresponding C function is `mlock`.
int clinux_mlock(const void *start, size_t bytes);
/// Has the C library keep little of what is freed (mallopt), before a second thread exists: one arena for all threads, blocks from
/// 64 kB on mapped by themselves, the end of the heap given back from 64 kB on. -EINVAL when it refuses.
int clinux_keep_heap_small(void);
/// Writes to the next `bytes` of the caller's stack, so that its pages exist before they are needed.
void clinux_touch_stack(size_t bytes);

// MARK: - Limits

/// Resources of getrlimit (bits/resource.h), as plain integers.
enum {
  CLINUX_RLIMIT_CPU = 0,
  CLINUX_RLIMIT_FSIZE = 1,
  CLINUX_RLIMIT_CORE = 4,
  CLINUX_RLIMIT_NOFILE = 7,
  CLINUX_RLIMIT_MEMLOCK = 8,
  CLINUX_RLIMIT_AS = 9,
  CLINUX_RLIMIT_RTPRIO = 14,
  CLINUX_RLIMIT_RTTIME = 15,
};

/// Value of a limit that is not set.
static const uint64_t CLINUX_RLIM_INFINITY = UINT64_MAX;

/// The corresponding C function is `getrlimit`.
int clinux_get_limit(int resource, uint64_t *soft, uint64_t *hard);
/// The corresponding C function is `setrlimit`.
int clinux_set_limit(int resource, uint64_t soft, uint64_t hard);
/// Sets a child's soft and hard limit from outside. The corresponding C function is `prlimit`.
int clinux_limit_process(pid_t process, int resource, uint64_t most);

// MARK: - Processes

/// Variables of the environment, `NAME=VALUE` each, with NULL at their end. The corresponding C variable is `environ`.
char *const *clinux_environment(void);

/// Starts this program's file again as a child, with these arguments and one descriptor that stays open.
///
/// A fork alone would not do: Swift's runtime keeps a thread's number, which its locks hand to the kernel, and a forked
/// child would go on with its parent's.
///
/// @return The child's process number, or -errno.
pid_t clinux_start_again(char *const arguments[], int kept);
/// Keeps memory out of core dumps and away from other programs of the same user: no core file, and PR_SET_DUMPABLE 0.
/// `/proc/self/environ` is root's from then on (proc(5)).
int clinux_keep_memory_private(void);

// MARK: - Fatal signals

/// Writes one line of the log to `descriptor` when a signal ends the process, then lets it end by that signal.
///
/// The line has the signal in words, who sent it or the address of a fault, the thread, and addresses of code for
/// addr2line(1). `is_journal`: a syslog priority instead of the time before it. Covers faults of the program and signals
/// of others whose default action is the end; SIGKILL cannot be reported. Call before threads are made.
int clinux_report_fatal_signals(int descriptor, int is_journal);
/// A stack of the calling thread's own for signal handlers, so that an overflow of its stack can be told; null when there
/// is no memory. To be returned by the same thread before it ends.
void *clinux_take_signal_stack(void);
void clinux_return_signal_stack(void *memory);
/// Blocks all signals in the calling thread but those that its own faults raise.
void clinux_block_signals_of_others(void);
/// `SIGILL`; `signal` for one that has no name here.
const char *clinux_signal_name(int signal);
/// `illegal instruction`.
const char *clinux_signal_words(int signal);
/// True for a thread of clinux_register_realtime_thread; may be called in a signal handler.
int clinux_is_realtime_thread(int32_t tid);

// MARK: - Descriptors

/// Writes out what standard output still holds; 0, or -errno when something of all that was written to it is lost.
int clinux_flush_output(void);

/// A non-blocking, close-on-exec event counter. The corresponding C function is `eventfd`.
int clinux_eventfd(void);
/// Adds one to an event counter.
int clinux_eventfd_signal(int fd);
/// Reads and clears an event counter; -EAGAIN when it is zero.
int64_t clinux_eventfd_take(int fd);

/// A non-blocking, close-on-exec descriptor that reads the signals in `set`; block them first. The
/// corresponding C function is `signalfd`.
int clinux_signalfd(const sigset_t *set);
/// Number of the next signal waiting in a signalfd; -EAGAIN when there is none.
int clinux_signalfd_take(int fd);

/// A pipe whose ends are close-on-exec and non-blocking. The corresponding C function is `pipe2`.
int clinux_pipe(int *reading, int *writing);

// MARK: - Locks

/// Locks one byte of a file against every other open file description, whoever's, until `fd` is closed; -EAGAIN or
/// -EACCES while another holds it. The corresponding C function is `fcntl` with F_OFD_SETLK.
int clinux_lock_byte(int fd, off_t position);

// MARK: - Files without names

/// Opens a new file that has no name and ends with its last descriptor, for reading and writing, where the files of
/// `folder` lie; close-on-exec. -EOPNOTSUPP, -EISDIR or -ENOENT where there are none. The corresponding C
/// function is `open` with O_TMPFILE.
int clinux_open_nameless(const char *folder, mode_t mode);
/// Gives such a file its name, by way of /proc; -EEXIST when it is taken. The corresponding C function is
/// `linkat`.
int clinux_name_file(int fd, const char *path);

// MARK: - Names of files

/// Gives a file another name that nothing has: -EEXIST when it is taken, -EINVAL where the file system cannot do that in one
/// step. The corresponding C function is `renameat2` with RENAME_NOREPLACE.
int clinux_rename_without_replacing(const char *from, const char *to);

// MARK: - Unix sockets

/// A close-on-exec Unix stream socket, whose calls wait.
int clinux_unix_stream_socket(void);
/// A close-on-exec Unix stream socket whose calls do not wait: made so at once, for a change afterwards could fail.
int clinux_nonblocking_unix_stream_socket(void);
/// A close-on-exec Unix datagram socket.
int clinux_unix_datagram_socket(void);
/// Accepts one connection as a close-on-exec, non-blocking socket. The corresponding C function is
/// `accept4`.
int clinux_accept(int fd);
/// Sends without ever raising SIGPIPE. The corresponding C function is `send` with MSG_NOSIGNAL.
ssize_t clinux_send(int fd, const void *bytes, size_t count);
/// Writes an extended attribute of a file or folder. The corresponding C function is `setxattr`.
int clinux_set_attribute(const char *path, const char *name, const void *bytes, size_t count);
/// Length of an extended attribute's value; -ENODATA: there is none. The corresponding C function is `getxattr`.
ssize_t clinux_attribute_length(const char *path, const char *name);
/// Removes an extended attribute. The corresponding C function is `removexattr`.
int clinux_remove_attribute(const char *path, const char *name);
/// Process, user and group at the other end of a connected Unix socket (SO_PEERCRED).
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

// MARK: - RealtimeSanitizer

/// Entry points of the sanitizer's runtime, null unless the program is linked with it
/// (compiler-rt/lib/rtsan/rtsan.h).
void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));
void __rtsan_disable(void) __attribute__((weak));
void __rtsan_enable(void) __attribute__((weak));

static inline int clinux_rtsan_is_linked(void) { return __rtsan_realtime_enter != 0; }
static inline void clinux_rtsan_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}
static inline void clinux_rtsan_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
static inline void clinux_rtsan_disable(void) {
  if (__rtsan_disable) __rtsan_disable();
}
static inline void clinux_rtsan_enable(void) {
  if (__rtsan_enable) __rtsan_enable();
}

// MARK: - Floating point

/// Bits that make results and operands that are denormal zero.
/// x86: MXCSR bit 15 (FTZ) and bit 6 (DAZ), Intel SDM volume 1, 10.2.3. aarch64: FPCR bit 24 (FZ), Arm ARM
/// C5.2.8; it covers operands too.
#if defined(__x86_64__)
static const uint64_t CLINUX_FLUSH_BITS = 0x8040;
static inline uint64_t clinux_floating_point_control(void) { return __builtin_ia32_stmxcsr(); }
static inline void clinux_set_floating_point_control(uint64_t bits) {
  __builtin_ia32_ldmxcsr((uint32_t)bits);
}
#elif defined(__aarch64__)
static const uint64_t CLINUX_FLUSH_BITS = 0x1000000;
static inline uint64_t clinux_floating_point_control(void) {
  uint64_t bits;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
static inline void clinux_set_floating_point_control(uint64_t bits) {
  __asm__ volatile("msr fpcr, %0" : : "r"(bits));
}
#else
static const uint64_t CLINUX_FLUSH_BITS = 0;
static inline uint64_t clinux_floating_point_control(void) { return 0; }
static inline void clinux_set_floating_point_control(uint64_t bits) { (void)bits; }
#endif

/// Truncates without Swift's range check, which keeps loops from vectorising. `value` must be finite and
/// within the range of int32_t.
static inline int32_t clinux_truncated(float value) { return (int32_t)value; }

#endif
