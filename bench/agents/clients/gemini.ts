import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type AgentClient, colours } from './client.ts'

export const gemini: AgentClient = {
  name: 'gemini',
  package: '@google/gemini-cli',
  prepare({ home, modelUrl, program }) {
    const folder = path.join(home, '.gemini')
    mkdirSync(folder, { recursive: true })
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableNotifications: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings))
    return {
      command: [program, '-m', 'gemini-2.5-pro'],
      env: { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'x' },
    }
  },
  firstQuestion: { shows: /Do you trust the files in this folder\?/, answer: [['enter']] },
  started: /Type your message/,
  askToTouch: (file) => ({
    tool: 'run_shell_command',
    args: { command: `touch ${file}`, description: `Create ${file}` },
  }),
  permission: { shows: /Allow execution|Allow once|Action Required/, answer: [['1']] },
  question: {
    shows: /Which colour\?[\s\S]*Enter to select/,
    answer: [['enter']],
    call: {
      tool: 'ask_user',
      args: { questions: [{ question: 'Which colour?', header: 'Colour', type: 'choice', options: colours }] },
    },
  },
  interrupt: [['escape']],
  quit: [['ctrl+c'], ['ctrl+c']],
}
