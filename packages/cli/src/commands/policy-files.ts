/** `agentpty policy files`: where the rules of the policy come from, what is wrong there, and which tools they keep from agents. */

import type { KeptTool, PolicyFileKind, PolicyFileState, PolicyProblem } from '@agentpty/protocol/policy'
import { type CommandCall, exitCode } from '../command.ts'

/** Fails when a file is invalid, so that scripts can check one. */
export async function printPolicyFiles({ options, json }: CommandCall): Promise<number> {
  const { files: filesFor, keptTools } = await options.policy()
  const { cwd } = options.folders
  const files = filesFor(cwd)
  const tools = await keptTools(cwd)
  await options.print(
    json ? `${JSON.stringify({ files, keptTools: tools })}\n` : files.map(toText).join('') + kept(tools),
  )
  return files.some(({ state }) => state === 'broken' || state === 'kept') ? exitCode.failed : exitCode.ok
}

const kinds: Readonly<Record<PolicyFileKind, string>> = {
  user: 'yours',
  repository: 'the repository’s; only tightens',
  'codebuddy-security': 'CodeBuddy’s; only tightens',
  'codebuddy-permissions': 'CodeBuddy’s; only tightens',
}

function toText({ path, kind, state, rules, problems }: PolicyFileState): string {
  const states: Readonly<Record<PolicyFileState['state'], string>> = {
    absent: 'not there',
    used: countOf(rules),
    kept: `invalid; of the last time that it was not, ${countOf(rules)}`,
    broken: `invalid; what is right in it holds: ${countOf(rules)}`,
  }
  return `${path}\n       ${states[state]} (${kinds[kind]})\n${problems.map(problemText).join('')}`
}

/** Nothing when no tool is kept. */
function kept(tools: readonly KeptTool[]): string {
  const lines = tools.map(({ toolset, resolved, source }) => {
    const written = source === 'built-in' ? '' : ` (${source.file}:${source.line})`
    return `       ${resolved} of ${toolset}${written}\n`
  })
  return lines.length === 0 ? '' : `Tools that agents neither see nor may call here\n${lines.join('')}`
}

const countOf = (rules: number) => (rules === 1 ? '1 rule' : `${rules} rules`)

function problemText({ file, line, mark, found, advice }: PolicyProblem): string {
  return `${mark.padEnd(8)}  ${file}:${line}: ${found}\n          ${advice}\n`
}
