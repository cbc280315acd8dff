import { defined } from '@agentpty/protocol'
import type { OfferedTool, OpenPolicyTerminal, PolicyRoom, PolicySituation } from '@agentpty/protocol/policy'
import {
  baseName,
  inProfile,
  joinRules,
  judge,
  judgeTool,
  judgeWrites,
  namedTool,
  newSession,
  noRules,
  type PolicyRules,
  profileOf,
  warmUp,
} from '@agentpty/shell-policy'
import { keepingGate } from './judge-start.ts'
import type { PolicyRulesWatch } from './rules-in-use.ts'

/** `offeredTools`: all that there are. */
export function policyRoom(watch: PolicyRulesWatch, offeredTools: () => Promise<readonly OfferedTool[]>): PolicyRoom {
  return {
    open: (situation) => openTerminal(situation, rulesIn(situation, watch)),
    files: (cwd) => watch.at([cwd]).files,
    keptTools: (cwd) => keptTools(watch.at([cwd]).rules, offeredTools),
    warmUp: () => void [...warmUp()],
  }
}

/** Most have no rules for tools, and need not wait until all tools are known. */
async function keptTools(rules: PolicyRules, offeredTools: () => Promise<readonly OfferedTool[]>) {
  const { deny, only } = rules.tools
  if (deny.length === 0 && only.length === 0) return []
  return (await offeredTools()).flatMap(({ toolset, name, becomes = [] }) => {
    const judged = judgeTool(rules, namedTool(name, becomes))
    return judged === null ? [] : [{ toolset, tool: name, resolved: judged.resolved, source: judged.source }]
  })
}

/** The rules that hold there, in the profile that is named on the command line. */
function rulesIn({ profile, cwd, rules }: PolicySituation, watch: PolicyRulesWatch): PolicyRules {
  const { user, repositories } = rules === 'built-in' ? { user: noRules, repositories: [] } : watch.at([cwd])
  const own = profile === null ? user : inProfile(user, profile, { file: '--profile', line: 1 })
  return joinRules(own, ...repositories)
}

/** Opens a terminal that only the policy knows: lines are judged, and nothing runs. */
function openTerminal(
  { shell, cwd, home, isGated }: PolicySituation,
  rules: PolicyRules,
): ReturnType<OpenPolicyTerminal> {
  let session = newSession({ cwd, home, user: baseName(home), workspace: cwd })
  return {
    judge: (command) => {
      const situation = defined({ profile: profileOf(rules), shell, rules, gate: isGated ? keepingGate : undefined })
      const judged =
        typeof command === 'string' ? judge(command, session, situation) : judgeWrites(command, session, situation)
      session = judged.session
      const { verdict, rule, resolved, reason, personReason, source } = judged.judgement
      return { verdict, rule, resolved, reason, personReason, source }
    },
  }
}
