/** A PowerShell program as far as the judge needs it: which commands stand in it, and what their words are made of. */

export type Script = readonly Statement[]

export interface Statement {
  /** The name, in small letters, of the variable that gets what it puts out; null when none does. */
  readonly assigns: string | null
  /** Its stages, the output of each into the next. */
  readonly stages: readonly Stage[]
  readonly isBackground: boolean
}

export type Stage =
  | {
      readonly kind: 'command'
      /** `&` and `.` run whatever value stands behind them. */
      readonly operator: '&' | '.' | null
      /** The first one is the name. */
      readonly words: readonly Word[]
      readonly redirects: readonly Word[]
    }
  | { readonly kind: 'value'; readonly value: Word; readonly redirects: readonly Word[] }
  /** A statement of the language with all the programs in it, each of which may run. */
  | {
      readonly kind: 'block'
      readonly keyword: string
      readonly scripts: readonly Script[]
      /** Of `foreach`: the variable, in small letters, and what it goes through. */
      readonly each?: { readonly name: string; readonly over: Script }
      readonly isEndless: boolean
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: string; readonly script: Script }

/** What stands between blanks; more than one value where commas make a list of it. */
export interface Word {
  /** `-Path`, `-Path:x`: the name as it is written; its values are those directly behind its colon. */
  readonly parameter: string | null
  readonly values: readonly Value[]
}

/** Parts one after the other, as in `"a$b"`. */
export type Value = readonly Part[]

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'variable'; readonly name: string }
  /** `$(…)`, `(…)`, `@(…)`: what it puts out. */
  | { readonly kind: 'script'; readonly script: Script }
  /** `{…}` */
  | { readonly kind: 'code'; readonly script: Script; readonly source: string }
  /** `@{…}` */
  | { readonly kind: 'table'; readonly values: readonly Word[] }
  | { readonly kind: 'splat'; readonly name: string }
  | { readonly kind: 'type'; readonly name: string }
  | {
      readonly kind: 'member'
      readonly name: string
      readonly args: readonly Word[] | null
      readonly isStatic: boolean
    }
  | { readonly kind: 'operator'; readonly name: string }
