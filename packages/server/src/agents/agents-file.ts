/** An instance's agents, in memory or in files: one of tasks, one of the lineage, and one for each artifact. */

import { rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AgentStore, KeptAgents, KeptInbox, KeptLineage, noAgents } from '@agentpty/protocol/agents'
import { tasksInside } from '@agentpty/protocol/sandbox'
import { namesIn, privateJsonFile, readPrivate, type SetAside, writePrivate } from '../files/index.ts'

const advice = 'Make it readable, or remove it: answers of agents that are there can be captured again.'

/** `folder` is private to the user, and made when something is kept. */
export function agentStore(folder: string, report: SetAside): AgentStore {
  const tasks = privateJsonFile(join(folder, 'agents.json'), { schema: KeptAgents, advice, setAside: report })
  const lineage = privateJsonFile<KeptLineage>(join(folder, 'lineage.json'), {
    schema: KeptLineage,
    advice: 'Make it readable, or remove it: groups are lost then.',
    setAside: report,
  })
  const artifact = (terminalId: string) => join(folder, `${safeName(terminalId)}.answer.txt`)
  const instruction = (taskId: string) => join(folder, `${safeName(taskId)}.instruction.md`)
  const inboxAt = (path: string) =>
    privateJsonFile(path, {
      schema: KeptInbox,
      advice: 'Make it readable, or remove it: its messages are lost then.',
      setAside: report,
    })
  const inboxOf = (terminalId: string) => inboxAt(join(folder, `${safeName(terminalId)}${inboxEnding}`))
  return {
    load: () => tasks.read() ?? noAgents,
    save: tasks.write,
    loadArtifact: (terminalId) => readPrivate(artifact(terminalId), advice),
    saveArtifact: (terminalId, text) => writePrivate(artifact(terminalId), text),
    dropArtifact: (terminalId) => rmSync(artifact(terminalId), { force: true }),
    saveInstruction: (taskId, text, where) => {
      const path = where === 'anywhere' ? instruction(taskId) : join(where, basename(instruction(taskId)))
      writePrivate(path, text)
      // A file in the folder of a sandbox is removed with that folder.
      return where === 'anywhere' ? path : join(tasksInside, basename(path))
    },
    dropInstruction: (taskId) => rmSync(instruction(taskId), { force: true }),
    saveSettings: (type, text) => {
      const path = join(folder, `${safeName(type)}.settings.json`)
      writePrivate(path, text)
      return path
    },
    loadLineage: () => lineage.read() ?? [],
    saveLineage: lineage.write,
    loadInboxes: () => inboxPaths(folder).flatMap((path) => inboxAt(path).read() ?? []),
    saveInbox: (kept) => inboxOf(kept.terminalId).write(kept),
    dropInbox: (terminalId) => inboxOf(terminalId).remove(),
  }
}

const inboxEnding = '.inbox.json'

/** The one that was changed last comes last. */
function inboxPaths(folder: string): readonly string[] {
  const paths = namesIn(folder)
    .filter((name) => name.endsWith(inboxEnding))
    .map((name) => join(folder, name))
  const dated = paths.map((path) => ({ path, changedAt: statSync(path).mtimeMs }))
  return dated.toSorted((a, b) => a.changedAt - b.changedAt).map(({ path }) => path)
}

/** An id is the server’s own; whatever else comes here leaves no folder. */
const safeName = (terminalId: string) => terminalId.replaceAll(/[^\w-]/g, '_')

/** A store in memory, for as long as the engine of a program lives. */
export function memoryStore(): AgentStore {
  let kept: KeptAgents = noAgents
  let lineage: KeptLineage = []
  const artifacts = new Map<string, string>()
  const inboxes = new Map<string, KeptInbox>()
  return {
    load: () => kept,
    save: (next) => {
      kept = next
    },
    loadArtifact: (terminalId) => artifacts.get(terminalId) ?? null,
    saveArtifact: (terminalId, text) => void artifacts.set(terminalId, text),
    dropArtifact: (terminalId) => void artifacts.delete(terminalId),
    saveInstruction: () => null,
    dropInstruction: () => undefined,
    saveSettings: () => null,
    loadLineage: () => lineage,
    saveLineage: (next) => {
      lineage = next
    },
    loadInboxes: () => [...inboxes.values()],
    saveInbox: (inbox) => void inboxes.set(inbox.terminalId, inbox),
    dropInbox: (terminalId) => void inboxes.delete(terminalId),
  }
}
