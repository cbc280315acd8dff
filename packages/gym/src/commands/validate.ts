/** `agentpty gym validate`: whether tasks reward the work and nothing else. */

import { type Command, exitCode } from '@agentpty/cli'
import { connecting, runFlags, runRequest } from './run-flags.ts'
import { TrialLines } from './trial-lines.ts'

export const validateTasks: Command = {
  name: 'gym validate',
  usage: 'TASK...',
  summary: 'check tasks: the solution scores 1, doing nothing 0, and each cheat 0',
  group: 'gym',
  words: [1, Number.POSITIVE_INFINITY],
  flags: runFlags,
  examples: ['agentpty gym validate ./my-task', 'agentpty gym validate tty-30 --seeds 1..5 --n 8'],
  run: async (call) => {
    const { options, json } = call
    const interrupted = new AbortController()
    const stop = options.onInterrupt(() => interrupted.abort())
    const lines = new TrialLines(call)
    try {
      const room = await options.gym()
      const request = runRequest(call, interrupted.signal)
      const validation = await room.validate(connecting(options), request, (event) => lines.tell(event))
      lines.clear()
      const { faults, tasks, rows } = validation
      const listed = faults.map(({ task, fault }) => `  ${task}: ${fault}\n`).join('')
      const verdict =
        faults.length === 0
          ? `All ${tasks} tasks are as they should be (${rows.length} plays).\n`
          : `${faults.length} faults:\n${listed}`
      await options.print(json ? `${JSON.stringify(validation)}\n` : `\n${verdict}`)
      return faults.length === 0 && !interrupted.signal.aborted ? exitCode.ok : exitCode.failed
    } finally {
      lines.clear()
      stop()
    }
  },
}
