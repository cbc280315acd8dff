/** What is kept of the agents of an instance: a file of their tasks, and a folder with a file for each artifact. */

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentStore, noAgents, parseKeptAgents } from '../contracts/agents/kept-agents.ts'
import { readPrivate, readPrivateJson, type SetAside, setAside, writePrivate } from './private-file.ts'

const advice = 'Make it readable, or remove it: answers of agents that are there can be captured again.'

/** `folder` is private to the user, and made when something is kept. */
export function agentStore(folder: string, told: SetAside): AgentStore {
  const tasks = join(folder, 'agents.json')
  const artifact = (terminalId: string) => join(folder, `${safeName(terminalId)}.answer.txt`)
  const instruction = (taskId: string) => join(folder, `${safeName(taskId)}.instruction.md`)
  return {
    load: () => {
      const kept = parseKeptAgents(readPrivateJson(tasks, advice))
      if (kept === null && existsSync(tasks)) setAside(tasks, told)
      return kept ?? noAgents
    },
    save: (kept) => writePrivate(tasks, JSON.stringify(kept)),
    loadArtifact: (terminalId) => readPrivate(artifact(terminalId), advice),
    saveArtifact: (terminalId, text) => writePrivate(artifact(terminalId), text),
    dropArtifact: (terminalId) => rmSync(artifact(terminalId), { force: true }),
    saveInstruction: (taskId, text) => {
      writePrivate(instruction(taskId), text)
      return instruction(taskId)
    },
    dropInstruction: (taskId) => rmSync(instruction(taskId), { force: true }),
  }
}

/** An id is the server’s own; whatever else comes here leaves no folder. */
const safeName = (terminalId: string) => terminalId.replaceAll(/[^\w-]/g, '_')
