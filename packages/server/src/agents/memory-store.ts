/** What is kept of agents, as long as the engine of a program lives. */

import type { KeptInbox, KeptLineage } from '@agentpty/protocol/agents'
import { type AgentStore, type KeptAgents, noAgents } from '@agentpty/protocol/agents'

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
