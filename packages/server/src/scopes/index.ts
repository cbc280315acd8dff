/** Callers that see only their own terminals. Other modules import this file alone. */

export { scopeHandlers } from './handlers.ts'
export { ScopeChanges } from './scope-changes.ts'
export { scopeGuard } from './scope-guard.ts'
export { Scopes, scopeTokens } from './scope-tokens.ts'
