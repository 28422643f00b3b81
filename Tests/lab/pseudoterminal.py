#!/usr/bin/env python3
"""A program on a pseudo terminal of its own, as a person has it: what it shows, keys, its end.

    from pseudoterminal import Program      # daemon.bash of Tests/cli tells Python where
    program = Program([path, "setup"])
    program.until(b"[y/N]")
    program.type(b"y\n")
    status = program.end()                  # program.shown has all of it

Usage: pseudoterminal.py TYPED COMMAND...
       Types at the beginning, with escapes such as '\\x04' for Ctrl-D; prints what was shown, and exits as the command did.
"""
import errno
import os
import pty
import select
import signal
import sys
import termios
import time


class Program:
    """A program whose controlling terminal this is; `shown` is what it has shown so far, bytes."""

    def __init__(self, command, environment=None, prepare=lambda: None):
        """`prepare` is done in the new process, last of all."""
        self.shown = b""
        self.place = 0
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            # A script that runs in the background has them ignored; a person's terminal has not.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGQUIT, signal.SIG_DFL)
            # And Python ignores this one.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            try:
                prepare()
                os.execvpe(command[0], command, {**os.environ, **(environment or {})})
            except OSError as error:
                os.write(2, f"{command[0]}: {error.strerror}\n".encode())
            finally:
                os._exit(127)

        # Whoever gives it up by timeout(1) reads what was shown.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("out of time behind:\n" + self.text))

    @property
    def text(self):
        return self.shown.decode(errors="replace")

    @property
    def modes(self):
        """Of the terminal, as termios(3) has them; they stay when the program has ended."""
        return termios.tcgetattr(self.terminal)

    @property
    def echoes(self):
        return bool(self.modes[3] & termios.ECHO)

    def type(self, keys):
        try:
            os.write(self.terminal, keys)
        except OSError as error:
            # EIO: the program has ended, which read() tells.
            if error.errno != errno.EIO:
                raise

    def read(self, seconds=None):
        """Reads what is shown next, which is waited for so long, or for as long as it takes. False once the program has ended."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            # EIO: nobody has the terminal open any longer.
            return False
        self.take(data)
        return bool(data)

    def take(self, data):
        self.shown += data

    def read_for(self, seconds):
        """Reads all that is shown within a time. False once the program has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.read(left):
                return False
        return True

    def until(self, words):
        """Reads until words are shown, behind those that were waited for before."""
        while (found := self.shown.find(words, self.place)) < 0:
            if not self.read():
                sys.exit(f"expected {words}, found the end of the program behind:\n{self.text}")
        self.place = found + len(words)

    def until_hidden(self):
        """Waits until what is typed is not shown."""
        while self.echoes:
            if not self.read(0.01):
                sys.exit(f"expected a question that hides what is typed, found the end of the program behind:\n{self.text}")

    def end(self):
        """Reads to the end, and returns the exit status, of a signal that ended it the negative number."""
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


if __name__ == "__main__":
    program = Program(sys.argv[2:])
    program.type(sys.argv[1].encode().decode("unicode_escape").encode())
    status = program.end()
    print(program.text)
    sys.exit(status)
