"""Terminals as environments: reset them, step through them, judge the result. The gym of agentpty, for Python.

`Environment` needs nothing but Python. The modules `gymnasium_env`, `gymnasium_vector`, `gem_env`,
`trl_env` and `harbor_env` speak the interfaces of those projects.
"""

from .batch import Batch
from .client import Client, shared_client
from .env import Environment
from .errors import AgentptyError, InfraError
from .pending import Pending
from .results import Action, ExecResult, ForkResult, Info, ResetResult, StepResult, TaskAbout, Verification
from .spec import AskedTask, Clock, EnvironmentSpec, Layer, Program, Success

__all__ = [
    "Action",
    "AgentptyError",
    "AskedTask",
    "Batch",
    "Client",
    "Clock",
    "Environment",
    "EnvironmentSpec",
    "ExecResult",
    "ForkResult",
    "Info",
    "InfraError",
    "Layer",
    "Pending",
    "Program",
    "ResetResult",
    "StepResult",
    "Success",
    "TaskAbout",
    "Verification",
    "shared_client",
]
