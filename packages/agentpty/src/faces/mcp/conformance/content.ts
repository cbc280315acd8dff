/** What the suite asks to be served, word for word. */

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A header and no sound. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

export const text = (words: string) => ({ type: 'text', text: words }) as const
export const image = { type: 'image', data: png, mimeType: 'image/png' } as const
export const audio = { type: 'audio', data: wav, mimeType: 'audio/wav' } as const
export const pixel = png

export const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const
