#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Everything that runs in a signal handler uses only functions of signal-safety(7) and memory set up beforehand.

// MARK: - Words

static const struct {
  int number;
  const char *name, *words;
} signals[] = {
    {SIGILL, "SIGILL", "illegal instruction"},
    {SIGTRAP, "SIGTRAP", "trap"},
    {SIGSEGV, "SIGSEGV", "invalid memory access"},
    {SIGBUS, "SIGBUS", "memory that cannot be read"},
    {SIGFPE, "SIGFPE", "arithmetic error"},
    {SIGABRT, "SIGABRT", "abort"},
    {SIGSYS, "SIGSYS", "forbidden system call"},
    {SIGKILL, "SIGKILL", "killed"},
    {SIGTERM, "SIGTERM", "termination"},
    {SIGINT, "SIGINT", "interrupt"},
    {SIGHUP, "SIGHUP", "hangup"},
    {SIGQUIT, "SIGQUIT", "quit"},
    {SIGALRM, "SIGALRM", "alarm"},
    {SIGVTALRM, "SIGVTALRM", "alarm of processor time"},
    {SIGPROF, "SIGPROF", "alarm of a profiler"},
    {SIGUSR1, "SIGUSR1", "user signal 1"},
    {SIGUSR2, "SIGUSR2", "user signal 2"},
    {SIGIO, "SIGIO", "input or output possible"},
    {SIGPWR, "SIGPWR", "power failure"},
    {SIGSTKFLT, "SIGSTKFLT", "stack fault"},
    {SIGXCPU, "SIGXCPU", "limit of processor time"},
    {SIGXFSZ, "SIGXFSZ", "limit of file size"},
    {SIGPIPE, "SIGPIPE", "pipe that nobody reads"},
};
enum { signal_count = sizeof signals / sizeof *signals };

/// Signals that a fault of the program itself raises; blocked, they would end the process without a line. abort() no longer
/// unblocks its own before it raises it (glibc 2.41).
static const int faults[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
/// Signals of others whose default action ends a process, and which the daemon uses for nothing.
static const int foreign[] = {SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR2, SIGIO, SIGPWR, SIGSTKFLT};

const char *clinux_signal_name(int signal) {
  for (int i = 0; i < signal_count; i++)
    if (signals[i].number == signal) return signals[i].name;
  return "signal";
}

const char *clinux_signal_words(int signal) {
  for (int i = 0; i < signal_count; i++)
    if (signals[i].number == signal) return signals[i].words;
  return "unknown signal";
}

// MARK: - The program and its libraries, as they were when the handler was installed

static struct module {
  char name[40];
  /// Run-time minus link address.
  uintptr_t base;
  /// First and last byte of code.
  uintptr_t first, last;
} modules[96];
static int module_count;

static int add_module(struct dl_phdr_info *info, size_t size, void *program) {
  (void)size;
  if (module_count == sizeof modules / sizeof *modules) return 1;
  struct module *module = &modules[module_count];
  const char *path = module_count == 0 ? program : info->dlpi_name;
  const char *slash = strrchr(path, '/');
  strncpy(module->name, slash ? slash + 1 : path, sizeof module->name - 1);
  module->base = info->dlpi_addr;
  module->first = UINTPTR_MAX;
  module->last = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uintptr_t first = info->dlpi_addr + header->p_vaddr;
    if (first < module->first) module->first = first;
    if (first + header->p_memsz > module->last) module->last = first + header->p_memsz - 1;
  }
  module_count++;
  return 0;
}

static const struct module *module_of(uintptr_t address) {
  for (int i = 0; i < module_count; i++)
    if (address >= modules[i].first && address <= modules[i].last) return &modules[i];
  return NULL;
}

// MARK: - Text

struct line {
  char text[1024];
  size_t count;
};

static void add(struct line *line, const char *text) {
  while (*text && line->count < sizeof line->text - 1) line->text[line->count++] = *text++;
}

static void add_number(struct line *line, uint64_t value, unsigned base, int digits) {
  char text[24];
  int at = sizeof text;
  text[--at] = 0;
  do {
    text[--at] = "0123456789abcdef"[value % base];
    value /= base;
    digits--;
  } while (value || digits > 0);
  add(line, text + at);
}

/// `auricled+0x12ab`, an address as addr2line(1) takes it; of code that was not known at the start, as it lies in memory.
static void add_address(struct line *line, uintptr_t address) {
  const struct module *module = module_of(address);
  if (module) {
    add(line, module->name);
    add(line, "+");
    address -= module->base;
  }
  add(line, "0x");
  add_number(line, address, 16, 1);
}

/// Seconds east of UTC when the handler was installed; localtime_r may not be called in a handler.
static long zone;

/// `2026-01-31T14:02:11+0100`. Days to a date after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// civil_from_days.
static void add_time(struct line *line) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t local = now.tv_sec + zone;
  uint64_t seconds = (uint64_t)local % 86400, days = (uint64_t)local / 86400 + 719468;
  uint64_t era = days / 146097, day_of_era = days % 146097;
  uint64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  uint64_t shifted = (5 * day_of_year + 2) / 153, month = shifted < 10 ? shifted + 3 : shifted - 9;
  add_number(line, year_of_era + era * 400 + (month <= 2), 10, 4);
  add(line, "-");
  add_number(line, month, 10, 2);
  add(line, "-");
  add_number(line, day_of_year - (153 * shifted + 2) / 5 + 1, 10, 2);
  add(line, "T");
  add_number(line, seconds / 3600, 10, 2);
  add(line, ":");
  add_number(line, seconds / 60 % 60, 10, 2);
  add(line, ":");
  add_number(line, seconds % 60, 10, 2);
  uint64_t offset = (uint64_t)(zone < 0 ? -zone : zone);
  add(line, zone < 0 ? "-" : "+");
  add_number(line, offset / 3600, 10, 2);
  add_number(line, offset / 60 % 60, 10, 2);
}

// MARK: - Handler

static int log_descriptor = -1;
static int log_is_journal;
static _Atomic int32_t reporting;

/// Program counter and frame pointer of what the signal interrupted; 0 on other processors.
static void position(const ucontext_t *context, uintptr_t *counter, uintptr_t *frame) {
#if defined(__x86_64__)
  *counter = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  *frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
  *counter = (uintptr_t)context->uc_mcontext.pc;
  *frame = (uintptr_t)context->uc_mcontext.regs[29];
#else
  *counter = *frame = 0;
#endif
}

/// Return addresses along the frame pointers, as far as they lead. The kernel reads the frames, because one that is
/// damaged may point anywhere.
static void add_callers(struct line *line, uintptr_t frame) {
  const char *separator = ", called from ";
  for (int i = 0; i < 8 && frame; i++) {
    struct {
      uintptr_t next, address;
    } found;
    struct iovec here = {&found, sizeof found}, there = {(void *)frame, sizeof found};
    if (frame % sizeof(uintptr_t) ||
        syscall(SYS_process_vm_readv, getpid(), &here, 1, &there, 1, 0) != sizeof found ||
        !module_of(found.address))
      return;
    add(line, separator);
    add_address(line, found.address);
    separator = " ";
    if (found.next <= frame) return;
    frame = found.next;
  }
}

static void add_report(struct line *line, int signal, const siginfo_t *info, const ucontext_t *context) {
  add(line, "the sound has ended: ");
  add(line, clinux_signal_words(signal));
  add(line, " (");
  add(line, clinux_signal_name(signal));
  add(line, ")");
  int is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
  if (is_sent && info->si_pid != getpid()) {
    add(line, " sent by process ");
    add_number(line, (uint64_t)info->si_pid, 10, 1);
    add(line, " of user ");
    add_number(line, info->si_uid, 10, 1);
  } else if (!is_sent && (signal == SIGSEGV || signal == SIGBUS)) {
    add(line, " at address 0x");
    add_number(line, (uintptr_t)info->si_addr, 16, 1);
  }
  add(line, clinux_is_realtime_thread(clinux_gettid()) ? ", audio thread" : ", control thread");
  uintptr_t counter, frame;
  position(context, &counter, &frame);
  if (counter) {
    add(line, ", program counter ");
    add_address(line, counter);
  }
  add_callers(line, frame);
}

static void report(int signal, siginfo_t *info, void *context) {
  int32_t nobody = 0;
  // The first thread tells; a second one waits for the end that the first brings.
  if (!atomic_compare_exchange_strong(&reporting, &nobody, clinux_gettid()))
    for (;;) pause();
  struct line line = {.count = 0};
  if (log_is_journal) {
    add(&line, "<3>");
  } else {
    add_time(&line);
    add(&line, " error: ");
  }
  add_report(&line, signal, info, context);
  line.text[line.count++] = '\n';
  // A reader that stands still must not keep the process.
  struct pollfd log = {.fd = log_descriptor, .events = POLLOUT};
  if (poll(&log, 1, 1000) > 0) {
    ssize_t written = write(log_descriptor, line.text, line.count);
    (void)written;
  }
  // Ends with the signal's own action as soon as the handler returns and unblocks it.
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(signal, &usual, NULL);
  syscall(SYS_tgkill, getpid(), clinux_gettid(), signal);
}

static int install(int signal) {
  struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  return sigaction(signal, &action, NULL) < 0 ? -errno : 0;
}

int clinux_report_fatal_signals(int descriptor, int is_journal) {
  // They may have been blocked before this process or thread began.
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaddset(&set, faults[i]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  log_descriptor = descriptor;
  log_is_journal = is_journal;
  time_t now = time(NULL);
  struct tm local;
  if (localtime_r(&now, &local)) zone = local.tm_gmtoff;
  static char program[4096];
  if (module_count == 0) {
    ssize_t count = readlink("/proc/self/exe", program, sizeof program - 1);
    program[count > 0 ? count : 0] = 0;
    dl_iterate_phdr(add_module, program);
  }
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    int result = install(faults[i]);
    if (result < 0) return result;
  }
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    int result = install(foreign[i]);
    if (result < 0) return result;
  }
  return 0;
}

void clinux_block_signals_of_others(void) {
  sigset_t set;
  sigfillset(&set);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&set, faults[i]);
  pthread_sigmask(SIG_SETMASK, &set, NULL);
}

// MARK: - Stacks

/// A signal frame with AVX-512 takes 3 KiB, with AMX 11 KiB (getauxval(3), AT_MINSIGSTKSZ); the handler's own frames 3 KiB.
enum { stack_bytes = 32 << 10 };

void *clinux_take_signal_stack(void) {
  void *memory = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  stack_t stack = {.ss_sp = memory, .ss_size = stack_bytes};
  if (sigaltstack(&stack, NULL) == 0) return memory;
  munmap(memory, stack_bytes);
  return NULL;
}

void clinux_return_signal_stack(void *memory) {
  if (!memory) return;
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, stack_bytes);
}
