"""The key opens with the passphrase and not without, and nobody has seen it."""

import sys

sys.path.insert(0, "/tests")
import os  # noqa: E402
import subprocess  # noqa: E402

from judge import expected, judge, read_bytes, screen, shown, steps  # noqa: E402

KEY = "/tmp/key"


def public_half(passphrase: str) -> str | None:
    words = ["ssh-keygen", "-y", "-P", passphrase, "-f", KEY]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def check() -> bool:
    comment, secret = expected()["comment"], expected()["secret"]
    with open(os.open(KEY, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(read_bytes("/app/id_work", 10_000))
    opened = (public_half(secret) or "").split()
    seen = [shown(), screen(), *(step["observation"] for step in steps())]
    is_right = opened[:1] == ["ssh-ed25519"] and opened[2:] == [comment]
    return is_right and public_half("") is None and not any(secret in text for text in seen)


judge(check)
