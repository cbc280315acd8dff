import { refusal } from '../store/store.ts'

/** For a browser that is not signed in, or not any more. */
export function SignedOut() {
  return (
    <main class="signed-out">
      <div class="card">
        <p class="mark" aria-hidden="true">
          ›_
        </p>
        <h1>Open this page from your terminal</h1>
        <p>
          This browser is not signed in. Run this where agentpty runs; the address that it opens is good once, for a
          minute.
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
