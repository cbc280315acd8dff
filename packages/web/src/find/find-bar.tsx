/** The bar that finds a text in all kept output of a terminal. Loaded when it is opened for the first time. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../parts/icons.tsx'
import { client } from '../store/store.ts'
import type { LiveTerminal } from '../terminal/live-terminal.ts'
import { opensFind } from './find-keys.ts'
import { statusWords } from './find-query.ts'
import { findRequests, findTerminalId, openBar } from './find-state.ts'
import { Finder } from './finder.ts'

export interface FindBarProps {
  readonly terminalId: string
  readonly view: LiveTerminal
}

/** A longer selection was made to be copied. */
const selectedMax = 100
/** The options stay from one search to the next. */
const kept = { text: '', isCase: false, isRegex: false }

export function FindBar({ terminalId, view }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const text = useSignal(kept.text)
  const isCase = useSignal(kept.isCase)
  const isRegex = useSignal(kept.isRegex)
  const { scrollBack } = view
  const finder = useMemo(
    () => new Finder({ client: () => client.peek(), terminalId, scrollBack }),
    [terminalId, scrollBack],
  )
  const requests = findRequests.value
  useEffect(() => {
    const selected = view.terminal.getSelection()
    if (selected !== '' && selected.length <= selectedMax && !selected.includes('\n')) text.value = selected
    field.current?.focus()
    field.current?.select()
  }, [requests])
  useEffect(() => {
    openBar.keys = { step: (direction) => void finder.step(direction) }
    return () => {
      openBar.keys = null
      finder.close()
    }
  }, [finder])
  const query = { text: text.value, isCase: isCase.value, isRegex: isRegex.value }
  useEffect(() => {
    Object.assign(kept, query)
    void finder.search(query)
  }, [finder, query.text, query.isCase, query.isRegex])
  const newLines = scrollBack.place.value?.newLines ?? 0
  useEffect(() => finder.grown(), [finder, newLines])
  const close = () => {
    findTerminalId.value = null
    view.focus()
  }
  const status = finder.status.value
  const pressed = (event: KeyboardEvent) => {
    if (!actOn(event, { finder, close, isCase, isRegex })) return
    event.preventDefault()
    event.stopPropagation()
  }
  const isWrong = status.kind === 'failed' || status.kind === 'missing'
  return (
    <search class="find-bar" aria-label="Find in the output of this terminal" onKeyDown={pressed}>
      <input
        ref={field}
        aria-label="Find"
        placeholder="Find in all kept output"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={isWrong}
        aria-describedby="find-status"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
      <Toggle label="Match case" hint="Match case (Alt+C)" value={isCase} letters="Aa" />
      <Toggle label="Regular expression" hint="Regular expression (Alt+R)" value={isRegex} letters=".*" />
      <output id="find-status" class={status.kind === 'failed' ? 'failed' : isWrong ? 'missing' : ''}>
        {statusWords(status)}
      </output>
      <Button
        icon="above"
        label="Next match"
        hint="Next match, upwards (Enter)"
        onClick={() => void finder.step('next')}
      />
      <Button
        icon="below"
        label="Previous match"
        hint="Previous match, downwards (Shift+Enter)"
        onClick={() => void finder.step('previous')}
      />
      <Button icon="close" label="Close the find bar" hint="Close (Escape)" onClick={close} />
    </search>
  )
}

interface KeyParts {
  readonly finder: Finder
  readonly close: () => void
  readonly isCase: Signal<boolean>
  readonly isRegex: Signal<boolean>
}

/** Returns false for keys that are not the bar's. */
function actOn(event: KeyboardEvent, { finder, close, isCase, isRegex }: KeyParts): boolean {
  const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event
  if (opensFind(event, false)) {
    findRequests.value += 1
    return true
  }
  if (altKey && !ctrlKey && !metaKey && (event.code === 'KeyC' || event.code === 'KeyR')) {
    const option = event.code === 'KeyC' ? isCase : isRegex
    option.value = !option.value
    return true
  }
  if (altKey || ctrlKey || metaKey) return false
  if (key === 'Escape') close()
  else if (key === 'F3' || (key === 'Enter' && target instanceof HTMLInputElement))
    void finder.step(shiftKey ? 'previous' : 'next')
  else return false
  return true
}

interface ToggleProps {
  readonly label: string
  readonly hint: string
  readonly value: Signal<boolean>
  readonly letters: string
}

function Toggle({ label, hint, value, letters }: ToggleProps) {
  return (
    <button
      type="button"
      class="plain option"
      aria-label={label}
      title={hint}
      aria-pressed={value.value}
      onClick={() => {
        value.value = !value.value
      }}
    >
      {letters}
    </button>
  )
}

interface ButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly hint: string
  readonly onClick: () => void
}

function Button({ icon, label, hint, onClick }: ButtonProps) {
  return (
    <button type="button" class="plain" aria-label={label} title={hint} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
