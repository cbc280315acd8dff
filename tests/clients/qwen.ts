import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages } from './packages.ts'
import type { Runnable } from './runnable.ts'

export const qwenProgram = packages.file('@qwen-code', 'qwen-code', 'cli-entry.js')

export const qwen: Runnable = {
  name: 'qwen',
  prepare({ home, modelUrl, program }) {
    mkdirSync(join(home, '.qwen'), { recursive: true })
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(settings))
    return {
      command: [packages.node, program, '--auth-type', 'openai'],
      env: { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'scripted-model' },
    }
  },
  started: /Type your message/,
}
