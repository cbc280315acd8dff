import { nameOf, rowWords } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { EntryList } from '../parts/entry-list.tsx'
import type { PaletteEntry } from '../store/palette.ts'
import { attempt, mayChange, rows } from '../store/store.ts'
import { type Arrangement, type Side, slotsMax, terminalsOf } from './layout.ts'
import { arrangeView, hasRoom, isSplit, isSplitting, layoutOf, splitWith } from './split-views.ts'

const sides: readonly (readonly [Side, string])[] = [
  ['right', 'Right'],
  ['below', 'Below'],
  ['left', 'Left'],
  ['above', 'Above'],
]

export const arrangements: readonly (readonly [Arrangement, string])[] = [
  ['columns', 'Columns'],
  ['rows', 'Rows'],
  ['grid', 'Grid'],
]

/** A dialog that chooses a terminal to show beside the one with the focus. */
export function ChooseTerminal({ terminalId }: { readonly terminalId: string }) {
  const side = useSignal<Side>('right')
  const shown = new Set(terminalsOf(layoutOf(terminalId)))
  const row = rows.value?.find((one) => one.terminalId === terminalId)
  const close = () => {
    isSplitting.value = false
  }
  return (
    <Dialog title={`Show beside ${row === undefined ? terminalId : nameOf(row)}`} onClose={close}>
      {hasRoom(terminalId) ? (
        <>
          <fieldset class="choices">
            <legend class="quiet">Where</legend>
            {sides.map(([one, label]) => (
              <label key={one} class="check">
                <input type="radio" name="side" checked={side.value === one} onChange={() => (side.value = one)} />
                {label}
              </label>
            ))}
          </fieldset>
          <EntryList
            label="Terminal"
            entries={entriesBeside(terminalId, shown, () => side.value)}
            chosen={(entry) => {
              close()
              // The focus has returned to the page when the entry runs.
              queueMicrotask(entry.run)
            }}
          />
        </>
      ) : (
        <p>A split view shows at most {slotsMax} terminals. Remove one of them first.</p>
      )}
      {isSplit(terminalId) && (
        <div class="choices">
          <span class="quiet">Same space for all:</span>
          {arrangements.map(([arrangement, label]) => (
            <button
              key={arrangement}
              type="button"
              onClick={() => {
                arrangeView(terminalId, arrangement)
                close()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  )
}

function entriesBeside(at: string, shown: ReadonlySet<string>, side: () => Side): readonly PaletteEntry[] {
  const others = (rows.value ?? []).filter(({ terminalId }) => !shown.has(terminalId))
  const create = {
    id: 'new',
    label: 'New terminal',
    detail: '',
    shortcut: '',
    run: () =>
      void attempt((client) => client.call('create', { waitFor: 'none' })).then((opened) => {
        if (opened !== null) splitWith(at, side(), opened.terminalId)
      }),
  }
  return [
    ...others.map((row) => ({
      id: row.terminalId,
      label: nameOf(row),
      detail: `${row.terminalId} · ${rowWords(row)} · ${row.cwd}`,
      shortcut: '',
      run: () => splitWith(at, side(), row.terminalId),
    })),
    ...(mayChange.value ? [create] : []),
  ]
}
