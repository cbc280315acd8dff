/** The addresses of the page's workers. With Trusted Types they need a policy, which may be created only once in a page. */

import { belowDocument, pushWorkerPath } from '@agentpty/protocol/page'

interface Policy {
  createScriptURL(name: string): string
}

interface Policies {
  createPolicy(name: string, rules: { readonly createScriptURL: (name: WorkerName) => string }): Policy
}

declare const __AGENTPTY_WORKER__: string

const addresses = {
  wall: __AGENTPTY_WORKER__,
  push: belowDocument(pushWorkerPath),
} as const

type WorkerName = keyof typeof addresses

let policy: Policy | null = null

export function workerAddress(name: WorkerName): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  policy ??= trustedTypes?.createPolicy('agentpty-worker', { createScriptURL: (named) => addresses[named] }) ?? null
  return policy?.createScriptURL(name) ?? addresses[name]
}
