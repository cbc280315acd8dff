import { useSignal } from '@preact/signals'
import { useAddress } from '../session/sign-in.ts'
import { refusal } from '../store/store.ts'

/** The view of a browser that is not signed in, or no longer. */
export function SignedOut() {
  return (
    <main class="signed-out">
      <div class="card">
        <p class="mark" aria-hidden="true">
          ›_
        </p>
        <h1>Open this page from your terminal</h1>
        <p>
          This browser is not signed in. Run this on the machine where agentpty runs. The address it opens works once
          and expires after a minute.
        </p>
        <pre>agentpty open</pre>
        {refusal.value !== null && (
          <p class="refusal" role="alert">
            {refusal.value}
          </p>
        )}
        <AddressForm />
      </div>
    </main>
  )
}

/** For an installed page, which has no address bar. */
function AddressForm() {
  const address = useSignal('')
  const isWrong = useSignal(false)
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault()
        isWrong.value = !useAddress(address.value)
      }}
    >
      <label>
        <span>
          Or paste the address of <code>agentpty open --print</code>:
        </span>
        <input
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isWrong.value}
          onInput={({ currentTarget }) => {
            address.value = currentTarget.value
          }}
        />
      </label>
      <button type="submit">Sign in</button>
      {isWrong.value && <p role="alert">That is not an address of agentpty open.</p>}
    </form>
  )
}
