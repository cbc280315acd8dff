/** What is kept of the agents of an instance: a file of their tasks, one of the lineage, and a folder with a file for each artifact. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type AgentStore,
  type KeptInbox,
  noAgents,
  parseKeptAgents,
  parseKeptInbox,
  parseKeptLineage,
} from '@agentpty/protocol/agents'
import { tasksInside } from '@agentpty/protocol/sandbox'
import { readPrivate, readPrivateJson, type SetAside, setAside, writePrivate } from '../files/index.ts'

const advice = 'Make it readable, or remove it: answers of agents that are there can be captured again.'

/** `folder` is private to the user, and made when something is kept. */
export function agentStore(folder: string, told: SetAside): AgentStore {
  const tasks = join(folder, 'agents.json')
  const lineage = join(folder, 'lineage.json')
  const artifact = (terminalId: string) => join(folder, `${safeName(terminalId)}.answer.txt`)
  const instruction = (taskId: string) => join(folder, `${safeName(taskId)}.instruction.md`)
  const inbox = (terminalId: string) => join(folder, `${safeName(terminalId)}${inboxEnding}`)
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
    saveInstruction: (taskId, text, where) => {
      const path = where === 'anywhere' ? instruction(taskId) : join(where, basename(instruction(taskId)))
      writePrivate(path, text)
      // What lies in the folder of a sandbox goes with it.
      return where === 'anywhere' ? path : join(tasksInside, basename(path))
    },
    dropInstruction: (taskId) => rmSync(instruction(taskId), { force: true }),
    saveSettings: (type, text) => {
      const path = join(folder, `${safeName(type)}.settings.json`)
      writePrivate(path, text)
      return path
    },
    loadLineage: () => {
      const kept = parseKeptLineage(readPrivateJson(lineage, 'Make it readable, or remove it: groups are lost then.'))
      if (kept === null && existsSync(lineage)) setAside(lineage, told)
      return kept ?? []
    },
    saveLineage: (kept) => writePrivate(lineage, JSON.stringify(kept)),
    loadInboxes: () => loadInboxes(folder, told),
    saveInbox: (kept) => writePrivate(inbox(kept.terminalId), JSON.stringify(kept)),
    dropInbox: (terminalId) => rmSync(inbox(terminalId), { force: true }),
  }
}

const inboxEnding = '.inbox.json'

/** The one that was changed last comes last. */
function loadInboxes(folder: string, told: SetAside): readonly KeptInbox[] {
  if (!existsSync(folder)) return []
  const paths = readdirSync(folder)
    .filter((name) => name.endsWith(inboxEnding))
    .map((name) => join(folder, name))
  const known = paths.map((path) => ({ path, changedAt: statSync(path).mtimeMs }))
  return known
    .toSorted((a, b) => a.changedAt - b.changedAt)
    .flatMap(({ path }) => {
      const kept = parseKeptInbox(readPrivateJson(path, 'Make it readable, or remove it: its messages are lost then.'))
      if (kept === null) setAside(path, told)
      return kept ?? []
    })
}

/** An id is the server’s own; whatever else comes here leaves no folder. */
const safeName = (terminalId: string) => terminalId.replaceAll(/[^\w-]/g, '_')
