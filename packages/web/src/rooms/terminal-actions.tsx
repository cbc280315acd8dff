import type { Row } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { listedLinks, readLinks } from '../links/link-state.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { lazy } from '../parts/lazy.tsx'
import { go } from '../store/route.ts'
import { attempt, mayChange, say } from '../store/store.ts'
import type { PageLease } from '../terminal/page-lease.ts'
import { copyOutput, copyText } from './copy-output.ts'
import { ReadScreen, readScreen, readTerminalId, textOf, useReadKey } from './read-screen.tsx'
import { SizeControl } from './size-control.tsx'
import { view } from './terminal-screen.tsx'

const LinksDialog = lazy(async () => (await import('./links-dialog.tsx')).LinksDialog)

type OpenDialog = 'rename' | 'signal' | 'close' | null

const scrollbackLines = 1_000

export interface TerminalActionsProps {
  readonly row: Row | null
  readonly terminalId: string
  readonly lease: PageLease
}

/** The actions of a terminal besides typing. */
export function TerminalActions({ row, terminalId, lease }: TerminalActionsProps) {
  const openDialog = useSignal<OpenDialog>(null)
  useReadKey(terminalId)
  const done = () => {
    openDialog.value = null
    view.value?.focus()
  }
  const isOpen = row !== null && row.state !== 'exited'
  return (
    <div class="actions" role="toolbar" aria-label="Terminal">
      {mayChange.value && isOpen && lease.lease.value?.mayType === 'both' && (
        <Action
          icon="person"
          label="Take over"
          hint="Take over: agents cannot type until you return it (Ctrl+Shift+G)"
          onClick={() => void lease.take().then(() => view.value?.focus())}
        />
      )}
      {mayChange.value && isOpen && <SizeControl terminalId={terminalId} row={row} />}
      <Action
        icon="replay"
        label="Replay"
        hint="Replay: past screens and events (r, outside of the terminal)"
        onClick={() => go({ room: 'replay', terminalId })}
      />
      <Action
        icon="read"
        label="Read screen"
        hint="Read screen: its screen as text (Ctrl+Shift+L)"
        onClick={() => readScreen(terminalId)}
      />
      <Action icon="copy" label="Copy as text" onClick={() => void copyScreen(terminalId)} />
      {readLinks.value !== null && (
        <Action
          icon="link"
          label="Links on the screen"
          onClick={() => (listedLinks.value = readLinks.value?.() ?? null)}
        />
      )}
      <CommandActions terminalId={terminalId} />
      {mayChange.value && <Action icon="rename" label="Rename" onClick={() => (openDialog.value = 'rename')} />}
      {mayChange.value && isOpen && (
        <Action icon="signal" label="Send signal" onClick={() => (openDialog.value = 'signal')} />
      )}
      {mayChange.value && <Action icon="close" label="Close terminal" onClick={() => (openDialog.value = 'close')} />}
      {listedLinks.value !== null && (
        <LinksDialog
          terminalId={terminalId}
          links={listedLinks.value}
          onDone={() => {
            listedLinks.value = null
            done()
          }}
        />
      )}
      {openDialog.value === 'rename' && <Rename row={row} terminalId={terminalId} onDone={done} />}
      {openDialog.value === 'signal' && <SendSignal terminalId={terminalId} onDone={done} />}
      {openDialog.value === 'close' && <Close row={row} terminalId={terminalId} onDone={done} />}
      {readTerminalId.value === terminalId && (
        <ReadScreen
          terminalId={terminalId}
          row={row}
          onDone={() => {
            readTerminalId.value = null
            done()
          }}
        />
      )}
    </div>
  )
}

/** The actions for a shell that reports its commands. */
function CommandActions({ terminalId }: { readonly terminalId: string }) {
  const commands = view.value?.commands
  const last = commands?.toCopy.value ?? null
  if (commands === undefined || commands.last.value === null) return null
  return (
    <>
      <Action
        icon="above"
        label="Previous command"
        hint="Previous command (Ctrl+Shift+↑ in the terminal)"
        onClick={() => commands.go(-1)}
      />
      <Action
        icon="below"
        label="Next command"
        hint="Next command (Ctrl+Shift+↓ in the terminal)"
        onClick={() => commands.go(1)}
      />
      {last !== null && (
        <Action
          icon="output"
          label="Copy output of the last command"
          onClick={() => void copyOutput(terminalId, last)}
        />
      )}
    </>
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

async function copyScreen(terminalId: string): Promise<void> {
  const read = await textOf(terminalId, scrollbackLines)
  if (read !== null) await copyText(read.text)
}

interface DialogPartProps {
  readonly terminalId: string
  readonly onDone: () => void
}

function Rename({ row, terminalId, onDone }: DialogPartProps & { readonly row: Row | null }) {
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

function SendSignal({ terminalId, onDone }: DialogPartProps) {
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

function Close({ row, terminalId, onDone }: DialogPartProps & { readonly row: Row | null }) {
  const close = async () => {
    const closed = await attempt((client) => client.call('close', { terminalId }))
    if (closed === null) onDone()
    else go({ room: 'agents' })
  }
  const hasEnded = row?.state === 'exited'
  return (
    <Dialog title={`Close ${row?.name ?? terminalId}?`} onClose={onDone}>
      <p>{hasEnded ? 'Its output will be deleted.' : 'Its program and all processes it has started will end.'}</p>
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
