export interface Script {
  readonly words?: readonly (string | number)[]
  readonly options?: Readonly<Record<string, readonly (string | null)[]>>
}
export function problemWith(script: Script, args: readonly string[]): string | null
