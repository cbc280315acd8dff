import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import type { Row } from '../store/overview.ts'
import { go } from '../store/route.ts'
import { attempt, mayChange, say } from '../store/store.ts'
import type { OwnLease } from '../terminal/own-lease.ts'
import { view } from './terminal-screen.tsx'

type Asked = 'rename' | 'signal' | 'close' | { readonly text: string } | null

const scrollbackLines = 1_000

export interface TerminalActionsProps {
  readonly row: Row | null
  readonly terminalId: string
  readonly lease: OwnLease
}

/** What can be done with a terminal besides typing. */
export function TerminalActions({ row, terminalId, lease }: TerminalActionsProps) {
  const asked = useSignal<Asked>(null)
  const done = () => {
    asked.value = null
    view.value?.focus()
  }
  const readText = async () => {
    const read = await attempt((client) =>
      client.call('screenshot', { terminalId, format: 'plain', lines: scrollbackLines }),
    )
    return read === null ? null : `${read.screen.trimEnd()}\n`
  }
  const isOpen = row !== null && row.state !== 'exited'
  return (
    <div class="actions" role="toolbar" aria-label="Terminal">
      {mayChange.value && isOpen && lease.lease.value?.mayType === 'both' && (
        <Action
          icon="person"
          label="Take over"
          hint="Take over: agents are kept out until you give it back (Ctrl+Shift+G)"
          onClick={() => void lease.take().then(() => view.value?.focus())}
        />
      )}
      {mayChange.value && isOpen && (
        <Action
          icon="fit"
          label="Fit program to me"
          hint="The program gets the size of this window, for all who look"
          onClick={() => void resizeToFit(terminalId)}
        />
      )}
      <Action
        icon="read"
        label="Read as text"
        onClick={() => void readText().then((text) => (asked.value = text === null ? null : { text }))}
      />
      <Action
        icon="copy"
        label="Copy as text"
        onClick={() => void readText().then((text) => (text === null ? undefined : copy(text)))}
      />
      {mayChange.value && <Action icon="rename" label="Rename" onClick={() => (asked.value = 'rename')} />}
      {mayChange.value && isOpen && (
        <Action icon="signal" label="Send signal" onClick={() => (asked.value = 'signal')} />
      )}
      {mayChange.value && <Action icon="close" label="Close terminal" onClick={() => (asked.value = 'close')} />}
      {asked.value === 'rename' && <Rename row={row} terminalId={terminalId} onDone={done} />}
      {asked.value === 'signal' && <SendSignal terminalId={terminalId} onDone={done} />}
      {asked.value === 'close' && <Close row={row} terminalId={terminalId} onDone={done} />}
      {asked.value !== null && typeof asked.value === 'object' && <Read text={asked.value.text} onDone={done} />}
    </div>
  )
}

interface ActionProps {
  readonly icon: IconName
  readonly label: string
  readonly hint?: string
  readonly onClick: () => void
}

function Action({ icon, label, hint = label, onClick }: ActionProps) {
  return (
    <button type="button" class="plain" aria-label={label} title={hint} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

async function resizeToFit(terminalId: string): Promise<void> {
  const size = view.value?.proposedSize() ?? null
  if (size !== null) await attempt((client) => client.call('resize', { terminalId, ...size }))
  view.value?.focus()
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say('Copied.')
  } catch {
    say('The browser does not let this page copy. “Read as text” shows it to select.', true)
  }
}

interface AskedProps {
  readonly terminalId: string
  readonly onDone: () => void
}

function Rename({ row, terminalId, onDone }: AskedProps & { readonly row: Row | null }) {
  const name = useSignal(row?.name ?? '')
  const rename = async () => {
    const renamed = await attempt((client) => client.call('rename', { terminalId, name: name.value }))
    if (renamed !== null) onDone()
  }
  return (
    <Dialog title={`Rename ${terminalId}`} onClose={onDone}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rename()
        }}
      >
        <label>
          Name
          <input value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} autocomplete="off" />
        </label>
        <div class="choices">
          <button type="button" onClick={onDone}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={name.value === ''}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const signals = [
  ['SIGINT', 'Interrupt'],
  ['SIGTERM', 'End'],
  ['SIGHUP', 'Hang up'],
  ['SIGQUIT', 'Quit with a core'],
  ['SIGKILL', 'Kill'],
] as const

function SendSignal({ terminalId, onDone }: AskedProps) {
  return (
    <Dialog title="Send a signal to the program in the foreground" onClose={onDone}>
      <div class="choices column">
        {signals.map(([name, words]) => (
          <button
            key={name}
            type="button"
            onClick={() =>
              void attempt((client) => client.call('signal', { terminalId, signal: name })).then((sent) => {
                if (sent !== null) say(`${name} was sent.`)
                onDone()
              })
            }
          >
            <code>{name}</code> {words}
          </button>
        ))}
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

function Close({ row, terminalId, onDone }: AskedProps & { readonly row: Row | null }) {
  const close = async () => {
    const closed = await attempt((client) => client.call('close', { terminalId }))
    if (closed === null) onDone()
    else go({ room: 'agents' })
  }
  const hasEnded = row?.state === 'exited'
  return (
    <Dialog title={`Close ${row?.name ?? terminalId}?`} onClose={onDone}>
      <p>{hasEnded ? 'What it has printed is gone then.' : 'Its program and everything that it has started end.'}</p>
      <div class="choices">
        <button type="button" onClick={onDone}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => void close()}>
          Close terminal
        </button>
      </div>
    </Dialog>
  )
}

function Read({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  return (
    <Dialog title="What it shows, as text" onClose={onDone} isWide>
      <pre class="text">{text}</pre>
      <div class="choices">
        <button type="button" onClick={() => void copy(text)}>
          Copy
        </button>
        <button type="button" class="main" onClick={onDone}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
