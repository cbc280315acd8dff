import { useComputed, useSignal } from '@preact/signals'
import { Icon } from '../parts/icons.tsx'
import { State } from '../parts/state.tsx'
import type { TreeRow } from '../store/overview.ts'
import { go, pathOf } from '../store/route.ts'
import { attempt, mayChange, rows, tree } from '../store/store.ts'

/** All terminals, each below the one from which it was opened. */
export function AgentsRoom() {
  const filter = useSignal('')
  const shown = useComputed(() => {
    const words = filter.value.toLowerCase().split(/\s+/)
    return tree.value.filter((row) => {
      const text = `${row.terminalId} ${row.name ?? ''} ${row.command} ${row.cwd} ${row.state}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  })
  return (
    <main class="room" aria-labelledby="agents-title">
      <header class="bar">
        <h1 id="agents-title">Agents</h1>
        <span class="count">{rows.value === null ? '' : summary()}</span>
        <input
          type="search"
          class="filter"
          placeholder="Filter"
          aria-label="Filter terminals"
          aria-keyshortcuts="/"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value
          }}
        />
        {mayChange.value && (
          <button type="button" class="main" aria-keyshortcuts="c" onClick={() => void openTerminal()}>
            <Icon name="add" />
            New terminal
          </button>
        )}
      </header>
      {rows.value?.length === 0 && <Nothing />}
      {shown.value.length > 0 && (
        <ul class="rows">
          {shown.value.map((row) => (
            <AgentRow key={row.terminalId} row={row} />
          ))}
        </ul>
      )}
      {rows.value !== null && rows.value.length > 0 && shown.value.length === 0 && (
        <p class="nothing">Nothing matches “{filter.value}”.</p>
      )}
    </main>
  )
}

export async function openTerminal(): Promise<void> {
  const opened = await attempt((client) => client.call('create', { waitFor: 'none' }))
  if (opened !== null) go({ room: 'terminal', terminalId: opened.terminalId })
}

function summary(): string {
  const all = rows.value ?? []
  const open = all.filter(({ state }) => state !== 'exited').length
  const asking = all.filter(({ needsPerson }) => needsPerson).length
  return `${open} open${asking === 0 ? '' : `, ${asking} ${asking === 1 ? 'asks' : 'ask'} you`}`
}

function AgentRow({ row }: { readonly row: TreeRow }) {
  const { terminalId, name, command, cwd, depth, question, isSandboxed } = row
  const to = { room: 'terminal', terminalId } as const
  return (
    <li class="row" style={{ '--depth': Math.min(depth, 6) }}>
      <a
        href={pathOf(to)}
        onClick={(event) => {
          event.preventDefault()
          go(to)
        }}
      >
        <State row={row} />
        <span class="name">{name ?? terminalId}</span>
        <span class="command" title={command}>
          {question ?? command}
        </span>
        <span class="where" title={cwd}>
          {shortFolder(cwd)}
        </span>
        <span class="id">
          {isSandboxed && (
            <span title="Behind walls">
              <Icon name="lock" />
            </span>
          )}
          {terminalId}
        </span>
      </a>
    </li>
  )
}

/** The last two names of a folder are what tells it from others. */
function shortFolder(folder: string): string {
  const names = folder.split('/').filter((name) => name !== '')
  return names.length <= 2 ? folder : `…/${names.slice(-2).join('/')}`
}

function Nothing() {
  return (
    <div class="nothing">
      <p>No terminals are open.</p>
      <p class="quiet">
        Agents open them by MCP, you by <code>agentpty new</code>, or here.
      </p>
      {mayChange.value && (
        <button type="button" class="main" onClick={() => void openTerminal()}>
          <Icon name="add" />
          New terminal
        </button>
      )}
    </div>
  )
}
