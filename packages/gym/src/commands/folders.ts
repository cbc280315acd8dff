/** Folders of tasks: which come with agentpty, made for a seed, and taken over from terminal-bench 1. */

import { type Command, numberFlag, printResult } from '@agentpty/cli'
import { allowGenerator } from './run-flags.ts'

export const listTasks: Command = {
  name: 'gym ls',
  usage: '',
  summary: 'list the built-in tasks',
  group: 'gym',
  words: [0, 0],
  examples: ['agentpty gym ls'],
  run: async ({ options, json }) => {
    const names = (await options.gym()).ownTasks()
    return printResult({ options, json }, { tasks: names }, names.map((name) => `${name}\n`).join(''))
  },
}

export const writeTasks: Command = {
  name: 'gym write',
  usage: 'TASK... DIR',
  summary: 'write generated tasks as plain Harbor folders below DIR',
  group: 'gym',
  words: [2, Number.POSITIVE_INFINITY],
  flags: {
    seed: { type: 'string', value: 'N', help: 'the seed; default 1' },
    'allow-generator': allowGenerator,
  },
  examples: ['agentpty gym write tty-30 --seed 7 tasks/'],
  run: async ({ options, words, flags, json }) => {
    const written = await (await options.gym()).write(words.slice(0, -1), {
      seed: numberFlag(flags, 'seed') ?? 1,
      to: words.at(-1) ?? '',
      isAllowed: flags['allow-generator'] === true,
    })
    return printResult({ options, json }, { written }, written.map((folder) => `${folder}\n`).join(''))
  },
}

export const importTask: Command = {
  name: 'gym import',
  usage: 'FROM DIR',
  summary: 'convert a task of terminal-bench 1 to a Harbor folder',
  group: 'gym',
  words: [2, 2],
  examples: ['agentpty gym import terminal-bench/tasks/hello-world tasks/hello-world'],
  run: async ({ options, words: [from = '', to = ''], json }) => {
    const notes = (await options.gym()).import(from, to)
    if (!json) for (const note of notes) options.complain(`${note}\n`)
    return printResult({ options, json }, { folder: to, notes }, `${to}\n`)
  },
}
