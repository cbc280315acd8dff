/** What is kept of the agents of an instance: a file of their tasks, and a folder with a file for each artifact. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AgentStore, noAgents, parseKeptAgents } from '../contracts/agents/kept-agents.ts'
import { TermError } from '../contracts/errors.ts'

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** `folder` is private to the user, and made when something is kept. */
export function agentStore(folder: string): AgentStore {
  const tasks = join(folder, 'agents.json')
  const artifact = (terminalId: string) => join(folder, `${safeName(terminalId)}.answer.txt`)
  const instruction = (taskId: string) => join(folder, `${safeName(taskId)}.instruction.md`)
  return {
    load: () => parseKeptAgents(parsed(read(tasks))) ?? noAgents,
    save: (kept) => write(tasks, JSON.stringify(kept)),
    loadArtifact: (terminalId) => read(artifact(terminalId)),
    saveArtifact: (terminalId, text) => write(artifact(terminalId), text),
    dropArtifact: (terminalId) => rmSync(artifact(terminalId), { force: true }),
    saveInstruction: (taskId, text) => {
      write(instruction(taskId), text)
      return instruction(taskId)
    },
    dropInstruction: (taskId) => rmSync(instruction(taskId), { force: true }),
  }
}

/** An id is the server’s own; whatever else comes here leaves no folder. */
const safeName = (terminalId: string) => terminalId.replaceAll(/[^\w-]/g, '_')

/** Null for a file that is not there. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return null
    throw new TermError(
      'environment',
      `${path} cannot be read: ${(error as Error).message}.`,
      'Make it readable, or remove it: answers of agents that are there can be captured again.',
    )
  }
}

/** A torn file counts as none. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    throw new TermError(
      'environment',
      `${path} cannot be written: ${(error as Error).message}.`,
      'Make room on the disk, or make the folder yours.',
    )
  }
}
