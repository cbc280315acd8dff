/** What every answer of the page forbids a browser: requests elsewhere, frames, guesses at types, a referrer, code from strings. */

/** `origin`: of the page; null for what is told to others. `nonce`: for the style elements that the terminal makes; null for what is no document. */
export function pageHeaders(origin: string | null, nonce: string | null): Readonly<Record<string, string>> {
  return {
    'content-security-policy': origin === null ? nothing : policy(origin, nonce),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** The one policy of the page: packages/web/src/wall/start-worker.ts. */
const workerPolicy = 'agentpty-worker'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function policy(origin: string, nonce: string | null): string {
  // Not every browser takes a WebSocket of the same origin for 'self'.
  const socket = origin.replace(/^http/, 'ws')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `connect-src 'self' ${socket}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `style-src-elem 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    // The terminal sets the colours of single cells by attributes.
    "style-src-attr 'unsafe-inline'",
    "require-trusted-types-for 'script'",
    // For the address of our own worker, and nothing else.
    `trusted-types ${workerPolicy}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
