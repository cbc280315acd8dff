"""Measures stepping from Python: one environment after the other, and 64 concurrently. Run it against a built checkout.

Usage: python3 python/bench.py [--environments 64] [--steps 200]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests"))

from support import Instance  # noqa: E402

from agentpty_gym import Client  # noqa: E402
from agentpty_gym.batch import EnvironmentBatch  # noqa: E402


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--environments", type=int, default=64)
    asked.add_argument("--steps", type=int, default=200)
    options = asked.parse_args()
    instance = Instance()
    try:
        with instance.client() as client:
            one_by_one(client, options.steps)
            side_by_side(client, options.environments, options.steps)
    finally:
        instance.stop()


def one_by_one(client: Client, steps: int) -> None:
    batch = EnvironmentBatch(1, client=client, on_infra="raise")
    batch.run(resets={0: None})
    # The daemon's code gets faster with use.
    timed(lambda: batch.run(steps={0: "echo x"}), 30)
    show("one environment, echo", timed(lambda: batch.run(steps={0: "echo x"}), steps))
    show("one environment, reset", timed(lambda: batch.run(resets={0: None}), 20))
    batch.close()


def side_by_side(client: Client, count: int, steps: int) -> None:
    batch = EnvironmentBatch(count, client=client, on_infra="raise")
    every = range(count)
    begun = time.perf_counter()
    batch.run(resets=dict.fromkeys(every))
    print(f"{count} environments, first reset of all: {(time.perf_counter() - begun) * 1_000:.0f} ms")
    begun = time.perf_counter()
    batch.run(resets=dict.fromkeys(every))
    print(f"{count} environments, reset of all again: {(time.perf_counter() - begun) * 1_000:.0f} ms")
    rounds = max(1, steps // 10)
    begun = time.perf_counter()
    taken = timed(lambda: batch.run(steps=dict.fromkeys(every, "echo x")), rounds)
    passed = time.perf_counter() - begun
    show(f"{count} environments, echo in all", taken)
    print(f"{count} environments: {count * rounds / passed:.0f} steps/s")
    batch.close()


def timed(act, times: int) -> list[float]:
    """Milliseconds of each."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        taken.append((time.perf_counter() - begun) * 1_000)
    return taken


def show(what: str, taken: list[float]) -> None:
    ordered = sorted(taken)
    p95 = ordered[int(len(ordered) * 0.95)] if len(ordered) > 1 else ordered[0]
    print(f"{what}: p50 {statistics.median(taken):.2f} ms, p95 {p95:.2f} ms")


if __name__ == "__main__":
    main()
