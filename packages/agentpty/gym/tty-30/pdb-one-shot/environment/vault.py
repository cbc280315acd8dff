"""Makes a ticket in each round, and keeps none."""

import hashlib
import os

ROUNDS = 200


def forge(key: bytes, number: int) -> bytes:
    for _ in range(10):
        key = hashlib.sha256(key + number.to_bytes(4, "big")).digest()
    return key


def main() -> None:
    key = os.read(9, 64)
    if not key:
        raise SystemExit("The key has been read before. It is gone.")
    for number in range(1, ROUNDS + 1):
        key = forge(key, number)
        ticket = hashlib.sha256(b"ticket" + key).hexdigest()[:16]
        del ticket
    print(ROUNDS, "rounds are over.")


main()
