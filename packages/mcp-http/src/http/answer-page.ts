/** The page on which a person answers a program's question, above all a secret one. Its address is the only key to it, and works once. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Client, isTermError, questionBytesMax } from '@agentpty/protocol'
import type { Question, Questions } from '@agentpty/protocol/questions'
import { isFromOwnPage } from './guard.ts'
import type { Route } from './http-server.ts'

export const answerPath = '/answer'

export interface AnswerPageOptions {
  readonly questions: Questions
  /** Types the answer given there. */
  readonly client: Client
}

export function answerPage({ questions, client }: AnswerPageOptions): Route {
  return async (request, response) => {
    const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('id') ?? ''
    if (request.method === 'POST') {
      if (!isFromOwnPage(request.headers)) return send(response, 403, saying(foreign))
      // The body is not even read: a client that only holds a connection open needs no valid address.
      if (questions.find(id) === null) return send(response, 410, saying(gone))
      const body = await readBody(request, questionBytesMax)
      if (body === null) return send(response, 413, saying('That is too long for an answer.'))
      const text = new URLSearchParams(body).get('answer') ?? ''
      const isTyped = await answer(client, id, text)
      return send(response, isTyped ? 200 : 410, saying(isTyped ? typed : gone))
    }
    const question = questions.find(id)
    if (question === null) return send(response, 410, saying(gone))
    return send(response, 200, asking(question))
  }
}

const typed = 'Typed. You can close this page.'
const foreign =
  'That was sent from another page than this one. Nothing was typed: open the address that you were given.'
const gone = 'This question has been answered or is not asked any more. Nothing was typed.'

/** Returns false when the question was answered before, or the program has continued. */
async function answer(client: Client, questionId: string, text: string): Promise<boolean> {
  try {
    await client.call('answer', { questionId, text, waitFor: 'none' })
    return true
  } catch (error) {
    if (isTermError(error) && (error.code === 'not_asking' || error.code === 'session_not_found')) return false
    throw error
  }
}

/** The body of a request; null when it has more than `bytesMax` bytes. All of it is read, so that the client reads our answer. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= bytesMax) parts.push(part)
  }
  return size > bytesMax ? null : Buffer.concat(parts).toString('utf8')
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    // No other site gets the address, which is the key; with no referrer at all a browser would hide the form's origin from us.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(page(body))
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

const saying = (words: string): string => `<p>${escaped(words)}</p>`

const asking = ({ terminalId, program, text, isSecret }: Question): string => `
<h1>${escaped(program)} in ${escaped(terminalId)} asks</h1>
<pre>${escaped(text)}</pre>
<form method="post">
<input type="${isSecret ? 'password' : 'text'}" name="answer" aria-label="Answer" autofocus autocomplete="off">
<button>Type it</button>
</form>
<p class="quiet">It is typed into the terminal, with Enter. No agent sees it.</p>`

/** The colours, sizes and the card of the page of a browser that is not signed in: `base.css` and `over.css` of the web package. */
const style = `
:root { color-scheme: light dark;
  --ground: #f4f4f2; --surface: #fdfdfc; --raised: #fff; --line: #dededa; --line-strong: #c6c6c0;
  --text: #23252b; --quiet: #5d616b; --accent: #1b7043; --accent-text: #fff;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font: 14px / 1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif }
@media (prefers-color-scheme: dark) { :root {
  --ground: #101115; --surface: #15161a; --raised: #1c1e23; --line: #282a31; --line-strong: #3b3e47;
  --text: #e4e4e7; --quiet: #9a9eaa; --accent: #7fcf9f; --accent-text: #10241a } }
* { box-sizing: border-box }
body { display: grid; min-height: 100dvh; margin: 0; padding: 16px; place-items: center;
  background: var(--ground); color: var(--text); overflow-wrap: anywhere }
main { display: grid; gap: 12px; width: min(440px, 100%); padding: 28px;
  border: 1px solid var(--line); border-radius: 14px; background: var(--surface) }
h1, p, pre { margin: 0 }
h1 { font-size: 16px; font-weight: 620; letter-spacing: -0.01em }
.mark { display: inline-grid; place-items: center; width: 38px; height: 38px; border-radius: 7px;
  background: #17181c; color: #7fcf9f; font: 700 18px var(--mono) }
pre { overflow: auto; max-height: 40vh; padding: 10px 14px; border-radius: 8px; background: #17181c; color: #e4e4e7;
  font-family: var(--mono); font-size: 14px; white-space: pre-wrap }
form { display: flex; flex-wrap: wrap; gap: 8px }
input, button { min-height: 30px; border: 1px solid var(--line-strong); border-radius: 7px; font: inherit }
input { flex: 1 1 160px; min-width: 0; padding: 4px 10px; background: var(--raised); color: inherit }
button { padding: 4px 12px; border-color: var(--accent); background: var(--accent); color: var(--accent-text);
  font-weight: 540; cursor: pointer }
button:hover { filter: brightness(1.07) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.quiet { color: var(--quiet); font-size: 12.5px }
`

const page = (body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>agentpty asks</title>
<style>${style}</style>
<body><main><p class="mark" aria-hidden="true">›_</p>${body}</main></body>
</html>
`
