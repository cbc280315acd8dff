"""Makes "agentpty/Terminal-v0" known to gymnasium, which calls this itself where the package is installed."""

from __future__ import annotations

ENVIRONMENT_ID = "agentpty/Terminal-v0"


def register() -> None:
    """So that ``gymnasium.make`` and ``make_vec`` know ``agentpty/Terminal-v0``. Again is no error."""
    # Here, since gymnasium is half imported when it calls this.
    from gymnasium.envs import registration

    if ENVIRONMENT_ID in registration.registry:
        return
    registration.register(
        id=ENVIRONMENT_ID,
        entry_point="agentpty_gym.gymnasium_env:TerminalEnv",
        vector_entry_point="agentpty_gym.gymnasium_vector:TerminalVectorEnv",
        # What real programs do depends on more than a seed.
        nondeterministic=True,
    )
