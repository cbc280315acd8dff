"""The letter comes back with the passphrase, and nobody has seen it."""

import sys

sys.path.insert(0, "/tests")
import subprocess  # noqa: E402

from judge import expected, judge, read_bytes, screen, shown, steps  # noqa: E402


def check() -> bool:
    letter, secret = expected()["letter"], expected()["secret"]
    words = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", secret, "--decrypt"]
    sealed = read_bytes("/app/letter.txt.gpg", 100_000)
    done = subprocess.run(words, input=sealed, capture_output=True, timeout=60, check=False)
    seen = [shown(), screen(), *(step["observation"] for step in steps())]
    is_sealed = letter.encode() not in sealed and done.returncode == 0
    return is_sealed and done.stdout == letter.encode() and not any(secret in text for text in seen)


judge(check)
