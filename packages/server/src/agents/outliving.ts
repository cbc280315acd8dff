import type { AgentTerminals } from '@agentpty/protocol/agents'

/** For what goes on after the call of `terminals` has ended. */
export function outliving(terminals: AgentTerminals): AgentTerminals {
  const { signal: _ended, progress: _unread, ...context } = terminals.context
  const { signal } = new AbortController()
  return { ...terminals, context, call: (name, input) => terminals.call(name, input, { signal, progress: () => {} }) }
}
