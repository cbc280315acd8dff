"""Files between this machine and a container, as tar archives through commands that run inside.

Files from a container were written by the player there. None of them is written outside the target: no
absolute names, no ``..``, no links that lead out, no devices.
"""

from __future__ import annotations

import io
import os
import posixpath
import shlex
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import IO, Protocol

from .errors import AgentptyError, InfraError
from .results import ExecResult

PIECE_BYTES = 6 * 1024 * 1024
"""The size of one part of a transfer; the daemon passes 16 MiB in and 8 MiB out."""

TRANSFER_SECONDS = 600.0


class CommandRunner(Protocol):
    """Runs commands in a container. :class:`agentpty_gym.Environment` is one."""

    id: str

    def exec(self, command: str, *, input: bytes | None = None, timeout: float = 60.0) -> ExecResult: ...


def upload(env: CommandRunner, source: str | os.PathLike[str], target: str) -> None:
    """Errors: `OSError` when the source cannot be read, ``InfraError`` when it cannot be written inside."""
    path = Path(source)
    into = target if path.is_dir() else posixpath.dirname(target) or "."
    with tempfile.TemporaryFile() as archive:
        with tarfile.open(fileobj=archive, mode="w") as tar:
            # The owner here has no account inside.
            tar.add(path, "." if path.is_dir() else posixpath.basename(target), filter=_as_root)
        archive.seek(0)
        extract = f"mkdir -p {shlex.quote(into)} && tar -xf - -C {shlex.quote(into)}"
        first, second = archive.read(PIECE_BYTES), archive.read(PIECE_BYTES)
        if not second:
            _run(env, extract, first)
            return
        kept = _run(env, "mktemp").stdout.decode().strip()
        while first:
            _run(env, f"cat >> {kept}", first)
            first, second = second, archive.read(PIECE_BYTES)
        _run(env, f"({extract}) < {kept}; code=$?; rm -f {kept}; exit $code")


def download(env: CommandRunner, source: str, target: str | os.PathLike[str]) -> None:
    """Errors: ``AgentptyError`` (``invalid_input``) for a missing source, and for an entry outside of the target."""
    path = shlex.quote(source)
    found = env.exec(f"if [ -d {path} ]; then echo folder; elif [ -f {path} ]; then echo file; fi").stdout.strip()
    if found not in (b"folder", b"file"):
        raise AgentptyError("invalid_input", f"There is no {source} in {env.id}.", "Look with env.exec('ls …').")
    with tempfile.TemporaryFile() as archive:
        if found == b"file":
            # Uses its name only, and the target of a link instead of the link.
            folder, name = posixpath.split(source)
            _fetch(env, f"tar -chf - -C {shlex.quote(folder or '.')} -- {shlex.quote(name)}", archive)
            _extract_file(archive, Path(target))
        else:
            _fetch(env, f"tar -cf - -C {path} .", archive)
            _extract_folder(archive, Path(target))


def _as_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def _run(env: CommandRunner, command: str, input: bytes | None = None) -> ExecResult:
    done = env.exec(command, input=input, timeout=TRANSFER_SECONDS)
    if done.exit_code != 0:
        said = done.stderr.decode(errors="replace").strip()[-500:]
        raise InfraError("machine_unfit", f"Files could not be copied: {said or done.exit_code}")
    return done


def _fetch(env: CommandRunner, command: str, archive: IO[bytes]) -> None:
    """Write the output of `command` into `archive`, whatever its size."""
    kept = _run(env, "mktemp").stdout.decode().strip()
    _run(env, f"{command} > {kept}")
    while True:
        piece = _run(env, f"tail -c +{archive.tell() + 1} {kept} | head -c {PIECE_BYTES}").stdout
        archive.write(piece)
        if len(piece) < PIECE_BYTES:
            break
    _run(env, f"rm -f {kept}")
    archive.seek(0, io.SEEK_SET)


def _extract_file(archive: IO[bytes], target: Path) -> None:
    with tarfile.open(fileobj=archive) as tar:
        for member in tar:
            if member.isreg():
                target.parent.mkdir(parents=True, exist_ok=True)
                _write(tar, member, target)
                return
    raise AgentptyError("invalid_input", "What was asked for is no file.")


def _extract_folder(archive: IO[bytes], target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    root = os.path.realpath(target)
    with tarfile.open(fileobj=archive) as tar:
        for member in tar:
            _extract_member(tar, member, root)


def _extract_member(tar: tarfile.TarFile, member: tarfile.TarInfo, root: str) -> None:
    if posixpath.normpath(member.name) == ".":
        return
    # Earlier links are followed here: their targets must be inside as well.
    parent = _inside(root, posixpath.dirname(member.name), member.name)
    path = Path(parent, posixpath.basename(posixpath.normpath(member.name)))
    os.makedirs(parent, exist_ok=True)
    if member.isdir():
        if path.is_symlink():
            path.unlink()
        path.mkdir(exist_ok=True)
    elif member.isreg():
        _write(tar, member, path)
    elif member.issym():
        if posixpath.isabs(member.linkname):
            return  # It leads to somewhere in the container, which is not there any more.
        _inside(root, os.path.join(parent, member.linkname), member.name)
        _clear(path)
        path.symlink_to(member.linkname)
    elif member.islnk():
        original = _inside(root, member.linkname, member.name)
        _clear(path)
        shutil.copyfile(original, path)
    # Pipes, sockets and devices have no meaning elsewhere.


def _inside(root: str, name: str, asked: str) -> str:
    path = os.path.realpath(os.path.join(root, name))
    if path != root and not path.startswith(root + os.sep):
        raise AgentptyError("invalid_input", f"{asked!r} would be written outside the target.", "Nothing more was copied.")
    return path


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    content = tar.extractfile(member)
    if content is None or member.issparse():
        # A few bytes of archive may announce terabytes of file.
        raise AgentptyError("invalid_input", f"{member.name!r} is a sparse file.", "Copy it inside first.")
    _clear(path)
    with open(path, "wb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(member.mode & 0o777 | 0o600)


def _clear(path: Path) -> None:
    """Write without following a link."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
