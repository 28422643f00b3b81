// Runs a program and lists its system calls, or makes one of them fail.
//
//   fault REPORT list COMMAND...
//   fault REPORT THREAD NUMBERS COUNT[+] FAULT COMMAND...
//
// NUMBERS are those of system calls, with commas; the COUNTth such call of a thread of the name THREAD (* any) meets the FAULT, with + every
// one from there on:
//
//   28       is not carried out and fails with that errno
//   done:5   is carried out and fails: what close(2) does
//   short    reads or writes less than was asked for
//   kill     the process is ended by SIGKILL before it
//
// The REPORT has a line for each call, `call THREAD NUMBER ARGUMENT... SPACE TARGET` with tabs, SPACE 1 for what takes some on a disk, or for each one that met the fault, `hit` in its
// first column; `trap THREAD` for each illegal instruction; and one line for each process that has ended. Calls are counted from the first instruction of the program: what its loader does
// before is not its own. With + only files on a disk count for EIO and ENOSPC, and for ENOSPC only what takes space there.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "found another processor than x86-64, whose registers this is written for"
#endif

enum { most_numbers = 64, most_processes = 256 };
static FILE *report;
static int is_list, is_lasting, numbers[most_numbers], number_count;
static const char *thread_name, *fault;
static long wanted, seen;

// Position of the path among the arguments of a call, and of the descriptor.
static const struct { short number, path; } path_calls[] = {
  {SYS_open, 0}, {SYS_openat, 1}, {SYS_stat, 0}, {SYS_lstat, 0}, {SYS_access, 0}, {SYS_mkdir, 0}, {SYS_rmdir, 0}, {SYS_unlink, 0},
  {SYS_readlink, 0}, {SYS_chmod, 0}, {SYS_rename, 1}, {SYS_link, 1}, {SYS_newfstatat, 1}, {SYS_unlinkat, 1}, {SYS_mkdirat, 1},
  {SYS_renameat, 3}, {SYS_renameat2, 3}, {SYS_linkat, 3}, {SYS_readlinkat, 1}, {SYS_faccessat, 1}, {SYS_faccessat2, 1},
  {SYS_fchmodat, 1}, {SYS_statx, 1}, {SYS_execve, 0}, {SYS_statfs, 0}, {SYS_inotify_add_watch, 1}, {SYS_chdir, 0},
};
static const short descriptor_calls[] = {
  SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_fsync, SYS_fdatasync,
  SYS_ftruncate, SYS_fchmod, SYS_fchown, SYS_flock, SYS_fcntl, SYS_ioctl, SYS_getdents64, SYS_connect, SYS_bind, SYS_listen, SYS_sendto,
  SYS_sendmsg, SYS_recvfrom, SYS_recvmsg, SYS_setsockopt, SYS_getsockopt, SYS_accept4, SYS_accept, SYS_shutdown, SYS_dup, SYS_dup2,
  SYS_dup3, SYS_fallocate, SYS_epoll_ctl, SYS_fadvise64, SYS_getsockname, SYS_getpeername, SYS_timerfd_settime, SYS_epoll_wait,
  SYS_signalfd4, SYS_fstatfs,
};

// Processes whose loader is still at work: where the program begins, and what stands there.
static struct { pid_t process; unsigned long entry; long word; } loading[most_processes];

static int process_of(pid_t thread) {
  char path[64], line[256];
  int process = thread;
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Tgid: %d", &process) == 1) break;
  }
  if (file) fclose(file);
  return process;
}

static int loading_index(pid_t process) {
  for (int i = 0; i < most_processes; i++) {
    if (loading[i].process == process) return i;
  }
  return -1;
}

// After execve: the program's first instruction is replaced by a breakpoint.
static void watch_loader(pid_t process) {
  char path[64];
  unsigned long pair[2], entry = 0;
  snprintf(path, sizeof path, "/proc/%d/auxv", process);
  FILE *file = fopen(path, "r");
  while (file && fread(pair, sizeof pair, 1, file) == 1) {
    if (pair[0] == AT_ENTRY) entry = pair[1];
  }
  if (file) fclose(file);
  int i = loading_index(process);
  if (i < 0) i = loading_index(0);
  if (!entry || i < 0) return;
  long word = ptrace(PTRACE_PEEKTEXT, process, entry, 0);
  loading[i].process = process, loading[i].entry = entry, loading[i].word = word;
  ptrace(PTRACE_POKETEXT, process, entry, (word & ~0xffL) | 0xcc);
}

// - Returns: 1 where the stop is the breakpoint at the program's beginning.
static int begin_program(pid_t process) {
  int i = loading_index(process);
  struct user_regs_struct registers;
  if (i < 0 || ptrace(PTRACE_GETREGS, process, 0, &registers) || registers.rip != loading[i].entry + 1) return 0;
  ptrace(PTRACE_POKETEXT, process, loading[i].entry, loading[i].word);
  registers.rip--;
  ptrace(PTRACE_SETREGS, process, 0, &registers);
  loading[i].process = 0;
  return 1;
}

static unsigned long argument(const struct user_regs_struct *registers, int position) {
  const unsigned long all[] = {registers->rdi, registers->rsi, registers->rdx, registers->r10, registers->r8, registers->r9};
  return all[position];
}

// Text at an address, as far as its page goes and without tabs and line breaks.
static void read_text(pid_t thread, unsigned long address, char *text, size_t size) {
  size_t count = 0;
  while (address && count + 1 < size) {
    struct iovec own = {text + count, 1}, other = {(void *)(address + count), 1};
    if (process_vm_readv(thread, &own, 1, &other, 1, 0) != 1 || !text[count]) break;
    if (text[count] == '\t' || text[count] == '\n') text[count] = ' ';
    count++;
  }
  text[count] = 0;
}

static void read_descriptor(pid_t thread, long descriptor, char *text, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/fd/%ld", thread, descriptor);
  ssize_t count = readlink(link, text, size - 1);
  text[count < 0 ? 0 : count] = 0;
}

static void find_target(pid_t thread, int number, const struct user_regs_struct *registers, char *text, size_t size) {
  text[0] = 0;
  for (size_t i = 0; i < sizeof path_calls / sizeof *path_calls; i++) {
    if (path_calls[i].number != number) continue;
    read_text(thread, argument(registers, path_calls[i].path), text, size);
    if (!text[0] && path_calls[i].path == 1) read_descriptor(thread, (int)registers->rdi, text, size);
  }
  for (size_t i = 0; i < sizeof descriptor_calls / sizeof *descriptor_calls; i++) {
    if (descriptor_calls[i] == number) read_descriptor(thread, (int)registers->rdi, text, size);
  }
  if (number == SYS_mmap) read_descriptor(thread, (int)registers->r8, text, size);
}

static void read_name(pid_t thread, char *name, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", thread);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(name, size, file)) name[0] = 0;
  if (file) fclose(file);
  name[strcspn(name, "\n")] = 0;
}

static int is_on_disk(const char *target) {
  if (!strncmp(target, "/dev/shm/", 9)) return 1;
  return target[0] == '/' && strncmp(target, "/dev/", 5) && strncmp(target, "/proc/", 6) && strncmp(target, "/sys/", 5);
}

// False for what opens a file that is there.
static int takes_space(int number, const struct user_regs_struct *registers, const char *target) {
  struct stat status;
  if (number != SYS_open && number != SYS_openat) return 1;
  unsigned long flags = argument(registers, number == SYS_openat ? 2 : 1);
  return (flags & O_TMPFILE) == O_TMPFILE || (flags & O_CREAT && stat(target, &status) != 0);
}

static void write_call(const char *kind, const char *name, int number, const struct user_regs_struct *registers, const char *target) {
  fprintf(report, "%s\t%s\t%d\t", kind, name, number);
  for (int i = 0; i < 5; i++) fprintf(report, "%lx\t", argument(registers, i));
  fprintf(report, "%d\t%s\n", is_on_disk(target) && takes_space(number, registers, target), target);
  fflush(report);
}

// Carries out the fault. - Returns: The request with which the thread goes on.
static int inject(pid_t thread, struct user_regs_struct *registers) {
  if (!strcmp(fault, "kill")) {
    kill(process_of(thread), SIGKILL);
    return PTRACE_CONT;
  }
  if (!strcmp(fault, "short") || !strncmp(fault, "done:", 5) || registers->orig_rax == SYS_brk) return PTRACE_SYSCALL;
  registers->orig_rax = -1;
  registers->rax = -atol(fault);
  ptrace(PTRACE_SETREGS, thread, 0, registers);
  return PTRACE_CONT;
}

static void shorten(struct user_regs_struct *registers) {
  // An odd number, so that what is read is cut within a word, too.
  int is_write = registers->orig_rax == SYS_write || registers->orig_rax == SYS_pwrite64 || registers->orig_rax == SYS_sendto;
  unsigned long count = registers->rdx, half = count > 1 ? count / 2 : count;
  registers->rdx = is_write || half < 7 ? half : 7;
}

// Threads whose call is being carried out: at its end its result or its arguments are put right.
static struct { pid_t thread; unsigned long first, third; } changed[most_processes];

static void change(pid_t thread, struct user_regs_struct *registers) {
  for (int i = 0; i < most_processes; i++) {
    if (changed[i].thread) continue;
    changed[i].thread = thread, changed[i].first = registers->rdi, changed[i].third = registers->rdx;
    break;
  }
  // A break that cannot be moved is told as it is.
  if (registers->orig_rax == SYS_brk) registers->rdi = 0;
  else if (!strcmp(fault, "short")) shorten(registers);
  ptrace(PTRACE_SETREGS, thread, 0, registers);
}
static void end_call(pid_t thread) {
  struct user_regs_struct registers;
  for (int i = 0; i < most_processes; i++) {
    if (changed[i].thread != thread) continue;
    changed[i].thread = 0;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) return;
    registers.rdi = changed[i].first, registers.rdx = changed[i].third;
    if (!strncmp(fault, "done:", 5)) registers.rax = -atol(fault + 5);
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
  }
}

static int begin_call(pid_t thread) {
  struct user_regs_struct registers;
  char name[64], target[4096];
  if (loading_index(process_of(thread)) >= 0 || ptrace(PTRACE_GETREGS, thread, 0, &registers)) return PTRACE_CONT;
  int number = (int)registers.orig_rax;
  read_name(thread, name, sizeof name);
  if (!is_list && strcmp(thread_name, "*") && strcmp(thread_name, name)) return PTRACE_CONT;
  find_target(thread, number, &registers, target, sizeof target);
  if (is_list) {
    write_call("call", name, number, &registers, target);
    return PTRACE_CONT;
  }
  if (is_lasting && (atol(fault) == ENOSPC || atol(fault) == EIO) && !is_on_disk(target)) return PTRACE_CONT;
  if (is_lasting && atol(fault) == ENOSPC && !takes_space(number, &registers, target)) return PTRACE_CONT;
  seen++;
  if (seen < wanted || (seen > wanted && !is_lasting)) return PTRACE_CONT;
  write_call("hit", name, number, &registers, target);
  int request = inject(thread, &registers);
  if (request == PTRACE_SYSCALL) change(thread, &registers);
  return request;
}

// MARK: - Processes

static void filter_calls(void) {
  struct sock_filter code[most_numbers + 3];
  int count = 0;
  code[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < number_count; i++) {
    code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[i], number_count - i, 0);
  }
  code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, is_list ? SECCOMP_RET_TRACE : SECCOMP_RET_ALLOW);
  code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  struct sock_fprog program = {count, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("fault: seccomp");
    _exit(125);
  }
}

static pid_t start(char **command) {
  int ends[2];
  char byte;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  pid_t process = fork();
  if (process == 0) {
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 1) _exit(125);
    filter_calls();
    execvp(command[0], command);
    perror("fault: exec");
    _exit(125);
  }
  long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |
    PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  if (ptrace(PTRACE_SEIZE, process, 0, options)) {
    perror("fault: ptrace");
    kill(process, SIGKILL);
    return -1;
  }
  if (write(ends[1], "", 1) != 1) return -1;
  close(ends[0]);
  close(ends[1]);
  return process;
}

// One stop of a thread; it goes on when this returns.
static void follow(pid_t thread, int status) {
  int signal_number = WSTOPSIG(status), event = status >> 16, request = PTRACE_CONT, delivered = 0;
  if (event == PTRACE_EVENT_SECCOMP) request = begin_call(thread);
  else if (event == PTRACE_EVENT_EXEC) watch_loader(thread);
  else if (event == PTRACE_EVENT_STOP && signal_number != SIGTRAP) request = PTRACE_LISTEN;
  else if (event) request = PTRACE_CONT;
  else if (signal_number == (SIGTRAP | 0x80)) end_call(thread);
  else if (signal_number != SIGTRAP || !begin_program(thread)) {
    char name[64];
    delivered = signal_number;
    read_name(thread, name, sizeof name);
    if (delivered == SIGILL) fprintf(report, "trap\t%s\n", name);
  }
  ptrace(request, thread, 0, delivered);
}

static void read_plan(char **arguments) {
  thread_name = arguments[0];
  for (char *word = strtok(arguments[1], ","); word && number_count < most_numbers; word = strtok(NULL, ",")) {
    numbers[number_count++] = atoi(word);
  }
  is_lasting = strchr(arguments[2], '+') != NULL;
  wanted = atol(arguments[2]);
  fault = arguments[3];
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "fault: expected REPORT list COMMAND... or REPORT THREAD NUMBERS COUNT FAULT COMMAND...\n");
    return 64;
  }
  is_list = !strcmp(arguments[2], "list");
  if (!is_list) {
    if (count < 7) return 64;
    read_plan(arguments + 2);
  }
  report = fopen(arguments[1], "we");
  pid_t process = start(arguments + (is_list ? 3 : 6)), thread;
  if (!report || process < 0) return 125;
  int status, result = 125;
  while ((thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
    if (thread < 0) continue;
    if (WIFSTOPPED(status)) {
      follow(thread, status);
      continue;
    }
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (thread == process) result = code;
    if (thread == process || WIFSIGNALED(status)) {
      fprintf(report, "ended\t%s\t%s\t%d\n", thread == process ? "main" : "other", WIFSIGNALED(status) ? "signal" : "exit",
        WIFSIGNALED(status) ? WTERMSIG(status) : code);
    }
  }
  fclose(report);
  return result;
}
