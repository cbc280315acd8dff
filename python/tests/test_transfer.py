"""Files copied out of a container stay inside their target, whatever the archive contains."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (sets the path)

from agentpty_gym.errors import AgentptyError
from agentpty_gym.transfer import _extract_folder


def archive(*members: tuple[str, dict, bytes]) -> io.BytesIO:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, fields, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for field, value in fields.items():
                setattr(member, field, value)
            tar.addfile(member, io.BytesIO(content))
    made.seek(0)
    return made


class Extracting(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.target = self.root / "target"

    def test_nothing_is_written_outside(self) -> None:
        link = {"type": tarfile.SYMTYPE}
        hard = {"type": tarfile.LNKTYPE}
        (self.root / "secret").write_text("secret")
        for name, members in {
            "a name that climbs": [("../evil", {}, b"x")],
            "an absolute name": [(str(self.root / "evil"), {}, b"x")],
            "a link that climbs": [("link", {**link, "linkname": ".."}, b""), ("link/evil", {}, b"x")],
            "a link of links": [
                ("a", {"type": tarfile.DIRTYPE}, b""),
                ("a/b", {**link, "linkname": ".."}, b""),
                ("c", {**link, "linkname": "a/b/.."}, b""),
                ("c/evil", {}, b"x"),
            ],
            "a hard link out": [("stolen", {**hard, "linkname": "../secret"}, b"")],
        }.items():
            with self.subTest(name), self.assertRaises(AgentptyError):
                _extract_folder(archive(*members), self.target)
            self.assertEqual(sorted(one.name for one in self.root.iterdir()), ["secret", "target"])

    def test_links_inside_and_files_through_them_are_copied(self) -> None:
        _extract_folder(
            archive(
                ("./folder", {"type": tarfile.DIRTYPE}, b""),
                ("./link", {"type": tarfile.SYMTYPE, "linkname": "folder"}, b""),
                ("./link/file", {"mode": 0o4755}, b"in"),
                ("./pipe", {"type": tarfile.FIFOTYPE}, b""),
                ("./root", {"type": tarfile.SYMTYPE, "linkname": "/"}, b""),
            ),
            self.target,
        )
        self.assertEqual((self.target / "folder" / "file").read_bytes(), b"in")
        self.assertEqual((self.target / "folder" / "file").stat().st_mode & 0o7777, 0o755)
        self.assertEqual(sorted(os.listdir(self.target)), ["folder", "link"])


if __name__ == "__main__":
    unittest.main()
