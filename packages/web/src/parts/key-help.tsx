import { signal } from '@preact/signals'
import { mayChange } from '../store/store.ts'
import { Dialog } from './dialog.tsx'

/** The list of keys is open. */
export const isKeyHelpOpen = signal(false)

type Keys = readonly (readonly [key: string, does: string])[]

const keysToWatch: Keys = [
  ['t', 'the agents'],
  ['w', 'the wall'],
  ['v', 'recordings'],
  ['r', 'the replay of a terminal, and back'],
  ['s', 'the screen of a terminal as text'],
  ['/', 'the filter'],
  ['j k', 'along a list'],
  ['Enter', 'into the terminal'],
  ['Ctrl+Shift+Esc', 'out of the terminal'],
  ['Ctrl+Shift+L', 'the screen of this terminal as text'],
  ['Ctrl+Shift+C', 'copy the selection'],
]

const keysToChange: Keys = [
  ['n', 'what needs you'],
  ['d', 'devices'],
  ['c', 'a new terminal'],
  ['Ctrl+Shift+G', 'take this terminal over, and give it back'],
  ['Ctrl+Shift+V', 'paste'],
]

/** All keys of the page, in a dialog. */
export function KeyHelp() {
  if (!isKeyHelpOpen.value) return null
  const close = () => {
    isKeyHelpOpen.value = false
  }
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="key-help">
        {[...keysToWatch, ...(mayChange.value ? keysToChange : [])].map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="choices">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
