/** Reads push messages: packages/server/src/push/push-text.ts writes them. */

export interface ReadMessage {
  readonly type: 'need' | 'withdrawn' | 'test'
  /** Null for a test. */
  readonly needId: string | null
  readonly title: string
  readonly text: string
}

/** The tag of notifications that belong to no need. */
export const testTag = 'test'

const types = ['need', 'withdrawn', 'test'] as const

/** Shows a message of a later version, or without contents, as a notice without details. */
export function readMessage(written: string): ReadMessage {
  const { type, needId, title, text } = fieldsOf(written)
  const known = types.find((one) => one === type) ?? 'test'
  return {
    type: known,
    needId: typeof needId === 'string' && /^[\w.@-]{1,100}$/.test(needId) ? needId : null,
    title: typeof title === 'string' ? title : 'agentpty',
    text: typeof text === 'string' ? text : known === 'withdrawn' ? 'It was answered.' : 'Something needs you.',
  }
}

function fieldsOf(written: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(written)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    // A person still learns that a message came.
    return {}
  }
}
