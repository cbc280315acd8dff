/** Starts the worker of the wall. With Trusted Types, its address needs a policy, which may be created only once in a page. */

interface Policy {
  createScriptURL(url: string): string
}

interface Policies {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): Policy
}

declare const __AGENTPTY_WORKER__: string

let policy: Policy | null = null

export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  const rules = { createScriptURL: () => __AGENTPTY_WORKER__ }
  policy ??= trustedTypes?.createPolicy('agentpty-worker', rules) ?? null
  return new Worker(policy?.createScriptURL('') ?? __AGENTPTY_WORKER__, { type: 'module', name: 'wall' })
}
