import { isKeyHelpOpen } from '../store/palette.ts'
import { mayChange } from '../store/store.ts'
import { Dialog } from './dialog.tsx'

type Keys = readonly (readonly [key: string, does: string])[]

const keysToWatch: Keys = [
  ['t', 'the agents'],
  ['w', 'the wall'],
  ['v', 'recordings'],
  ['r', 'the replay of a terminal, and back to it'],
  ['s', 'the screen of a terminal as text'],
  [',', 'the theme of the page and the font of terminals'],
  ['Ctrl+K', 'all views, terminals and actions; also Ctrl+Shift+P'],
  ['/', 'the filter'],
  ['j k', 'along a list'],
  ['← →', 'fold and unfold a branch of the list; 5 s back and forward in a replay'],
  ['p', 'pin a terminal of the list; the previous command in a replay'],
  ['Space', 'play and pause a replay; + and - change its speed, Home and End lead to its ends'],
  ['Enter', 'into the terminal'],
  ['Ctrl+Shift+Esc', 'out of the terminal'],
  ['Ctrl+Shift+L', 'the screen of this terminal as text'],
  ['Ctrl+Shift+↑ ↓', 'the previous and the next command in the terminal'],
  ['Ctrl+Shift+5', 'show another terminal beside this one'],
  ['Ctrl+Shift+← →', 'the previous and the next terminal of a split view'],
  ['Ctrl+F', 'find in all output of the terminal (Cmd on macOS); Ctrl+Shift+F in a full-screen program'],
  [
    'Enter F3',
    'the next match of the find bar, upwards; with Shift the previous one; Alt+C case, Alt+R regular expression',
  ],
  ['Ctrl+click', 'open a link in the terminal (Cmd on macOS)'],
  ['Ctrl+Shift+C', 'copy the selection'],
  ['Ctrl+Shift+M', 'copy the selection as Markdown, or the last command and its output'],
]

const keysToChange: Keys = [
  ['n', 'decisions that need you'],
  ['d', 'devices'],
  ['a x y …', 'answer a need: each button shows its key'],
  ['c', 'a new terminal'],
  ['Ctrl+Shift+G', 'take over this terminal, or return it'],
  ['Ctrl+Shift+V', 'paste'],
]

/** A dialog with all keys of the page. */
export function KeyHelp() {
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
