import { type Approval, grantCommands, grantMs, grantPlaces, grantTimes } from '@agentpty/protocol/approvals'
import { useSignal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { decide } from '../store/answers.ts'
import { needs, wall } from '../store/store.ts'
import { durationWords } from '../system-clock.ts'

/** Shows the effects, the command to approve, and the reason for the question. */
export function ApprovalCard({ approval }: { readonly approval: Approval }) {
  const { text, resolved, reason, effects, cwd, through, news, expiresAt, state, offer, rule } = approval
  const isAsking = useSignal(false)
  const isMore = text.trim() !== resolved.trim()
  return (
    <>
      <ul class="effects">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <pre class="command-text">{resolved}</pre>
      {isMore && (
        <details open>
          <summary>The whole input</summary>
          <pre class="command-text">{text.trim()}</pre>
        </details>
      )}
      <p>
        <span class="tag type">{rule}</span> {reason}
      </p>
      <p class="quiet">
        in {cwd}
        {through.length > 0 && `, through ${through.join(' → ')}`}. {news}
        {state === 'open' &&
          ` Without an answer within ${durationWords(expiresAt - wall.value)}, it ${rule === 'effects' ? 'fails' : 'is not run'}.`}
      </p>
      {state === 'open' && offer !== null && (
        <button type="button" class="plain grant-button" aria-keyshortcuts="g" onClick={() => (isAsking.value = true)}>
          Allow from now on… <kbd>g</kbd>
        </button>
      )}
      {isAsking.value && <Grant approval={approval} onDone={() => (isAsking.value = false)} />}
    </>
  )
}

function Grant({ approval, onDone }: { readonly approval: Approval; readonly onDone: () => void }) {
  const { offer, approvalId, terminalId } = approval
  const command = useSignal<'same' | 'like'>('same')
  const where = useSignal<'terminal' | 'folder'>(terminalId === null ? 'folder' : 'terminal')
  const forMs = useSignal<number>(grantMs)
  const need = needs.value.find(({ needId }) => needId === approvalId)
  if (offer === null) return null
  const allow = async () => {
    if (need !== undefined) await decide(need, true, { where: where.value, command: command.value, forMs: forMs.value })
    onDone()
  }
  return (
    <Dialog title="Allow from now on" onClose={onDone}>
      <form class="grant" onSubmit={(event) => event.preventDefault()}>
        <Options legend="What" chosen={command} options={grantCommands(offer)} />
        <Options legend="Where" chosen={where} options={grantPlaces(approval)} />
        <Options legend="For" chosen={forMs} options={grantTimes} />
        <div class="choices">
          <button type="button" onClick={onDone}>
            Cancel
          </button>
          <button
            type="button"
            class="main"
            disabled={need === undefined}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            onClick={() => void allow()}
          >
            Allow
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface OptionsProps<Value> {
  readonly legend: string
  readonly chosen: { value: Value }
  readonly options: readonly (readonly [Value, string])[]
}

function Options<Value extends string | number>({ legend, chosen, options }: OptionsProps<Value>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([value, words]) => (
        <label key={value}>
          <input
            type="radio"
            name={legend}
            checked={chosen.value === value}
            onChange={() => {
              chosen.value = value
            }}
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}
