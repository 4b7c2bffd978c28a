"""Jobs that a worker can be given: good ones, and ones that go wrong."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Square:
    number: int

    def __call__(self) -> int:
        return self.number**2


@dataclass(frozen=True)
class Modules:
    """Which of these modules the worker has imported, its process, and what it sees of the environment."""

    names: tuple[str, ...] = ("litellm", "vbench_env.scoring.scorer")

    def __call__(self) -> dict[str, object]:
        loaded = [name for name in self.names if name in sys.modules]
        return {"loaded": loaded, "pid": os.getpid(), "environment": dict(os.environ)}


@dataclass(frozen=True)
class Wrong:
    def __call__(self) -> None:
        raise ValueError("no such thing")


@dataclass(frozen=True)
class Chatty:
    def __call__(self) -> str:
        print("a line that must not disturb anything")
        return "said"


@dataclass(frozen=True)
class Sleep:
    seconds: float

    def __call__(self) -> None:
        time.sleep(self.seconds)


@dataclass(frozen=True)
class Unsendable:
    def __call__(self) -> object:
        return lambda: None


@dataclass(frozen=True)
class Deadly:
    """Kills its worker the first `times` times that it is done; `marks` counts them."""

    marks: str
    times: int

    def __call__(self) -> int:
        path = Path(self.marks)
        done = path.stat().st_size if path.is_file() else 0
        if done < self.times:
            with path.open("ab") as file:
                file.write(b"x")
            os.kill(os.getpid(), signal.SIGKILL)
        return done


@dataclass(frozen=True)
class Echo:
    """Gives back what it holds, turned round."""

    key: tuple[int, int]
    data: bytes
    seconds: float = 0.0

    def __call__(self) -> tuple[tuple[int, int], bytes]:
        time.sleep(self.seconds)
        return self.key, self.data[::-1]


class OnlyThere:
    """Cannot be made again in the process that asked."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return _only_in_a_worker, (os.getpid(),)


def _only_in_a_worker(pid: int) -> int:
    if os.getpid() != pid:
        raise LookupError("not here")
    return pid


@dataclass(frozen=True)
class Unreadable:
    def __call__(self) -> object:
        return OnlyThere()
