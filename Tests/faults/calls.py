"""System calls: their names, which failures each can have, and which of them are tried.

The failures are those of the manual pages (man 2) that a sound program can meet: a full disk, a disk that fails, no memory, no
descriptors, a right that is missing, a signal that comes in between. ENOENT and its like are answers, not failures, and left to other tests.
"""
import errno
import os
import re
from dataclasses import dataclass

HEADERS = ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"]

# Of a call on a file of a disk; what a path or a descriptor of another kind has is below.
FAILURES = {
    "open": "EACCES EMFILE ENOMEM EINTR EIO", "openat": "EACCES EMFILE ENOMEM EINTR EIO",
    "read": "EIO EINTR short", "pread64": "EIO EINTR short", "readv": "EIO EINTR",
    "write": "ENOSPC EIO EINTR EFBIG short", "pwrite64": "ENOSPC EIO EINTR EFBIG short", "writev": "ENOSPC EIO EINTR",
    "close": "done:EIO done:EINTR",
    "fsync": "EIO ENOSPC EINTR", "fdatasync": "EIO ENOSPC EINTR", "sync_file_range": "EIO ENOSPC",
    "ftruncate": "EIO EINTR EROFS", "fallocate": "ENOSPC EIO EINTR EOPNOTSUPP",
    "rename": "EACCES ENOSPC EIO ENOMEM", "renameat": "EACCES ENOSPC EIO ENOMEM", "renameat2": "EACCES ENOSPC EIO ENOMEM EINVAL",
    "link": "EACCES ENOSPC EIO ENOMEM EPERM", "linkat": "EACCES ENOSPC EIO ENOMEM", "symlink": "EACCES ENOSPC EIO ENOMEM",
    "unlink": "EACCES EIO ENOMEM", "unlinkat": "EACCES EIO ENOMEM", "rmdir": "EACCES ENOMEM",
    "mkdir": "EACCES ENOSPC ENOMEM EROFS", "mkdirat": "EACCES ENOSPC ENOMEM EROFS",
    "stat": "EACCES ENOMEM EIO", "lstat": "EACCES ENOMEM EIO", "fstat": "ENOMEM EIO", "newfstatat": "EACCES ENOMEM EIO",
    "statx": "EACCES ENOMEM EIO", "statfs": "EACCES EIO EINTR ENOMEM", "fstatfs": "EIO EINTR ENOMEM",
    "access": "EACCES EIO ENOMEM", "faccessat": "EACCES EIO ENOMEM", "faccessat2": "EACCES EIO ENOMEM",
    "readlink": "EACCES EIO ENOMEM", "readlinkat": "EACCES EIO ENOMEM", "getdents64": "EIO ENOMEM",
    "chmod": "EPERM EIO EROFS", "fchmod": "EPERM EIO EROFS", "fchmodat": "EPERM EIO EROFS", "chown": "EPERM EIO", "fchown": "EPERM EIO",
    "setxattr": "EPERM ENOSPC EOPNOTSUPP", "getxattr": "EOPNOTSUPP", "fsetxattr": "EPERM ENOSPC EOPNOTSUPP", "removexattr": "EPERM EOPNOTSUPP",
    "flock": "EINTR ENOLCK EWOULDBLOCK", "fcntl": "EINTR ENOMEM ENOLCK", "ioctl": "EIO ENODEV ENOMEM", "fadvise64": "EINVAL",
    "utimensat": "EACCES EROFS", "copy_file_range": "EIO ENOSPC ENOMEM", "sendfile": "EIO ENOMEM EAGAIN", "chdir": "EACCES EIO ENOMEM",
    "mmap": "ENOMEM EAGAIN", "munmap": "ENOMEM", "mremap": "ENOMEM EAGAIN", "mprotect": "ENOMEM", "madvise": "ENOMEM EAGAIN",
    "brk": "ENOMEM", "mlockall": "ENOMEM EPERM", "mlock": "ENOMEM EPERM", "mlock2": "ENOMEM EPERM", "munlock": "ENOMEM", "munlockall": "EPERM",
    "msync": "EIO ENOMEM", "memfd_create": "EMFILE ENOMEM", "getrandom": "EINTR",
    "socket": "EMFILE ENOBUFS EACCES", "socketpair": "EMFILE ENOMEM", "connect": "ECONNREFUSED EAGAIN EINTR EACCES",
    "bind": "EACCES EADDRINUSE ENOMEM", "listen": "EADDRINUSE", "accept": "EMFILE ECONNABORTED ENOMEM EINTR",
    "accept4": "EMFILE ECONNABORTED ENOMEM EINTR", "shutdown": "ENOTCONN",
    "getsockname": "ENOBUFS", "getpeername": "ENOBUFS ENOTCONN", "setsockopt": "ENOMEM", "getsockopt": "ENOBUFS",
    "sendto": "EPIPE ENOBUFS EINTR EAGAIN short", "sendmsg": "EPIPE ENOBUFS EINTR EAGAIN",
    "recvfrom": "ECONNRESET ENOMEM EINTR EAGAIN short", "recvmsg": "ECONNRESET ENOMEM EINTR EAGAIN",
    "pipe": "EMFILE", "pipe2": "EMFILE ENFILE", "dup": "EMFILE", "dup2": "EBUSY EINTR", "dup3": "EBUSY EINTR",
    "eventfd2": "EMFILE ENOMEM", "timerfd_create": "EMFILE ENOMEM", "timerfd_settime": "ECANCELED", "signalfd4": "EMFILE ENOMEM",
    "epoll_create1": "EMFILE ENOMEM", "epoll_ctl": "ENOMEM ENOSPC", "inotify_init1": "EMFILE ENOMEM",
    "inotify_add_watch": "ENOSPC ENOMEM EACCES", "pidfd_open": "EMFILE ENOMEM",
    "poll": "EINTR ENOMEM", "ppoll": "EINTR ENOMEM", "select": "EINTR ENOMEM", "pselect6": "EINTR ENOMEM",
    "epoll_wait": "EINTR", "epoll_pwait": "EINTR", "epoll_pwait2": "EINTR",
    "nanosleep": "EINTR", "clock_nanosleep": "EINTR", "rt_sigtimedwait": "EINTR EAGAIN", "wait4": "EINTR ECHILD", "waitid": "EINTR ECHILD",
    "clone": "EAGAIN ENOMEM", "clone3": "EAGAIN ENOMEM", "fork": "EAGAIN ENOMEM", "vfork": "EAGAIN ENOMEM", "execve": "EACCES ENOMEM EIO",
    "sched_setscheduler": "EPERM", "sched_setparam": "EPERM", "sched_setattr": "EPERM", "setpriority": "EACCES", "setrlimit": "EPERM",
    "prlimit64": "EPERM", "prctl": "EPERM", "ioprio_set": "EPERM", "capset": "EPERM",
    "shmget": "ENOSPC ENOMEM", "shmat": "ENOMEM EACCES", "semget": "ENOSPC ENOMEM",
}

# What neither the disk, memory nor rights can make fail, or a failure of which the C library keeps for itself.
NEVER_FAILS = set("""exit exit_group getpid gettid getppid getuid geteuid getgid getegid getpgid getsid getpgrp setsid getgroups getcwd
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack futex set_tid_address set_robust_list get_robust_list rseq arch_prctl
umask sched_yield gettimeofday clock_gettime clock_getres time times getrusage uname sysinfo lseek kill tgkill tkill restart_syscall
sched_getaffinity sched_getscheduler sched_getparam sched_get_priority_max sched_get_priority_min getpriority capget alarm setitimer
getitimer membarrier getcpu getresuid getresgid sched_setaffinity rt_sigqueueinfo shmdt shmctl rt_sigsuspend mincore get_mempolicy""".split())

# A path or descriptor of another kind than a file's has these instead.
SPECIAL = {
    ("pipe", "read"): "EIO EINTR short", ("pipe", "write"): "EPIPE EINTR EAGAIN short",
    ("socket", "read"): "ECONNRESET EINTR EAGAIN short", ("socket", "write"): "EPIPE EINTR EAGAIN short",
    # A counter of this process is read without waiting, and is never full.
    ("anon_inode", "read"): "EAGAIN", ("anon_inode", "write"): "",
}

# A failure that lasts: from one call on, each of these has it.
LASTING = {
    "ENOSPC": "write pwrite64 writev ftruncate fallocate open openat mkdir mkdirat link linkat rename renameat renameat2 symlink copy_file_range",
    "EIO": "read pread64 readv write pwrite64 writev fsync fdatasync ftruncate getdents64",
    "EMFILE": "open openat socket socketpair pipe pipe2 dup eventfd2 timerfd_create signalfd4 epoll_create1 inotify_init1 accept accept4 memfd_create",
}

# Before each of these the process is killed: what changes a disk.
CHANGING = set("""write pwrite64 writev fsync fdatasync ftruncate fallocate rename renameat renameat2 link linkat unlink unlinkat mkdir
mkdirat chmod fchmod fchmodat rmdir""".split())


def numbers():
    """Numbers of the system calls by their names."""
    for path in HEADERS:
        if os.path.exists(path):
            return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", open(path).read())}
    raise SystemExit("faults: found no asm/unistd_64.h, expected it of the package linux-libc-dev")


NUMBERS = numbers()
NAMES = {number: name for name, number in NUMBERS.items()}


@dataclass(frozen=True)
class Call:
    """A system call as it was recorded."""
    thread: str
    name: str
    arguments: tuple
    # True for what takes space on a disk.
    takes_space: bool
    target: str
    # Its place among the calls of its name by threads of this name, from 1.
    count: int

    @property
    def kind(self):
        """What it is about: a file, or a pipe, a socket and the like."""
        return self.target.split(":")[0] if self.target[:1] not in ("", "/") else "file"

    @property
    def is_message(self):
        """True for what writes standard error, after which no message can be expected."""
        return self.name in ("write", "writev") and self.arguments[0] == 2

    @property
    def creates(self):
        """True for an opening that makes a file."""
        flags = self.arguments[{"openat": 2, "open": 1}[self.name]] if self.name in ("openat", "open") else 0
        return bool(flags & os.O_CREAT) or flags & os.O_TMPFILE == os.O_TMPFILE

    @property
    def is_on_disk(self):
        """As the tool that injects has it."""
        return self.target.startswith("/dev/shm/") or not self.target.startswith(("/dev/", "/proc/", "/sys/")) and self.target[:1] == "/"


@dataclass(frozen=True)
class Fault:
    """A failure to try: which call, and how it fails."""
    path: str
    thread: str
    # Of one call, or of several of which any counts.
    names: tuple
    count: int
    # Name of an errno, `done:` and one, `short` or `kill`.
    failure: str
    is_lasting: bool = False

    @property
    def arguments(self):
        """For the tool that injects it."""
        failure = re.sub(r"E[A-Z0-9]+", lambda match: str(getattr(errno, match[0])), self.failure)
        names = ",".join(str(NUMBERS[name]) for name in self.names)
        return [self.thread, names, f"{self.count}{'+' if self.is_lasting else ''}", failure]

    @property
    def call(self):
        """Its name for the table."""
        return "any" if self.is_lasting else self.names[0]

    @property
    def words(self):
        """Its failure for the table."""
        return self.failure + (" from there on" if self.is_lasting else "")


def read_list(path):
    """The calls of a recorded list, in their order; the tool's own beginning left out."""
    calls, counts = [], {}
    for line in open(path, errors="replace"):
        columns = line.rstrip("\n").split("\t")
        if columns[0] != "call" or columns[1] == "fault":
            continue
        name = NAMES.get(int(columns[2]), columns[2])
        key = (columns[1], name)
        counts[key] = counts.get(key, 0) + 1
        calls.append(Call(columns[1], name, tuple(int(word, 16) for word in columns[3:8]), columns[8] == "1", columns[9], counts[key]))
    return calls


def failures(call):
    """Failures that this call can have; a call that no rule names ends the trial: the list shall be whole."""
    if call.name in NEVER_FAILS:
        return []
    words = SPECIAL.get((call.kind, call.name), FAILURES.get(call.name))
    if words is None:
        raise SystemExit(f"faults: found the call {call.name}, expected one that calls.py names in FAILURES or NEVER_FAILS")
    found = words.split()
    if call.creates:
        found += ["ENOSPC", "EROFS"] if call.takes_space else ["EROFS"]
    # A counter's 8 bytes come whole, and a line that is cut is no whole one to whoever reads a datagram.
    if "short" in found and (call.arguments[2] <= 1 or call.kind == "anon_inode"):
        found.remove("short")
    return found


def tried(call, is_all):
    """Failures of a call to try: all of them, or each kind: of errors that end a call for good one, by turns."""
    found = failures(call)
    if is_all:
        return found
    passing = [failure for failure in found if failure in ("short", "EINTR", "done:EINTR")]
    lasting = [failure for failure in found if failure not in passing]
    return passing + lasting[call.count % len(lasting):][:1] if lasting else passing


def shared(calls, others):
    """Number of calls with which a path begins like one of the others: they are tried there."""
    def plain(found):
        return [(call.name, re.sub("(home|learn)-[0-9]+|[0-9]+", "#", call.target)) for call in found]
    own, longest = plain(calls), 0
    for other in map(plain, others):
        count = next((n for n, (a, b) in enumerate(zip(own, other)) if a != b), min(len(own), len(other)))
        longest = max(longest, count)
    return longest


def faults_of(path, calls, threads=(), most_alike=3, is_all=False, targets=(), begin=0):
    """Everything to try on a path: each call with its failures, what lasts, and kills.

    threads: whose calls, all when empty; begin: calls before are left out; most_alike: of calls of a thread with the same name, argument and target, the first so many and the
    last are tried; targets: parts of paths, of which one has to be in the call's, and then nothing lasts.
    """
    found, alike = [], {}
    left_out = {id(call) for call in calls[:begin]}
    calls = [call for call in calls if not threads or call.thread in threads]
    for call in calls:
        alike.setdefault((call.thread, call.name, re.sub("[0-9]+", "#", call.target), call.arguments[0] if call.kind != "file" else 0), []).append(call)
    kept = {id(call) for group in alike.values() for call in group[:most_alike] + group[most_alike:][-1:]}
    for call in calls:
        if id(call) not in kept or id(call) in left_out or targets and not any(target in call.target for target in targets):
            continue
        for failure in tried(call, is_all):
            found.append(Fault(path, call.thread, (call.name,), call.count, failure))
        if call.name in CHANGING and call.is_on_disk or call.creates:
            found.append(Fault(path, call.thread, (call.name,), call.count, "kill"))
    for failure, words in () if targets else LASTING.items():
        names = tuple(words.split())
        affected = [call for call in calls if call.name in names
                    and (call.takes_space if failure == "ENOSPC" else call.is_on_disk or failure == "EMFILE")]
        for thread in {call.thread for call in affected} if threads else ["*"]:
            own = [call for call in affected if thread in ("*", call.thread)]
            # Of many the first hundred: they are before sound flows.
            found += [Fault(path, thread, names, number, failure, True) for number, call in enumerate(own[:100], 1) if id(call) not in left_out]
    return found
