/** The dialogs of a terminal's actions. Loaded with the first of them that is opened. */

import type { Row } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { go } from '../store/route.ts'
import { attempt, say } from '../store/store.ts'

interface DialogPartProps {
  readonly terminalId: string
  readonly onDone: () => void
}

export function Rename({ row, terminalId, onDone }: DialogPartProps & { readonly row: Row | null }) {
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

export function SendSignal({ terminalId, onDone }: DialogPartProps) {
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

export function Close({ row, terminalId, onDone }: DialogPartProps & { readonly row: Row | null }) {
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
