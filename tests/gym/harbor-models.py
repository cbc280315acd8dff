"""Validates the files of a job by Harbor's own models. Prints one line per file that is refused, then `N accepted, N refused`."""

import sys
from pathlib import Path

from harbor.models.job.config import JobConfig
from harbor.models.job.lock import JobLock
from harbor.models.job.result import JobResult
from harbor.models.task.config import TaskConfig
from harbor.models.trajectories.trajectory import Trajectory
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult

job = Path(sys.argv[1])
readers = [
    ("result.json", JobResult.model_validate_json),
    ("config.json", JobConfig.model_validate_json),
    ("lock.json", JobLock.model_validate_json),
    ("*/result.json", TrialResult.model_validate_json),
    ("*/config.json", TrialConfig.model_validate_json),
    ("*/agent/trajectory.json", Trajectory.model_validate_json),
    ("*/task/task.toml", TaskConfig.model_validate_toml),
]
accepted = refused = 0
for pattern, read in readers:
    files = sorted(job.glob(pattern))
    if not files:
        print(f"{pattern}: there is none")
        refused += 1
    for file in files:
        try:
            read(file.read_text())
            accepted += 1
        except ValueError as error:
            print(f"{file}: {error}")
            refused += 1
print(f"{accepted} accepted, {refused} refused")
