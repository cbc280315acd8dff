/** Players that need no model: the task's own solution, a player that does nothing, and players that try to get the reward without the work. */

import { dirname, join } from 'node:path'
import { invalidInput, version } from '@agentpty/protocol'
import { Action, instructionBytesMax } from '@agentpty/protocol/gym'
import { hasFolder, namesInside, readTextInside } from '../folder-files.ts'
import { readKeystrokeSolution } from '../harbor/terminal-bench-task.ts'
import { parseAs } from '../json-text.ts'
import { writeWhole } from '../whole-file.ts'
import { isOver, type Played, type Player, playedQuietly, type Table } from './job-result.ts'
import { lastWordsOf } from './play-log.ts'

const scripted = { version, isScripted: true, model: null }

/** The path from the folder of a task or of its step. */
const keysPlace = 'solution/keys.jsonl'

export const oracle: Player = {
  ...scripted,
  name: 'oracle',
  isSolution: true,
  play: async (table) => {
    const folder = folderOf(table)
    const actions = readActions(folder, keysPlace) ?? terminalBenchActions(folder)
    if (actions !== null) return playActions(actions, table)
    const { task } = table.prepared
    const script =
      table.stepName === null
        ? task.solution
        : (task.steps.find(({ name }) => name === table.stepName)?.solution ?? null)
    if (script !== null) return solve(dirname(script), table)
    throw invalidInput(
      `${folder} has no solution.`,
      `Write ${keysPlace} or solution/solve.sh; without one there is no oracle.`,
    )
  },
}

export const nop: Player = { ...scripted, name: 'nop', play: async () => playedQuietly }

/** `name`: of a file in the task's folder `cheat/`. */
export const cheat = (name: string): Player => ({
  ...scripted,
  name: `cheat:${name}`,
  play: (table) => playActions(readActions(table.prepared.task.folder, `cheat/${name}.jsonl`) ?? [], table),
})

/** Names of the ways in which a task's author has tried to cheat. Errors: `invalid_input` for one with control characters. */
export function cheatsOf(folder: string): readonly string[] {
  if (!hasFolder(folder, 'cheat')) return []
  const names = namesInside(folder, 'cheat').filter((name) => name.endsWith('.jsonl'))
  const odd = names.find((name) => /\p{C}/u.test(name))
  if (odd !== undefined) throw invalidInput(`${folder}: cheat/ has ${JSON.stringify(odd)}.`, 'Give it a plain name.')
  return names.map((name) => name.slice(0, -'.jsonl'.length)).toSorted()
}

const folderOf = ({ prepared: { task }, stepName }: Table): string =>
  stepName === null ? task.folder : join(task.folder, 'steps', stepName)

/** Null for a file that is not there. Errors: `invalid_input`, with the line. */
export function readActions(folder: string, path: string): readonly Action[] | null {
  const text = readTextInside(folder, path, instructionBytesMax)
  if (text === null) return null
  return text.split('\n').flatMap((line, at) => {
    const where = `${join(folder, path)}, line ${at + 1}`
    return line.trim() === '' ? [] : [parseAs(Action, jsonOf(line.trim(), where), where) as Action]
  })
}

function jsonOf(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw invalidInput(`${where} is no JSON.`, 'Write one action a line.')
  }
}

/** The actions that terminal-bench types: a block is waited for until its command ends. */
function terminalBenchActions(folder: string): readonly Action[] | null {
  const commands = readKeystrokeSolution(folder)
  if (commands === null) return null
  return commands.map(({ command, min_timeout_sec, max_timeout_sec, block, append_enter }) => ({
    keystrokes: append_enter ? `${command}\n` : command,
    duration: block ? max_timeout_sec : Math.max(min_timeout_sec, 1),
  }))
}

async function playActions(actions: readonly Action[], { act, signal }: Table): Promise<Played> {
  for (const action of actions) {
    if (signal.aborted) break
    if (isOver(await act(action))) break
  }
  return playedQuietly
}

/** `path`: of the solution's folder, from the task's. */
async function solve(path: string, { inside, prepared, timeoutMs, folder: out }: Table): Promise<Played> {
  await inside.put(prepared.task.folder, path, '/solution')
  const env = { DEBIAN_FRONTEND: 'noninteractive', ...prepared.task.task.solution.env }
  const { output, exitCode } = await inside.run('bash /solution/solve.sh </dev/null', {
    env,
    timeoutMs,
    cwd: prepared.spec.workdir,
  })
  writeWhole(join(out, 'oracle.txt'), output)
  return { exitCode, lastWords: lastWordsOf(output), context: null }
}
