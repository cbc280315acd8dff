/** A secret in a text, by the indexes of the text. */
export interface SecretSpan {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** For its mask: `[masked: GitHub token]`. */
  readonly what: string
}

/** Secrets that are known: nothing that leaves for a model shows them. */
export interface SecretValues {
  /** The values of variables whose names say that they hold one. */
  learn(env: Readonly<Record<string, string | undefined>>): void
  add(value: string): void
  /** How many have been added so far, those that were forgotten included. */
  readonly known: number
  /** The same with all secrets in its strings masked; itself where there are none. */
  masked<Result>(result: Result): Result
  /**
   * Where they are in a text that is a part of a longer one, in order and apart; escape sequences may stand in them. Bytes are given
   * as Latin1, one character each.
   */
  find(text: string): readonly SecretSpan[]
  /** From where on the text may still become a secret by what follows it; its length where nothing can. */
  openFrom(text: string): number
}

/** What stands in the place of a secret. */
export const maskOf = (what: string): string => `[masked: ${what}]`
