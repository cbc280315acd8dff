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
      </div>
    </main>
  )
}
