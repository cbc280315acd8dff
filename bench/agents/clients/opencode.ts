import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type AgentClient, colours } from './client.ts'

export const opencode: AgentClient = {
  name: 'opencode',
  package: 'opencode-ai',
  prepare({ home, modelUrl, program }) {
    const folder = path.join(home, '.config', 'opencode')
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'opencode.jsonc'), JSON.stringify(configuration(modelUrl)))
    return {
      command: [program],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
    }
  },
  started: /Ask anything/,
  askToTouch: (file) => ({ tool: 'bash', args: { command: `touch ${file}`, description: `Create ${file}` } }),
  permission: { shows: /Permission required/, answer: [['enter']] },
  question: {
    shows: /Which colour\?[\s\S]*enter submit/,
    answer: [['enter']],
    call: {
      tool: 'question',
      args: { questions: [{ question: 'Which colour?', header: 'Colour', options: colours }] },
    },
  },
  interrupt: [['escape'], ['escape']],
  quit: [['ctrl+c']],
}

function configuration(modelUrl: string): unknown {
  const model = { name: 'Scripted Model', tool_call: true, limit: { context: 200_000, output: 8_000 } }
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/scripted-model',
    small_model: 'scripted/scripted-model',
    enabled_providers: ['scripted'],
    permission: { bash: 'ask' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'x' },
        models: { 'scripted-model': model },
      },
    },
  }
}
