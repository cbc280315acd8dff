import type { DialogChoices } from '@agentpty/engine/screen'
import { dialogMsMax, TermError } from '@agentpty/protocol'
import type { Kind } from '@agentpty/protocol/session'
import type { Handler } from '../../call/index.ts'
import { chooseOption } from '../steps/choose-option.ts'
import { verdictNow } from '../steps/observe.ts'
import { optionsOf, pickOption } from '../steps/pick-option.ts'
import { type Reading, readSettled } from '../steps/read-dialog.ts'
import { verdictOf } from '../steps/verdict-fields.ts'
import { waitFor } from '../steps/wait-in-call.ts'

/** Of programs that are no agents: what they draw may be a dialog. In others a list is a text. */
const asking: ReadonlySet<Kind | null> = new Set<Kind>(['line', 'key', 'menu', 'tui', 'other'])

export const reply: Handler<'reply'> = async (engine, { terminalId, option: wanted }, context, call) => {
  const { clock, host } = engine
  const session = host.find(terminalId)
  const leaseEpoch = session.keyboard.lease.epoch
  const release = session.watch()
  try {
    const conditions = [{ kind: 'ready', confidence: 'low' }] as const
    await waitFor(clock, session, { conditions, since: session.parsedTo, timeoutMs: dialogMsMax }, context)
    const reading = { clock, session, signal: context.signal }
    const dialog = await dialogIn(reading)
    const options = optionsOf(dialog)
    const option = wanted === undefined ? null : pickOption(wanted, options)
    const asked = dialog.question.endsWith('?') ? dialog.question : (session.turn().verdict.question ?? dialog.question)
    if (option !== null) {
      const press = async (key: string) => {
        await call('sendKeys', { terminalId, keys: [key], waitFor: 'none' }, { leaseEpoch })
      }
      await chooseOption(dialog, option, { ...reading, press })
    }
    return {
      asked,
      options: options.map(({ number, label, isHighlighted }) => ({ number, label, isHighlighted })),
      chosen: option?.label ?? null,
      ...verdictOf(session, await verdictNow(session)),
    }
  } finally {
    release()
  }
}

/** Errors: `not_asking`, `agent_busy`; `invalid_input` where its options cannot be read. */
async function dialogIn(reading: Reading): Promise<DialogChoices> {
  const { session } = reading
  const { id } = session.info
  const { state, kind, needs, question, evidence } = session.turn().verdict
  if (state === 'exited') throw notAsking(`The program in ${id} has ended.`)
  if (state === 'busy')
    throw new TermError('agent_busy', `${id} is at work: ${evidence[0] ?? ''}.`, 'Wait for it; nothing was pressed.')
  const isDialog = needs === 'answer'
  const dialog = isDialog || asking.has(kind) ? await readSettled(reading) : null
  if (dialog !== null) return dialog
  if (!isDialog) throw notAsking(`${id} shows no dialog.`)
  const what = `${id} asks${question === null ? '' : ` "${question}"`}, and its options cannot be read`
  const hint = 'Look with terminal_screenshot and answer with terminal_send_keys. Nothing was pressed.'
  throw new TermError('not_asking', `${what}.`, hint)
}

function notAsking(what: string): TermError {
  return new TermError('not_asking', what, 'It takes an instruction, not an answer. Nothing was pressed.')
}
