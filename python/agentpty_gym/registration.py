"""Registers "agentpty/Terminal-v0" with gymnasium, which calls this itself if the package is installed."""

from __future__ import annotations

ENVIRONMENT_ID = "agentpty/Terminal-v0"


def register() -> None:
    """Register ``agentpty/Terminal-v0`` for ``gymnasium.make`` and ``make_vec``. Repeating it is no error."""
    # Here, because gymnasium is only partly imported when it calls this.
    from gymnasium.envs import registration

    if ENVIRONMENT_ID in registration.registry:
        return
    registration.register(
        id=ENVIRONMENT_ID,
        entry_point="agentpty_gym.gymnasium_env:TerminalEnv",
        vector_entry_point="agentpty_gym.gymnasium_vector:TerminalVectorEnv",
        # The behaviour of real programs depends on more than a seed.
        nondeterministic=True,
    )
