import { useMemo } from 'preact/hooks'
import { listedLinks } from '../../links/link-state.ts'
import { targetOf } from '../../links/link-target.ts'
import { isRule, type LinePart, linePartsOf, type PartLook } from '../../phone/line-parts.ts'
import { terminalTheme } from '../../store/terminal-look.ts'

export interface ScreenLineProps {
  /** Text with its colours as escape sequences. */
  readonly row: string
  /** Null if the cursor is in another row. */
  readonly cursorCol: number | null
}

/** A row of the screen. An unchanged row stays the same element, which preserves a selection. */
export function ScreenLine({ row, cursorCol }: ScreenLineProps) {
  const colors = terminalTheme.value
  return useMemo(
    () => (
      <div class={isRule(row) ? 'line rule' : 'line'}>
        {linePartsOf(row, colors, cursorCol).map((part, at) => (
          <Part key={at} part={part} />
        ))}
        {'\n'}
      </div>
    ),
    [row, cursorCol, colors],
  )
}

export function ScrolledLine({ text }: { readonly text: string }) {
  return useMemo(() => <div class={isRule(text) ? 'line rule' : 'line'}>{`${text}\n`}</div>, [text])
}

function Part({ part }: { readonly part: LinePart }) {
  const target = part.link === null ? null : targetOf(part.link)
  if (part.link === null || target?.kind !== 'web') return <StyledText part={part} />
  const show = (event: Event) => {
    // The address is shown before it opens.
    event.preventDefault()
    listedLinks.value = [{ text: part.text, target }]
  }
  return (
    <a class="linked" href={target.href} target="_blank" rel="noopener noreferrer" onClick={show}>
      <StyledText part={part} />
    </a>
  )
}

function StyledText({ part: { text, look, isCursor } }: { readonly part: LinePart }) {
  if (look === null && !isCursor) return <>{text}</>
  return (
    <span class={isCursor ? 'cursor' : undefined} style={look === null || isCursor ? {} : styleOf(look)}>
      {text}
    </span>
  )
}

function styleOf({ color, background, isBold, isDim, isItalic, isUnderlined, isHidden }: PartLook) {
  return {
    color: isHidden ? 'transparent' : color,
    ...(background === null ? {} : { background }),
    ...(isBold ? { fontWeight: '700' } : {}),
    ...(isDim ? { opacity: '0.7' } : {}),
    ...(isItalic ? { fontStyle: 'italic' } : {}),
    ...(isUnderlined ? { textDecoration: 'underline' } : {}),
  }
}
