import { Dialog } from '../parts/dialog.tsx'
import {
  appearance,
  changeAppearance,
  fontName,
  fontSizeMax,
  fontSizeMin,
  isAppearanceOpen,
  themeChoices,
  themeWords,
  usualAppearance,
  withinSizes,
} from '../store/appearance.ts'
import { terminalLook } from '../store/terminal-look.ts'

/** Fonts that many systems have; others can be typed. */
const knownFonts = [
  'Cascadia Mono',
  'Consolas',
  'DejaVu Sans Mono',
  'Fira Code',
  'Hack',
  'IBM Plex Mono',
  'JetBrains Mono',
  'Menlo',
  'SF Mono',
  'Source Code Pro',
  'Ubuntu Mono',
]

/** The theme of the page, and the font of terminals. Each choice takes effect immediately, in this browser only. */
export function AppearanceDialog() {
  const close = () => {
    isAppearanceOpen.value = false
  }
  return (
    <Dialog title="Appearance" onClose={close}>
      <div class="appearance-form">
        <Themes />
        <Font />
        <Sample />
        <p class="quiet">
          Stored in this browser. Terminals are dark in every theme, because programs choose their colours for that.
        </p>
      </div>
      <div class="choices">
        <button type="button" onClick={() => changeAppearance(usualAppearance)}>
          Reset
        </button>
        <button type="button" class="main" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

function Themes() {
  return (
    <fieldset class="kinds" aria-label="Theme">
      {themeChoices.map((theme) => (
        <button
          key={theme}
          type="button"
          class="kind"
          aria-pressed={appearance.value.theme === theme}
          onClick={() => changeAppearance({ theme })}
        >
          {themeWords[theme]}
        </button>
      ))}
    </fieldset>
  )
}

function Font() {
  const { font, fontSize } = appearance.value
  return (
    <div class="fonts">
      <label>
        Font of terminals
        <input
          list="known-fonts"
          value={font}
          placeholder="The usual one"
          autocomplete="off"
          spellcheck={false}
          onChange={({ currentTarget }) => changeAppearance({ font: fontName(currentTarget.value) })}
        />
      </label>
      <datalist id="known-fonts">
        {knownFonts.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label>
        Size
        <input
          type="number"
          min={fontSizeMin}
          max={fontSizeMax}
          value={fontSize ?? ''}
          placeholder={String(terminalLook.value.fontSize)}
          onChange={({ currentTarget: { value } }) =>
            changeAppearance({ fontSize: value === '' ? null : withinSizes(Number(value)) })
          }
        />
      </label>
    </div>
  )
}

const sampled = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'brightBlack'] as const

/** A line in the font, the size and the colours of terminals. */
function Sample() {
  const { theme, fontSize } = terminalLook.value
  return (
    <pre class="terminal-sample" style={{ fontSize: `${fontSize}px` }}>
      $ il1 O0{'\n'}
      {sampled.map((name) => (
        <span key={name} style={{ color: theme[name] }}>
          {`${name === 'brightBlack' ? 'gray' : name} `}
        </span>
      ))}
    </pre>
  )
}
