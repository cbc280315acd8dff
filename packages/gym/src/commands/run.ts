/** `agentpty gym run`: tasks are played and judged, live, as a job of Harbor's files. */

import { type Command, type CommandCall, exitCode, textFlag } from '@agentpty/cli'
import { invalidInput } from '@agentpty/protocol'
import { connecting, runFlags, runRequest } from './run-flags.ts'
import { summaryText, TrialLines } from './trial-lines.ts'

export const runTasks: Command = {
  name: 'gym run',
  usage: 'TASK...',
  summary: 'run agents on tasks and score them; the results are Harbor files',
  group: 'gym',
  words: [1, Number.POSITIVE_INFINITY],
  flags: {
    agent: {
      type: 'string',
      short: 'a',
      value: 'AGENT',
      help: 'the player: oracle, nop, cheat, the name of an agent, or a command',
    },
    model: { type: 'string', short: 'm', value: 'MODEL', help: 'the model of the agent' },
    attempts: { type: 'string', value: 'K', help: 'trials of each task; default 1' },
    ...runFlags,
  },
  notes: [
    'TASK: the folder of a Harbor task, a folder of tasks, or a built-in name: tty-30, tty-30/htop-kill.',
    'A named agent (claude, codex, gemini, …) gets the task as its instruction and types with agentpty’s tools.',
    'A command is your program that speaks JSON lines: it reads observations and writes actions (docs/gym.md).',
    'You can watch each trial: agentpty open. Exit code 0: all trials were scored; 1: some environments failed.',
  ],
  examples: [
    'agentpty gym run tty-30 --agent oracle --n 8',
    'agentpty gym run tty-30 --agent claude --out jobs',
    'agentpty gym run ./my-task --agent "python3 my-agent.py" --attempts 5 --json',
  ],
  run: async (call) => {
    const agent = textFlag(call.flags, 'agent')
    if (agent === undefined || agent.trim() === '')
      throw invalidInput('Who plays? --agent is missing.', 'For example: --agent oracle, --agent claude')
    return played(call, agent)
  },
}

async function played(call: CommandCall, agent: string): Promise<number> {
  const { options, flags, json } = call
  const interrupted = new AbortController()
  const stop = options.onInterrupt(() => interrupted.abort())
  const lines = new TrialLines(call)
  try {
    const request = { ...runRequest(call, interrupted.signal), agent, model: textFlag(flags, 'model') }
    const room = await options.gym()
    const summary = await room.run(connecting(options), request, (event) => lines.tell(event))
    lines.clear()
    await options.print(json ? `${JSON.stringify(summary)}\n` : summaryText(summary))
    return summary.rows.some(({ outcome }) => outcome === 'failed' || outcome === 'cancelled')
      ? exitCode.failed
      : exitCode.ok
  } finally {
    lines.clear()
    stop()
  }
}
