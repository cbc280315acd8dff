/** `agentpty gym run`: tasks are played and judged, live, as a job of Harbor's files. */

import { type Command, type CommandCall, exitCode, textFlag } from '@agentpty/cli'
import { invalidInput } from '@agentpty/protocol'
import { connecting, runFlags, runRequest } from './run-flags.ts'
import { summaryText, TrialLines } from './trial-lines.ts'

export const runTasks: Command = {
  name: 'gym run',
  usage: 'TASK...',
  summary: 'play tasks and judge them; the results are a job in Harbor’s files',
  group: 'gym',
  words: [1, Number.POSITIVE_INFINITY],
  flags: {
    agent: {
      type: 'string',
      short: 'a',
      value: 'AGENT',
      help: 'who plays: oracle, nop, cheat, an agent by its name, or a command',
    },
    model: { type: 'string', short: 'm', value: 'MODEL', help: 'which model the agent uses' },
    attempts: { type: 'string', value: 'K', help: 'trials of each task (default: 1)' },
    ...runFlags,
  },
  notes: [
    'TASK: the folder of a Harbor task, a folder of such folders, or what comes with agentpty: tty-30, tty-30/htop-kill.',
    'An agent by its name (claude, codex, gemini, …) gets the task as its instruction and types through agentpty’s tools.',
    'A command is a program of yours that speaks JSON lines: it reads what the terminal shows and writes actions (docs/gym.md).',
    'Whatever plays can be watched: agentpty open. Exit code 0: all were judged; 1: the machinery failed in some.',
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
