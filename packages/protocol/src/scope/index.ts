export {
  type CallerScope,
  KeptScope,
  type NamedScope,
  onlyLooks,
  outsideScope,
  RevokedScope,
  type ScopeChange,
  ScopeName,
  type ScopeTokens,
  scopeEnded,
  type ToldScope,
  ToldScopes,
} from './scope.ts'
export {
  httpEndpointsMax,
  scopeFileBytesMax,
  scopesLookMs,
  scopesMax,
  scopesSettledMs,
  scopesToldBytesMax,
} from './scope-limits.ts'
