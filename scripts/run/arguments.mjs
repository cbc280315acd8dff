/** Checks the arguments of a script of package.json against its options. */

/** Null if it can be run so; else the error, in one sentence. */
export function problemWith(script, args) {
  const { options = {}, words: [, min, max] = ['', 0, 0] } = script
  const words = []
  for (let at = 0; at < args.length; at++) {
    const argument = args[at]
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument)
      continue
    }
    const [name, given] = /^(--[^=]+)=(.*)$/s.exec(argument)?.slice(1) ?? [argument]
    if (!Object.hasOwn(options, name)) return `there is no option "${name}"`
    const [kind] = options[name]
    if (kind === null && given !== undefined) return `${name} takes no value`
    if (kind === null) continue
    const value = given ?? args[++at]
    if (value === undefined || value === '') return `${name} needs a value: ${name} ${kind}`
    if (kind === 'N' && !/^\d{1,9}$/.test(value)) return `${name} is "${value}", which is no whole number`
  }
  if (words.length > max) return `"${words[max]}" is more than it takes`
  return words.length < min ? `it needs ${script.words[0]}` : null
}

/** A few lines: the purpose, the options, an example. */
export function helpOf(name, { does, words, options = {}, example, more }) {
  const call = name === 'test' ? 'npm test' : `npm run ${name}`
  const rows = Object.entries({ ...options, '--help': [null, 'this'] }).map(([option, [kind, meaning]]) => [
    kind === null ? option : `${option} ${kind}`,
    meaning,
  ])
  const width = Math.max(...rows.map(([left]) => left.length))
  const usage = `usage: ${call} [-- ${[words?.[0], '[OPTION...]'].filter(Boolean).join(' ')}]`
  const lines = [does, '', usage, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`), '']
  return `${[...lines, `For example: ${example}`, ...(more === undefined ? [] : [more])].join('\n')}\n`
}
