/** A scenario's input as a call of the product's verbs: lines by `send`, single keys by `send_keys`. */

type Call = readonly ['send' | 'sendKeys', Readonly<Record<string, unknown>>]

export function toInput(terminalId: string, text: string): Call {
  const line = text.endsWith('\r') ? text.slice(0, -1) : null
  if (line !== null && !hasControls(line)) return ['send', { terminalId, text: line, newline: true }]
  if (!hasControls(text)) return ['send', { terminalId, text, newline: false }]
  return ['sendKeys', { terminalId, keys: toKeys(text) }]
}

function hasControls(text: string): boolean {
  return /[\x00-\x1f\x7f]/.test(text)
}

const named: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'ctrl+j'],
  ['\t', 'tab'],
  ['\x1b', 'escape'],
  ['\x7f', 'backspace'],
  ['\x1b[A', 'up'],
  ['\x1b[B', 'down'],
  ['\x1b[C', 'right'],
  ['\x1b[D', 'left'],
  ['\x1bOA', 'up'],
  ['\x1bOB', 'down'],
  ['\x1bOC', 'right'],
  ['\x1bOD', 'left'],
  ['\x1b[Z', 'shift+tab'],
  ['\x1b[H', 'home'],
  ['\x1b[F', 'end'],
  ['\x1b[5~', 'pageup'],
  ['\x1b[6~', 'pagedown'],
  ['\x1b[3~', 'delete'],
  ['\x1b[21~', 'f10'],
  ['\x1bOP', 'f1'],
])

export function toKeys(text: string): readonly string[] {
  const keys = text.match(/\x1b[[O][0-9;]*[A-Za-z~]|\x1b[^\x1b]|[\s\S]/gu) ?? []
  return keys.map((key) => {
    const known = named.get(key)
    if (known !== undefined) return known
    if (key.startsWith('\x1b') && key.length > 1) return `alt+${key.slice(1)}`
    const code = key.codePointAt(0) ?? 0
    return code < 0x20 ? `ctrl+${controlled(code)}` : key === ' ' ? 'space' : key
  })
}

/** The letter, or one of `\ ] ^ _`. */
function controlled(code: number): string {
  return String.fromCharCode(code + (code < 0x1b ? 0x60 : 0x40))
}
