/** The adapters of known agents. `npm run clients` and the bench of agents run those that need no account. */

import { type Adapter, adapterOfCommand } from './adapter.ts'
import { hookWays } from './hooks-table.ts'
import { type AgentName, rosterRow } from './roster.ts'
import { transcriptShapes } from './transcript-shapes-table.ts'

type Known = Partial<Omit<Adapter, 'name' | 'title' | 'command' | 'transcripts'>> & {
  readonly args?: readonly string[]
}

const escapeKey = ['escape']
const twiceCtrlC = ['ctrl+c', 'ctrl+c']

/** Fields that are not set are as for any command. */
const known: Readonly<Record<AgentName, Known>> = {
  claude: {
    modelFlag: '--model',
    permissions: {
      // Newer ones call it manual in their help; all take this name.
      ask: ['--permission-mode', 'default'],
      edits: ['--permission-mode', 'acceptEdits'],
      all: ['--permission-mode', 'bypassPermissions'],
    },
    conversations: {
      begin: ['--session-id', '{id}'],
      resume: ['--resume', '{id}'],
      fork: ['--resume', '{id}', '--fork-session'],
    },
    hookWay: hookWays.claude,
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  codex: {
    // In its background server turns would outlive the terminal; one that runs already is not used either.
    args: ['--no-daemon'],
    modelFlag: '--model',
    permissions: {
      // Settings, because they follow flags: it refuses a flag that is given twice, and its user may give one of them.
      ask: ['--config', 'approval_policy="on-request"', '--config', 'sandbox_mode="workspace-write"'],
      edits: null,
      all: ['--dangerously-bypass-approvals-and-sandbox'],
    },
    // With a folder given, it does not ask whether the folder of the other conversation is meant.
    conversations: { begin: null, resume: ['resume', '{id}'], fork: ['fork', '--cd', '{cwd}', '{id}'] },
    hookWay: hookWays.codex,
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  gemini: {
    modelFlag: '--model',
    permissions: {
      ask: ['--approval-mode', 'default'],
      edits: ['--approval-mode', 'auto_edit'],
      all: ['--approval-mode', 'yolo'],
    },
    conversations: { begin: ['--session-id', '{id}'], resume: ['--resume', '{id}'], fork: null, shows: '✦' },
    hookWay: hookWays.gemini,
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  copilot: {
    modelFlag: '--model',
    permissions: { ask: [], edits: ['--allow-tool=write'], all: ['--allow-all'] },
    conversations: { begin: ['--session-id={id}'], resume: ['--resume={id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  opencode: {
    modelFlag: '--model',
    permissions: { ask: [], edits: null, all: ['--auto'] },
    conversations: { begin: null, resume: ['--session', '{id}'], fork: ['--session', '{id}', '--fork'] },
    interrupt: ['escape', 'escape'],
    quit: twiceCtrlC,
  },
  qwen: {
    modelFlag: '--model',
    permissions: {
      ask: ['--approval-mode', 'default'],
      edits: ['--approval-mode', 'auto-edit'],
      all: ['--approval-mode', 'yolo'],
    },
    conversations: { begin: null, resume: ['--resume', '{id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  cursor: {
    modelFlag: '--model',
    permissions: { ask: [], edits: null, all: ['--force'] },
    conversations: { begin: null, resume: ['--resume', '{id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  aider: {
    modelFlag: '--model',
    permissions: { ask: [], edits: null, all: ['--yes-always'] },
    interrupt: ['ctrl+c'],
    quit: ['ctrl+d'],
  },
  amp: {
    permissions: { ask: [], edits: null, all: ['--dangerously-allow-all'] },
    conversations: { begin: null, resume: ['threads', 'continue', '{id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  pi: {
    modelFlag: '--model',
    conversations: { begin: null, resume: ['--session', '{id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
  },
  goose: {
    args: ['session'],
    conversations: { begin: null, resume: ['--resume', '--name', '{id}'], fork: null },
    interrupt: ['ctrl+c'],
    quit: ['ctrl+d'],
  },
}

/** By the names of the roster, in its order. */
export const knownAdapters: readonly Adapter[] = (Object.keys(known) as AgentName[]).map((name) => {
  const { title, agentCommand } = rosterRow(name)
  const { args = [], ...more } = known[name]
  return {
    ...adapterOfCommand(name, [agentCommand, ...args]),
    title,
    asksForAnswer: true,
    transcripts: transcriptShapes[name] ?? null,
    ...more,
  }
})
