import type { Row } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { openFind } from '../find/find-state.ts'
import { listedLinks, readLinks } from '../links/link-state.ts'
import { openingKey } from '../links/open-link.ts'
import { Icon, type IconName } from '../parts/icons.tsx'
import { lazy } from '../parts/lazy.tsx'
import { isPhone } from '../phone/is-phone.ts'
import { isSplitting } from '../split/split-views.ts'
import { go } from '../store/route.ts'
import { view } from '../store/shown-screens.ts'
import { mayChange } from '../store/store.ts'
import type { PageLease } from '../terminal/page-lease.ts'
import { copyOutput, copyText } from './copy-output.ts'
import { ReadScreen, readScreen, readTerminalId, textOf, useReadKey } from './read-screen.tsx'
import { SizeControl } from './size-control.tsx'

const Rename = lazy(async () => (await import('./terminal-dialogs.tsx')).Rename)
const SendSignal = lazy(async () => (await import('./terminal-dialogs.tsx')).SendSignal)
const Close = lazy(async () => (await import('./terminal-dialogs.tsx')).Close)
const ChooseTerminal = lazy(async () => (await import('../split/choose-terminal.tsx')).ChooseTerminal)
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
      {!isPhone.value && (
        <Action
          icon="split"
          label="Split view"
          hint="Split view: show another terminal beside it (Ctrl+Shift+5)"
          onClick={() => (isSplitting.value = true)}
        />
      )}
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
      {(view.value !== null || isPhone.value) && (
        <Action
          icon="find"
          label="Find"
          hint={`Find in all kept output (${openingKey}+F in the terminal)`}
          onClick={() => openFind(terminalId)}
        />
      )}
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
      <SharedDialogs row={row} terminalId={terminalId} />
      {openDialog.value === 'rename' && <Rename row={row} terminalId={terminalId} onDone={done} />}
      {openDialog.value === 'signal' && <SendSignal terminalId={terminalId} onDone={done} />}
      {openDialog.value === 'close' && <Close row={row} terminalId={terminalId} onDone={done} />}
    </div>
  )
}

/** The dialogs that keys and other views open, too. */
function SharedDialogs({ row, terminalId }: Pick<TerminalActionsProps, 'row' | 'terminalId'>) {
  const done = () => view.value?.focus()
  return (
    <>
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
      {isSplitting.value && <ChooseTerminal terminalId={terminalId} />}
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
    </>
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
        onClick={() => view.peek()?.goToNeighbour(-1)}
      />
      <Action
        icon="below"
        label="Next command"
        hint="Next command (Ctrl+Shift+↓ in the terminal)"
        onClick={() => view.peek()?.goToNeighbour(1)}
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
