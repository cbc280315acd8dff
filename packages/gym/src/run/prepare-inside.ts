/** Preparation inside, before the play: commands of the Dockerfile, the files of a step, and the health check. */

import { systemClock } from '@agentpty/engine/system-clock'
import { machineUnfit, pause } from '@agentpty/protocol'
import { type Inside, quoted } from './inside.ts'
import type { PreparedTask } from './prepare-task.ts'

/** Errors: `machine_unfit` where a command fails. */
export async function prepareInside(inside: Inside, { runs, spec, task }: PreparedTask): Promise<void> {
  await runCommands(inside, { runs, spec, task })
  if (task.task.environment.healthcheck !== null) await untilHealthy(inside, task.task.environment.healthcheck)
}

export interface CommandParts extends Pick<PreparedTask, 'runs' | 'task'> {
  readonly spec: Pick<PreparedTask['spec'], 'workdir'>
}

/** RUN of a Dockerfile. Errors: `machine_unfit` where a command fails. */
export async function runCommands(inside: Inside, { runs, spec, task }: CommandParts): Promise<void> {
  for (const { argv, workdir, environment, line } of runs) {
    const cwd = workdir === '/' ? spec.workdir : workdir
    const timeoutMs = task.task.environment.build_timeout_sec * 1_000
    const { exitCode, output } = await inside.run(argv.map(quoted).join(' '), {
      cwd,
      env: { ...environment },
      timeoutMs,
    })
    if (exitCode !== 0)
      throw machineUnfit(
        `Dockerfile, line ${line}: exit code ${exitCode}: ${output.toString().trim().slice(-300)}`,
        'There is no network inside unless it is allowed (--allow-network), and no other user than root.',
      )
  }
}

/** Errors: `machine_unfit`. */
export async function prepareStep(
  inside: Inside,
  { task, spec }: PreparedTask,
  { name, healthcheck }: PreparedTask['task']['task']['steps'][number],
): Promise<void> {
  const step = task.steps.find((one) => one.name === name)
  await inside.run('rm -rf /logs/agent && mkdir -p -m 777 /logs/agent')
  if (step !== undefined && step.workdir !== null) await inside.put(task.folder, step.workdir, spec.workdir)
  if (step !== undefined && step.setup !== null) {
    const { exitCode, output } = await inside.run('bash ./setup.sh </dev/null', { cwd: spec.workdir })
    if (exitCode !== 0)
      throw machineUnfit(
        `setup.sh of step ${name} ended with exit code ${exitCode}: ${output.toString().trim().slice(-300)}`,
        'The trial ends here, as it does with Harbor.',
      )
  }
  if (healthcheck !== null) await untilHealthy(inside, healthcheck)
}

type Healthcheck = NonNullable<PreparedTask['task']['task']['environment']['healthcheck']>

/** Errors: `machine_unfit`. */
async function untilHealthy(inside: Inside, check: Healthcheck): Promise<void> {
  const begun = systemClock.now()
  for (let failures = 0; failures < check.retries; ) {
    const { exitCode } = await inside.run(check.command, { timeoutMs: check.timeout_sec * 1_000 })
    if (exitCode === 0) return
    const isStarting = systemClock.now() - begun < check.start_period_sec * 1_000
    if (!isStarting) failures++
    await pause(systemClock, (isStarting ? check.start_interval_sec : check.interval_sec) * 1_000)
  }
  throw machineUnfit(`"${check.command}" failed ${check.retries} times.`, 'The environment never became healthy.')
}
