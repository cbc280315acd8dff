import { nameOf } from '@agentpty/protocol/overview'
import { useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { go, pathOf, type Route } from '../store/route.ts'
import { type Search, search, searchOutput } from '../store/search-output.ts'
import { client, rows, sayError } from '../store/store.ts'

/** Searches the output of all terminals. */
export function OutputSearch() {
  const text = useSignal('')
  const over = useSignal(new AbortController())
  useEffect(
    () => () => {
      over.value.abort()
      search.value = null
    },
    [],
  )
  const start = () => {
    over.value.abort()
    over.value = new AbortController()
    const { signal } = over.value
    const open = client.value
    if (text.value === '' || open === null) {
      search.value = null
      return
    }
    const asked = { text: text.value, rows: rows.value ?? [] }
    searchOutput(open, asked, signal).catch((error: unknown) => !signal.aborted && sayError(error))
  }
  return (
    <search class="output-search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <input
          type="search"
          placeholder="Find in output"
          aria-label="Find in the output of all terminals"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
            if (text.value === '') start()
          }}
        />
        <button type="submit">Find</button>
      </form>
      {search.value !== null && <Results search={search.value} />}
    </search>
  )
}

function Results({ search: { text, found, done, of, isPartial } }: { readonly search: Search }) {
  const names = useComputed(() => new Map((rows.value ?? []).map((row) => [row.terminalId, nameOf(row)])))
  const words = `“${text}” is in ${found.length} of ${done} terminals`
  return (
    <section class="results" aria-label="Found">
      <p class="quiet" role="status">
        {done < of ? `${words}, still searching.` : `${words}.`}
        {isPartial && ` Only the ${of} most recently active were searched.`}
      </p>
      <ul>
        {found.map(({ terminalId, matches, lines }) => {
          const to = { room: 'terminal', terminalId } as const
          return (
            <li key={terminalId}>
              <RoomLink to={to}>
                <span class="name">{names.value.get(terminalId) ?? terminalId}</span>
                <span class="quiet">{matches === 1 ? '1 line' : `${matches} lines`}</span>
              </RoomLink>
              <ul class="hits">
                {lines.map(({ text: line, offset }) => (
                  <li key={offset}>
                    <RoomLink to={{ ...to, at: offset }}>
                      <code>{line}</code>
                    </RoomLink>
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function RoomLink({ to, children }: { readonly to: Route; readonly children: ComponentChildren }) {
  return (
    <a
      href={pathOf(to)}
      onClick={(event) => {
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}
