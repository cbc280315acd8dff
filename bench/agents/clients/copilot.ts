import type { AgentClient } from './client.ts'

const colourForm = {
  properties: { colour: { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] } },
  required: ['colour'],
}

export const copilot: AgentClient = {
  name: 'copilot',
  package: '@github/copilot',
  prepare: ({ modelUrl, program }) => ({
    command: [program],
    env: {
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_MODEL: 'scripted-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
  started: /\/ commands/,
  firstQuestion: { shows: /Do you trust the files in this folder/, answer: [['enter']] },
  askToTouch: (file) => ({ tool: 'bash', args: { command: `touch ${file}`, description: `Create ${file}` } }),
  permission: { shows: /Do you want to (?:run this command|use this tool)\?/, answer: [['1']] },
  question: {
    shows: /Which colour\?[\s\S]*enter accept/,
    answer: [['enter']],
    call: { tool: 'ask_user', args: { message: 'Which colour?', requestedSchema: colourForm } },
  },
  interrupt: [['escape'], ['escape']],
  clearInput: ['ctrl+u'],
  quit: [['ctrl+c'], ['ctrl+c'], ['ctrl+c']],
}
