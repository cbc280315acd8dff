import { signal } from '@preact/signals'
import { mayChange } from '../store/store.ts'
import { Dialog } from './dialog.tsx'

/** True while the list of keys is open. */
export const isKeyHelpOpen = signal(false)

type Keys = readonly (readonly [key: string, does: string])[]

const keysToWatch: Keys = [
  ['t', 'the agents'],
  ['w', 'the wall'],
  ['v', 'recordings'],
  ['r', 'the replay of a terminal, and back to it'],
  ['s', 'the screen of a terminal as text'],
  [',', 'the theme of the page and the font of terminals'],
  ['/', 'the filter'],
  ['j k', 'along a list'],
  ['Enter', 'into the terminal'],
  ['Ctrl+Shift+Esc', 'out of the terminal'],
  ['Ctrl+Shift+L', 'the screen of this terminal as text'],
  ['Ctrl+Shift+C', 'copy the selection'],
]

const keysToChange: Keys = [
  ['n', 'decisions that need you'],
  ['d', 'devices'],
  ['c', 'a new terminal'],
  ['Ctrl+Shift+G', 'take over this terminal, or return it'],
  ['Ctrl+Shift+V', 'paste'],
]

/** A dialog with all keys of the page. */
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
