/** Callers that see only their own terminals. Other modules import this file alone. */

export { scopeGuard, scopeHandlers } from './scope-guard.ts'
export { ScopeChanges, Scopes, scopeTokens } from './scope-tokens.ts'
