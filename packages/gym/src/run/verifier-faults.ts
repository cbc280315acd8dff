/**
 * Signs that a verifier could not do its work, so that what it decided says nothing of the player.
 *
 * The player's own programs may print the same words. So a missing command counts only where the tests name it, this machine lacks it, and
 * nothing that the player was to make has its name; an unreachable host only where the tests reach out.
 */

export interface VerifierFacts {
  /** What tests/test.sh printed. */
  readonly output: string
  /** Of all scripts and programs of the tests. */
  readonly testsText: string
  /** The instruction and the solution. */
  readonly taskText: string
  readonly hasNetwork: boolean
  /** Whether this machine has a command of this name. */
  readonly hasCommand: (name: string) => boolean
}

export interface VerifierFault {
  readonly message: string
  readonly hint: string
}

/** Null where the verifier did its work, as far as its output shows. */
export function verifierFault(facts: VerifierFacts): VerifierFault | null {
  const line = facts.hasNetwork || !reachesOut.test(facts.testsText) ? null : firstLine(facts.output, networkFailures)
  if (line !== null)
    return {
      message: `The verifier could not reach the network: ${line}`,
      hint: 'Allow it: --allow-network, or {"network":"on"} of an environment.',
    }
  const name = missingTool(facts)
  if (name === null) return null
  return {
    message: `The verifier needs ${name}, which is not on this machine.`,
    hint: `Install ${name} for all users of this machine, or put it into the task.`,
  }
}

const reachesOut =
  /\b(?:curl|wget)\b|\b(?:https?|ftp):\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\])|\b(?:install|update|clone|uvx|npx)\b/

/** What resolvers and connections of libc, curl, apt, Python, Node, Go and Rust report without a network. */
const networkFailures =
  /could not resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|name or service not known|nodename nor servname|network is unreachable|getaddrinfo (?:eai_again|enotfound)|no such host|failed to lookup address|dns error|unable to resolve host/i

const lineCharactersMax = 200

function firstLine(output: string, pattern: RegExp): string | null {
  const line = output.split('\n').find((one) => pattern.test(one))
  return line === undefined ? null : line.trim().slice(0, lineCharactersMax)
}

/** bash, dash, env, `python -m`, and imports of Python. */
const missingCommands =
  /(?:^|: )([\w.+-]+): (?:command )?not found$|env: [‘'"]?([\w.+-]+)[’'"]?: No such file or directory$/
const missingModules = /No module named ['"]?([A-Za-z_]\w*)/

function missingTool({ output, testsText, taskText, hasCommand }: VerifierFacts): string | null {
  const isTool = (name: string) => hasWord(testsText, name) && !hasWord(taskText, name)
  for (const line of output.split('\n')) {
    if (line.length > lineLengthMax) continue
    const [, first, second] = missingCommands.exec(line.trimEnd()) ?? []
    const command = first ?? second
    if (command !== undefined && isTool(command) && !hasCommand(command)) return command
    const [, module] = missingModules.exec(line) ?? []
    if (module !== undefined && isTool(module)) return `the Python module ${module}`
  }
  return null
}

/** No shell's or Python's complaint is longer. */
const lineLengthMax = 2_000

const hasWord = (text: string, word: string): boolean =>
  text.split(/[^\w.+-]+/).some((one) => one === word || one.split('.')[0] === word)
