"""Programs in a pseudo-terminal of a given width, and what a user sees of them."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\([A-Z0-9]")


class Screen:
    """The lines of a terminal that knows carriage returns, line ends and erasing to the end of a line."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lines = [""]
        self.column = 0
        self.wrapped = 0  # lines that were too long

    def feed(self, text: str) -> None:
        at = 0
        while at < len(text):
            sequence = SEQUENCE.match(text, at)
            if sequence:
                if sequence.group() in ("\x1b[K", "\x1b[0K"):
                    self.lines[-1] = self.lines[-1][: self.column]
                at = sequence.end()
                continue
            self.put(text[at])
            at += 1

    def put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.lines.append("")
            self.column = 0
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column == self.columns:
                self.wrapped += 1
                self.put("\n")
            line = self.lines[-1].ljust(self.column)
            self.lines[-1] = line[: self.column] + character + line[self.column + 1 :]
            self.column += 1


class Session:
    """A program whose standard streams are a terminal."""

    def __init__(self, command: list[str], columns: int, environment: dict[str, str] | None = None) -> None:
        self.output = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            size = struct.pack("HHHH", 50, columns, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", **(environment or {})})

    def send(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def read(self, seconds: float) -> bool:
        """Whether there was more to read."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return False
        try:
            text = os.read(self.terminal, 65536)
        except OSError:  # the program has ended
            return False
        self.output += text.decode(errors="replace")
        return bool(text)

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Reads until the output has `text`."""
        end = time.monotonic() + seconds
        while text not in self.output:
            if time.monotonic() > end:
                sys.exit(f"waited in vain for {text!r}, the output is:\n{self.output}")
            self.read(0.2)

    def settle(self, seconds: float) -> None:
        """Reads until nothing comes for that long."""
        while self.read(seconds):
            pass

    def close(self) -> None:
        """Ends a program that would go on."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def finish(self) -> int:
        """Reads the rest; the exit code of the program."""
        self.settle(60)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)
