/** Secrets that are known: nothing that leaves for a model shows them. */
export interface SecretValues {
  /** The values of variables whose names say that they hold one. */
  learn(env: Readonly<Record<string, string | undefined>>): void
  add(value: string): void
  /** The same with all secrets in its strings masked; itself where there are none. */
  masked<Result>(result: Result): Result
}
