import { TermError } from '@agentpty/protocol'
import type { Handler } from '../../call/index.ts'
import { typistOf } from '../steps/typist.ts'

export const secret: Handler<'secret'> = async ({ host, secrets }, { terminalId, text, newline }, context) => {
  const session = host.find(terminalId)
  if (session.commands.atPrompt)
    throw new TermError(
      'invalid_input',
      `${session.info.id} is at a shell’s prompt: what is typed there is a command, and kept in its history.`,
      'Start the program that asks for the secret first.',
    )
  // Before it is typed: the terminal may show it at once.
  secrets?.add(text)
  // Only persons have this verb.
  const typist = typistOf(session, { ...context, isPerson: true })
  await session.keyboard.writeSecret(Buffer.from(newline ? `${text}\r` : text), typist)
  return { sent: true }
}
