/** The suite's tools whose calls become tasks. */

import { acceptedContent, type CallToolResult, inputRequired, ProtocolError } from '@modelcontextprotocol/server'
import type { Task } from '../tasks/task.ts'
import type { Answer, Tasks } from '../tasks/tasks.ts'
import { type AskingTool, name } from './asking-tools.ts'
import { text } from './content.ts'

type Input = Readonly<Record<string, unknown>>
type Pause = (ms: number) => Promise<void>

const says = (words: string): CallToolResult => ({ content: [text(words)] })

const confirmation = inputRequired.elicit({
  message: 'Shall it be deleted?',
  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
})

const work = (pause: Pause): Readonly<Record<string, (input: Input, task: Task) => Promise<Answer>>> => ({
  slow_compute: async ({ seconds }) => {
    await pause(Number(seconds ?? 1) * 1_000)
    return says(`Computed for ${seconds} s.`)
  },
  failing_job: async () => {
    await pause(1_000)
    return { isError: true, content: [text('The job failed, as it always does.')] }
  },
  protocol_error_job: async () => {
    await pause(100)
    throw new ProtocolError(-32_603, 'The job broke down.')
  },
  confirm_delete: async ({ filename }, task) => {
    const [answer] = await task.ask([confirmation])
    return says(`${filename}: ${JSON.stringify(answer)}`)
  },
  multi_input: async (_input, task) => says(JSON.stringify(await task.ask([name, confirmation]))),
})

const descriptions: Readonly<Record<string, string>> = {
  slow_compute: 'Takes so many seconds.',
  failing_job: 'Fails after a second.',
  protocol_error_job: 'Breaks down.',
  confirm_delete: 'Asks first.',
  multi_input: 'Asks two things at once.',
}

/** Answered only as a task. */
const required = new Set(['failing_job', 'test_tool_with_task'])

export function taskTools(tasks: Tasks, pause: Pause): Readonly<Record<string, AskingTool>> {
  const as = (tool: string) => ({ afterMs: 0, isRequired: required.has(tool) })
  const made = Object.entries(work(pause)).map(([tool, run]): [string, AskingTool] => [
    tool,
    {
      description: descriptions[tool] ?? tool,
      call: (input, context) => tasks.answer(context, (task) => run(input, task), as(tool)),
    },
  ])
  return { ...Object.fromEntries(made), test_tool_with_task: asksBefore(tasks, pause) }
}

/** What it must know it asks before there is a task. */
const asksBefore = (tasks: Tasks, pause: Pause): AskingTool => ({
  description: 'Asks for a name, then becomes a task.',
  call: async (_input, context) => {
    const given = acceptedContent<{ name?: unknown }>(context.mcpReq.inputResponses, 'user_name')?.name
    if (typeof given !== 'string') return inputRequired({ inputRequests: { user_name: name } })
    const greet = async () => {
      await pause(100)
      return says(`Hello, ${given}!`)
    }
    return tasks.answer(context, greet, { afterMs: 0, isRequired: true })
  },
})
