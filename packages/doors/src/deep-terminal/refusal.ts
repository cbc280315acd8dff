/**
 * What is said of a command that may not run. That system asks one after the other: the profile, its own list, the files of
 * the repository, a person; whoever says no first has the words. All of that comes before the session is looked up.
 */

import { TermError } from '@agentpty/protocol'

/** What the policy or a person has refused; null for other errors. */
export function refusalOf(command: string, { code, message, hint, refusal }: TermError): TermError | null {
  if (code === 'not_approved') return new TermError(code, 'Command cancelled — user denied execution.', '')
  if (code === 'needs_approval' || code === 'partly_done') return new TermError(code, message, hint)
  // A tool that is refused, or all that a caller may do, is not about the command.
  if (code !== 'denied' || refusal === null || refusal.rule === 'tool-rule') return null
  return new TermError(code, blocked(command, refusal), hint)
}

function blocked(command: string, { profile, source }: NonNullable<TermError['refusal']>): string {
  if (profile === 'restricted')
    return 'Terminal commands are disabled in "restricted" permission profile. Change the permission profile or update .codebuddy/permissions.json.'
  if (source === 'built-in')
    return `Blocked dangerous command: "${command}". This command matches a restricted pattern and cannot be executed.`
  if (source.file.endsWith(permissions)) return `Blocked by permission scope (${profile}): "${command}".`
  const file = source.file.endsWith(security) ? security : source.file
  return `Blocked by external security policy: "${command}". Check ${file} for configured deny patterns.`
}

const security = '.codebuddy/security.json'
const permissions = '.codebuddy/permissions.json'
