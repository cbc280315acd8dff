/** The prompts that the bench types, and the scripted model's answers. */

import type { WrittenScript } from '../../../tools/fake-model/script.ts'
import type { AgentClient } from '../clients/client.ts'

export const prompts = {
  hello: 'PROMPT-HELLO say something short',
  silent: 'PROMPT-SILENT think for a while',
  streaming: 'PROMPT-STREAM talk for a while',
  ask: 'PROMPT-ASK create a file',
  question: 'PROMPT-QUESTION ask me something',
  interrupted: 'PROMPT-STOP never finish',
} as const

/** The names of the answers that the model holds back until the driver releases them. */
export const holds = { silent: 'silent', afterTool: 'after-tool', endless: 'endless' } as const

/** Long enough for several samples of a working agent. */
const thinkingMs = 500

const slowText = Array.from({ length: 25 }, (_, index) => `word${index}`).join(' ')

export function phaseScript(client: AgentClient): WrittenScript {
  return {
    turns: [
      { match: 'PROMPT-HELLO', steps: [{ text: 'Short enough.', delayMs: thinkingMs }] },
      { match: 'PROMPT-SILENT', steps: [{ hold: holds.silent, text: 'That took a while.' }] },
      { match: 'PROMPT-STREAM', steps: [{ text: slowText, chunkDelayMs: 150 }] },
      {
        match: 'PROMPT-ASK',
        steps: [
          { ...client.askToTouch('asked.txt'), delayMs: thinkingMs },
          { hold: holds.afterTool, text: 'The file is there.' },
        ],
      },
      {
        match: 'PROMPT-QUESTION',
        steps: [
          { ...client.question?.call, delayMs: thinkingMs },
          { hold: holds.afterTool, text: 'A fine choice.' },
        ],
      },
      { match: 'PROMPT-STOP', steps: [{ hold: holds.endless, text: 'This text is never read.' }] },
    ],
  }
}

/** The prompts of many turns contain their number, and whether the model will ask for permission. */
export const turnPrompt = (number: number, asks: boolean): string => `TURN-${number}. ${asks ? 'Ask' : 'Say'} it`

export function turnScript(client: AgentClient): WrittenScript {
  const { tool, args } = client.askToTouch('file-{{prompt:/TURN-(\\d+)/}}.txt')
  return {
    turns: [
      {
        name: 'asks',
        match: 'TURN-\\d+\\. Ask',
        steps: [
          { tool, args, delayMs: 150 },
          { text: 'Done {{prompt:/TURN-\\d+/}}.', delayMs: 150 },
        ],
      },
      { name: 'says', match: 'TURN-\\d+\\. Say', steps: [{ text: 'Said {{prompt:/TURN-\\d+/}}.', delayMs: 300 }] },
    ],
  }
}
