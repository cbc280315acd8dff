/** Callers that see only their own terminals. Other modules import this file alone. */

export { ScopeChanges } from './scope-changes.ts'
export { scopeGuard, scopeHandlers } from './scope-guard.ts'
export { Scopes, scopeTokens } from './scope-tokens.ts'
