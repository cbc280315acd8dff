/** The addresses with their dialects, and the few that always get the same answer. */

import type { DialectName, InPath } from './types.ts'

export type Route =
  | { readonly to: 'dialect'; readonly dialect: DialectName; readonly inPath: InPath }
  | { readonly to: 'fixed'; readonly answer: unknown }
  | { readonly to: 'nothing' }

const inBody: InPath = { model: '', stream: false }
const nothing: Route = { to: 'nothing' }

export function route(method: string, pathname: string): Route {
  const path = pathname.replace(/\/+/g, '/').replace(/\/$/, '') || '/'
  if (method === 'POST') return routePost(path)
  if (path === '/') return fixed({ ok: true })
  if (method !== 'GET') return nothing
  if (path.endsWith('/v1beta/models')) return fixed(geminiModels)
  return path.endsWith('/models') ? fixed(models) : nothing
}

function routePost(path: string): Route {
  const [, model = '', action = ''] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  if (action !== '') return routeGemini(model, action)
  if (path.endsWith('/messages/count_tokens')) return fixed({ input_tokens: 100 })
  if (path.endsWith('/messages')) return dialect('anthropic')
  if (path.endsWith('/responses')) return dialect('responses')
  return path.endsWith('/chat/completions') ? dialect('chat') : nothing
}

function routeGemini(model: string, action: string): Route {
  if (/generateContent$/i.test(action)) {
    return { to: 'dialect', dialect: 'gemini', inPath: { model, stream: action.startsWith('stream') } }
  }
  if (action === 'countTokens') return fixed({ totalTokens: 100 })
  return /embedContents?$/i.test(action) ? fixed({ embedding: vector, embeddings: [vector] }) : nothing
}

const dialect = (name: DialectName): Route => ({ to: 'dialect', dialect: name, inPath: inBody })
const fixed = (answer: unknown): Route => ({ to: 'fixed', answer })

const vector = { values: [0, 0, 0, 1] }
const geminiModels = { models: [{ name: 'models/fake-model', supportedGenerationMethods: ['generateContent'] }] }

/** OpenAI's and Anthropic's lists share an address, so one answer has the fields of both. */
const models = {
  object: 'list',
  data: [
    {
      id: 'fake-model',
      object: 'model',
      type: 'model',
      display_name: 'Fake Model',
      created: 0,
      owned_by: 'fake',
      created_at: '2026-01-01T00:00:00Z',
    },
  ],
  models: [],
  has_more: false,
  first_id: 'fake-model',
  last_id: 'fake-model',
}
