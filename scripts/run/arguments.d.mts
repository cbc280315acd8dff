export interface Script {
  readonly words?: readonly (string | number)[]
  readonly options?: Readonly<Record<string, readonly (string | null)[]>>
}
export interface ExplainedScript extends Script {
  readonly does: string
  readonly example: string
}
export function helpOf(name: string, script: ExplainedScript): string
export function problemWith(script: Script, args: readonly string[]): string | null
