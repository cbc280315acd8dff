import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type AgentClient, colours } from './client.ts'

const key = 'sk-ant-api03-scripted-model-needs-no-key-0123456789'

export const claude: AgentClient = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  prepare({ home, modelUrl, program }) {
    // Without these it stops at the onboarding and at the approval of the key.
    const settings = {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    }
    writeFileSync(path.join(home, '.claude.json'), JSON.stringify(settings))
    return {
      command: [program, '--permission-mode', 'default'],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: key,
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    }
  },
  // The first option refuses.
  firstQuestion: { shows: /Yes, I trust this folder/, answer: [['down'], ['enter']] },
  started: /\? for shortcuts/,
  askToTouch: (file) => ({ tool: 'Bash', args: { command: `touch ${file}`, description: `Create ${file}` } }),
  permission: { shows: /Do you want to proceed\?/, answer: [['1']] },
  question: {
    shows: /Which colour\?[\s\S]*Enter to select/,
    answer: [['enter']],
    call: {
      tool: 'AskUserQuestion',
      args: { questions: [{ question: 'Which colour?', header: 'Colour', options: colours, multiSelect: false }] },
    },
  },
  interrupt: [['escape']],
  clearInput: ['ctrl+u'],
  quit: [['ctrl+c'], ['ctrl+c']],
}
