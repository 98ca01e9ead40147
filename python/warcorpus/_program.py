"""Finds and runs the program."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from ._corpus import Corpus

StrPath = Union[str, "os.PathLike[str]"]


class Failed(RuntimeError):
    """The program ended with an error; `code` is its exit code, the message is what it said.

    If `build` shows progress on a terminal, the program says it there, and the message has only the code.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message or f"warcorpus ended with exit code {code}")
        self.code = code

    def __reduce__(self) -> tuple[type[Failed], tuple[int, str]]:
        # Pools of processes pickle the exceptions of their workers.
        return type(self), (self.code, str(self))


class UsageError(Failed, ValueError):
    """Wrong usage or configuration; nothing was started (exit code 2)."""


class Interrupted(Failed):
    """Something else than Python interrupted the job, such as a scheduler (exit code 130); the same call resumes it."""


class UnreadableInput(UserWarning):
    """The job is done, but a part of an archive could not be read (exit code 3); `rejects.jsonl` lists it."""


def program() -> str:
    """The path of the program: the one installed with this package, else the one in PATH.

    The environment variable WARCORPUS names another one.
    """
    named = os.environ.get("WARCORPUS")
    if named:
        return named
    name = "warcorpus.exe" if sys.platform == "win32" else "warcorpus"
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    # `pip install --target` puts bin beside the package.
    folders.append(str(Path(__file__).parent.parent / "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    path_in_environment = shutil.which(name)
    if path_in_environment is None:
        raise FileNotFoundError(f"{name} is neither in {', '.join(folders)} nor in PATH")
    return path_in_environment


def run(*arguments: StrPath) -> str:
    """Runs a command of the program, which gets no standard input, and returns what it prints.

    Bytes that are not UTF-8, as in a record that `show` prints, are escaped: `.encode("utf-8", "surrogateescape")` gives all
    bytes back.

    Raises `UsageError`, `Interrupted` or `Failed` if it fails, with its message.
    """
    # Not as text, which would change line ends.
    with _started(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        printed, said = process.communicate()
    _check(process.returncode, said.decode("utf-8", "replace"))
    return printed.decode("utf-8", "surrogateescape")


def build(
    inputs: StrPath | Iterable[StrPath] | None = None,
    *,
    out: StrPath,
    job: StrPath | None = None,
    select: StrPath | Iterable[StrPath] = (),
    where: str | None = None,
    against: StrPath | Iterable[StrPath] = (),
    threads: int | None = None,
    memory: str | int | None = None,
    scratch: StrPath | None = None,
    restart: bool = False,
    progress: bool = True,
    **settings: Mapping[str, Any],
) -> Corpus:
    """Builds a corpus in the directory `out`, or resumes the job that was interrupted there, for which `inputs` may be left out.

    `settings` are the sections of the job file (`warcorpus config` prints them), each with its keys::

        build("crawl/", out="corpus", language={"keep": ["ces"]}, near={"threshold": 0.8})

    The other arguments are those of `warcorpus build`. With `progress`, the program reports on standard error: one line on a
    terminal, elsewhere a line every half a minute.

    An exception that arrives meanwhile, such as KeyboardInterrupt, is raised when the program has stopped; the same call resumes
    the job.

    Raises `UsageError` before any work begins, `Interrupted` or `Failed` later. Warns with `UnreadableInput` if a part of an
    archive could not be read.
    """
    from ._corpus import Corpus

    archives = [] if inputs is None else _paths(inputs)
    if inputs is not None and not archives:
        raise UsageError(2, "inputs is empty, as from a pattern without a match; leave it out to resume the job of a directory")
    if "-" in archives:
        raise UsageError(2, "standard input (-) is no input from Python; give a file, or run the program in a shell")
    arguments = ["build", "--out=" + os.fspath(out)]
    for option, value in [("job", job), ("where", where), ("threads", threads), ("memory", memory), ("scratch", scratch)]:
        if value is not None:
            arguments.append(f"--{option}={value}")
    for option, values in [("select", select), ("against", against)]:
        arguments += [f"--{option}={value}" for value in _paths(values)]
    for section, keys in settings.items():
        if not isinstance(keys, Mapping):
            raise UsageError(2, f"{section} is a section: {section}={{'key': value}}")
        arguments += [f"--set={section}.{key}={_toml(value)}" for key, value in keys.items()]
    if restart:
        arguments.append("--restart")
    if not progress:
        arguments.append("--quiet")
    code, message = _run_aloud([*arguments, "--", *archives], progress)
    _check(code, message)
    return Corpus(out)


@contextmanager
def _started(arguments: Iterable[StrPath], **streams: Any) -> Iterator[subprocess.Popen[Any]]:
    """The program while it runs. An exception stops it before it is raised."""
    command = [program(), *(os.fspath(argument) for argument in arguments)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, **streams) as process:
        try:
            yield process
        except BaseException:
            # Left to Popen, the program would go on. On SIGTERM it stops at the next record. Its pipes are emptied, lest it wait.
            process.terminate()
            try:
                process.communicate()
            finally:
                # It still runs if a second exception came.
                process.kill()
            raise


def _run_aloud(arguments: Iterable[StrPath], aloud: bool) -> tuple[int, str]:
    """Runs a command; returns its exit code and what it said. Aloud, standard error is shown while it is written."""
    if aloud and sys.stderr is sys.__stderr__ and os.isatty(2):
        # The program draws on the terminal itself.
        with _started(arguments, stdout=subprocess.DEVNULL) as process:
            code = process.wait()
        return code, f"warcorpus ended with exit code {code}; its message is on the terminal"
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as said,
        _started(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            if aloud:
                # In a notebook, standard error of this process is not that of the cell.
                sys.stderr.write(line)
                sys.stderr.flush()
            said.write(line)
        said.seek(0)
        return process.wait(), said.read()


def _check(code: int, said: str) -> None:
    """Raises what belongs to an exit code."""
    # A message may have several lines.
    messages = r"^(?:warcorpus|error): (.*(?:\n(?!\n|warcorpus: |error: ).*)*)"
    found = [match.group(1) for match in re.finditer(messages, said, re.MULTILINE)]
    message = found[-1].strip() if found else said.strip()
    if code == 3:
        warnings.warn(
            "a part of an archive could not be read; rejects.jsonl lists it", UnreadableInput, stacklevel=3
        )
    elif code == 2:
        raise UsageError(code, message)
    elif code in (130, -2, -15):
        raise Interrupted(code, message or "interrupted; the same call resumes the job")
    elif code != 0:
        raise Failed(code, message)


def _paths(value: StrPath | Iterable[StrPath]) -> list[str]:
    """One path or several, as a list."""
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    return [os.fspath(path) for path in value]


def _plain(value: Any) -> Any:
    """A scalar of NumPy, as arrays and frames have them, as the value of Python; any other value as it is."""
    return value.item() if getattr(value, "shape", None) == () else value


def _toml(value: Any) -> str:
    """A value as TOML."""
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        # A JSON string without escapes for non-ASCII characters is a basic string of TOML.
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(f"{value!r} cannot be a setting")
