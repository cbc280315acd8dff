/** The one worker of the page. Browsers that ask for it are told once that its address is ours. */

interface Policies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

declare const __AGENTPTY_WORKER__: string

export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies }
  const rules = { createScriptURL: () => __AGENTPTY_WORKER__ }
  const policy = trustedTypes?.createPolicy('agentpty-worker', rules)
  return new Worker(policy?.createScriptURL('') ?? __AGENTPTY_WORKER__, { type: 'module', name: 'wall' })
}
