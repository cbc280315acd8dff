import type { DialogChoices } from '@agentpty/engine/screen'
import { dialogMsMax, TermError } from '@agentpty/protocol'
import type { Question } from '@agentpty/protocol/questions'
import type { Kind } from '@agentpty/protocol/session'
import type { EngineContext, Handler } from '../../call/index.ts'
import { chooseOption, optionsOf, pickOption } from '../steps/choose-option.ts'
import { typeAndObserve, typistFor } from '../steps/interact.ts'
import { verdictNow, verdictOf } from '../steps/observe.ts'
import { type Reading, readSettled } from '../steps/read-dialog.ts'
import { conditionsOf, waitFor, waitMs } from '../steps/wait-in-call.ts'

export const questions: Handler<'questions'> = async (engine) => ({
  questions: engine.questions
    .list()
    .filter((question) => isStillAsked(engine, question))
    .map(({ cursor: _, ...question }) => question),
})

/** A program that has printed since, or is gone, does not ask this any more. */
function isStillAsked({ host }: EngineContext, { terminalId, cursor }: Question): boolean {
  return host.sessions.some(
    ({ info, parsedTo }) => (info.id === terminalId || info.name === terminalId) && parsedTo === cursor,
  )
}

export const answer: Handler<'answer'> = async (engine, input, context) => {
  const { questionId, text } = input
  // A question of a terminal that the caller does not see stays for those who do.
  const asked = engine.questions.find(questionId)
  if (asked !== null) engine.host.find(asked.terminalId)
  const { terminalId, cursor } = engine.questions.take(questionId)
  let isTyped = false
  try {
    const session = engine.host.find(terminalId)
    if (session.parsedTo !== cursor) throw goneOn(terminalId)
    const typist = typistFor(session, context)
    const observing = typeAndObserve(engine, session, {
      text,
      typist,
      submit: true,
      conditions: conditionsOf(input, 'ready'),
      timeoutMs: waitMs(input, context),
      context,
    })
    isTyped = true
    return { answered: true, terminalId, ...(await observing) }
  } finally {
    engine.questions.settle(questionId, isTyped)
  }
}

/** The program reads something else now, and may echo it: an answer must not be typed there. */
function goneOn(terminalId: string): TermError {
  const message = `${terminalId} has gone on meanwhile, so nothing was typed.`
  return new TermError('not_asking', message, 'Look with terminal_read.')
}

/** Kinds of programs other than agents that may draw a dialog. In other kinds a list is text. */
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
