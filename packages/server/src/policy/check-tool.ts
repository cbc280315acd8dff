/** What the rules say of the tool that a call is: one of a door, the one of a verb, or a verb that only programs have. */

import { type Call, isToolCall } from '@agentpty/protocol/call'
import { isVerbName, verbs } from '@agentpty/protocol/verbs'
import {
  type Judgement,
  judgeTool,
  type NamedTool,
  namedTool,
  namesOfVerb,
  type PolicyRules,
} from '@agentpty/shell-policy'

/** Null when no rule speaks against it, and for what a person does. */
export function judgeToolOf(call: Call, rules: () => PolicyRules): Judgement | null {
  if (call.context.isPerson === true) return null
  const inUse = rules()
  // Most have none, and every call passes here.
  if (inUse.tools.deny.length === 0 && inUse.tools.only.length === 0) return null
  const named = namedIn(call)
  return named === null ? null : judgeTool(inUse, named)
}

function namedIn(call: Call): NamedTool | null {
  if (isToolCall(call)) return namedTool(call.input.tool, call.input.becomes)
  const { name, context } = call
  if (!isVerbName(name) || context.isAside === true) return null
  const isPart = context.partOf !== undefined || verbs[name].tool === null
  return isPart ? { called: [], becomes: [namesOfVerb(name)] } : { called: namesOfVerb(name), becomes: [] }
}
