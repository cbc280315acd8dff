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
<p><b>${escaped(program)}</b> in ${escaped(terminalId)} asks:</p>
<pre>${escaped(text)}</pre>
<form method="post">
<input type="${isSecret ? 'password' : 'text'}" name="answer" aria-label="Answer" autofocus autocomplete="off">
<button>Type it</button>
</form>
<p class="quiet">It is typed into the terminal, with Enter. No agent sees it.</p>`

const page = (body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>agentpty asks</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 12vh auto; max-width: 30rem; padding: 0 1rem }
pre { padding: .7rem 1rem; border-radius: 8px; background: #000; color: #e5e5e5; white-space: pre-wrap }
form { display: flex; gap: .5rem }
input { flex: 1; padding: .5rem .7rem; font: inherit }
button { padding: .5rem 1rem; font: inherit }
.quiet { opacity: .7; font-size: 13px }
</style>
<body>${body}</body>
</html>
`
