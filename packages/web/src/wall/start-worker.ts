/** The worker of the wall. Browsers that ask for it are told that its address is ours: once in the life of a page, a second time is an error. */

interface Policy {
  createScriptURL(url: string): string
}

interface Policies {
  createPolicy(name: string, rules: { readonly createScriptURL: (url: string) => string }): Policy
}

declare const __AGENTPTY_WORKER__: string

let known: Policy | null = null

export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  const rules = { createScriptURL: () => __AGENTPTY_WORKER__ }
  known ??= trustedTypes?.createPolicy('agentpty-worker', rules) ?? null
  return new Worker(known?.createScriptURL('') ?? __AGENTPTY_WORKER__, { type: 'module', name: 'wall' })
}
