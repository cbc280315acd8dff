import type { Question } from '@agentpty/protocol/questions'
import type { EngineContext, Handler } from '../../call/index.ts'

export const questions: Handler<'questions'> = async (engine) => ({
  questions: engine.questions
    .list()
    .filter((question) => isStillAsked(engine, question))
    .map(({ questionId, terminalId, program, text, isSecret }) => ({
      questionId,
      terminalId,
      program,
      text,
      isSecret,
    })),
})

/** A program that has printed since, or is gone, does not ask this any more. */
function isStillAsked({ host }: EngineContext, { terminalId, cursor }: Question): boolean {
  return host.sessions.some(
    ({ info, parsedTo }) => (info.id === terminalId || info.name === terminalId) && parsedTo === cursor,
  )
}
