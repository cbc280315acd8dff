import { beforeEach, expect, test } from 'vitest'
import { settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { setUpAgents } from './set-up-agents.ts'

beforeEach(forgetAll)

const change = (client: string, kind: string) => ({
  client,
  title: client,
  path: `/${client}`,
  kind,
  detail: 'x',
  note: '',
})

/** Answers each dialog in order; `picked`: the choices by label. */
async function begin(kinds: Readonly<Record<string, string>>, ...picked: readonly unknown[]) {
  const ran: string[] = []
  const run = async (args: readonly string[]) => {
    ran.push(args.join(' '))
    const named = args.filter((_, index) => args[index - 1] === '--client')
    const clients = named.length === 0 ? Object.keys(kinds) : named
    return { clients: clients.map((client) => change(client, kinds[client] ?? 'same')) }
  }
  const done = setUpAgents(run)
  for (const given of picked) {
    await settled()
    const asked = editor.asked.at(-1)
    const choices = (asked?.choices ?? []) as unknown as readonly { readonly label: string }[]
    const isMany = Array.isArray(given)
    const chosen = isMany
      ? choices.filter(({ label }) => given.includes(label))
      : choices.find((one) => one.label === given)
    asked?.answer(chosen as never)
  }
  await settled()
  await done
  return { ran, said: editor.asked.at(-1)?.text ?? '' }
}

test('changes are shown first, and only the chosen ones are made', async () => {
  const kinds = { claude: 'add', codex: 'update', gemini: 'same' }
  const { ran, said } = await begin(kinds, 'agentpty’s own tools', ['codex'])
  expect(ran).toEqual(['init --json', 'init --client codex --yes --json'])
  expect(said).toContain('Changed: codex.')
})

test('an empty choice changes nothing', async () => {
  expect((await begin({ claude: 'add' }, 'agentpty’s own tools', [])).ran).toEqual(['init --json'])
  expect((await begin({ claude: 'add' }, undefined)).ran).toEqual([])
})

test('a file that cannot be changed is listed, and not touched', async () => {
  const { ran } = await begin({ claude: 'problem' }, 'agentpty’s own tools, by address', ['claude'])
  expect(ran).toEqual(['init --http --json'])
})

test('it can be undone', async () => {
  const { ran } = await begin({ claude: 'restore' }, 'Undo', ['claude'])
  expect(ran).toEqual(['init --undo --json', 'init --undo --client claude --yes --json'])
})

test('a message is shown if nothing needs to be done', async () => {
  expect((await begin({ claude: 'same' }, 'agentpty’s own tools')).said).toBe('Nothing is to be done for: claude.')
  expect((await begin({}, 'agentpty’s own tools')).said).toBe('No agent was found on this machine.')
})
