import { Icon } from '../parts/icons.tsx'
import { toneOf, wordsOf } from '../terminal/command-marks.ts'
import type { LiveTerminal } from '../terminal/live-terminal.ts'
import { copyAsMarkdown, copyOutput } from './copy-output.ts'

export interface CommandHeadingProps {
  readonly live: LiveTerminal
  readonly terminalId: string
}

/** The command whose output a person reads, above that output while its prompt is out of view. */
export function CommandHeading({ live, terminalId }: CommandHeadingProps) {
  const command = live.heading.value
  if (command === null) return null
  const done = () => live.focus()
  return (
    <section class={`command-heading ${toneOf(command)}`} aria-label="Command of this output">
      <button
        type="button"
        class="plain line"
        title="Go to this command"
        onClick={() => {
          live.goToCommand(command)
          done()
        }}
      >
        {command.line}
      </button>
      <span class="quiet">{wordsOf(command)}</span>
      <button
        type="button"
        class="plain"
        aria-label="Copy its output"
        title="Copy its output"
        onClick={() => void copyOutput(terminalId, command).then(done)}
      >
        <Icon name="output" />
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Copy as Markdown"
        title="Copy the command and its output as Markdown"
        onClick={() => void copyAsMarkdown(terminalId, command).then(done)}
      >
        <Icon name="copy" />
      </button>
    </section>
  )
}
