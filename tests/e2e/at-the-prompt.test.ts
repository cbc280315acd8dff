/** Real-life prompts: their decorations, the modes of the line editor, and the shell's own questions. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

type Files = Readonly<Record<string, string>>

/** Opens a shell in a home with these start-up files. */
async function open(
  shell: string,
  files: Files = {},
  waitFor: 'ready' | 'none' = 'ready',
): Promise<{ client: Client; terminalId: string }> {
  const home = scratchFolder()
  for (const [name, text] of Object.entries({ '.zshrc': "PROMPT='%% '\n", ...files })) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const client = await instance.rpc({ HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config') })
  const { terminalId } = await client.call('create', { shell, cwd: home, waitFor })
  // In a new home fish writes completions in the background; its home is removed after this.
  onTestFinished(async () => void (await client.call('close', { terminalId }).catch(() => undefined)))
  return { client, terminalId }
}

type Opened = Awaited<ReturnType<typeof open>>

const run = ({ client, terminalId }: Opened, command: string) => client.call('run', { terminalId, command })
const printsAndFails = { output: 'hello', exitCode: 1, kind: 'shell', outcome: 'met' }

describe('drawn text after the prompt that was not typed does not prevent a run:', () => {
  test.each([
    ['two blanks', "PROMPT='%% '\nRPROMPT='a  b'\n"],
    ['wide characters', "PROMPT='%% '\nRPROMPT='日本語'\n"],
    ['the time', "PROMPT='%% '\nRPROMPT='%D{%a %b %e}  %*'\n"],
    ['wide characters at the left', "PROMPT='目录🐍目录🐍 %% '\nRPROMPT='main'\n"],
  ])('a right prompt of zsh with %s', async (_what, zshrc) => {
    const opened = await open('zsh', { '.zshrc': zshrc })
    expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
  })

  test('a right prompt of fish', async () => {
    const opened = await open('fish', {
      '.config/fish/config.fish': 'function fish_right_prompt; echo "on  main 日本"; end\n',
    })
    expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
  })

  test.each([
    ['bash', 'sh -c "sleep 0.1; echo BACKGROUND" &'],
    ['zsh', 'sh -c "sleep 0.1; echo BACKGROUND" &'],
    ['fish', 'sh -c "sleep 0.1; echo BACKGROUND" &'],
    ['bash', 'set -b; sh -c "sleep 0.1; echo BACKGROUND" &'],
  ])('output of a background job in %s: %s', async (shell, job) => {
    const opened = await open(shell)
    const { client, terminalId } = opened
    await run(opened, job)
    await client.call('wait', { terminalIds: [terminalId], waitFor: { pattern: '^BACKGROUND|[^ ] ?BACKGROUND' } })
    expect(await run(opened, 'echo hello; false')).toMatchObject({
      ...printsAndFails,
      output: expect.stringContaining('hello'),
    })
  })

  test.each(['bash', 'zsh', 'fish'])('text typed without Enter is refused and quoted in %s', async (shell) => {
    const opened = await open(shell)
    const { client, terminalId } = opened
    await client.call('send', { terminalId, text: 'echo half', newline: false, waitFor: 'output' })
    await expect(run(opened, 'echo hello')).rejects.toMatchObject({
      code: 'line_not_empty',
      message: expect.stringContaining('"echo half"'),
    })
    const cleared = await client.call('run', { terminalId, command: 'echo hello; false', clearLine: true })
    expect(cleared).toMatchObject(printsAndFails)
  })
})

describe('text is inserted while the line editor is in vi command mode:', () => {
  const vi = {
    '.inputrc': 'set editing-mode vi\n',
    '.zshrc': "bindkey -v\nPROMPT='%% '\n",
    '.config/fish/config.fish': 'fish_vi_key_bindings\n',
  }

  test.each(['bash', 'zsh', 'fish'])('%s', async (shell) => {
    const opened = await open(shell, vi)
    const { client, terminalId } = opened
    for (let time = 0; time < 2; time++) {
      await client.call('sendKeys', { terminalId, keys: ['escape'] })
      expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
      await client.call('sendKeys', { terminalId, keys: ['escape'] })
      expect(await client.call('send', { terminalId, text: 'echo hello; false' })).toMatchObject({ exitCode: 1 })
    }
  })

  test('an agent in vi mode has its keys working', async () => {
    const opened = await open('bash', vi)
    const { client, terminalId } = opened
    await client.call('send', { terminalId, text: 'xecho hello', newline: false, waitFor: 'output' })
    const edited = await client.call('sendKeys', { terminalId, keys: ['escape', '0', 'x', 'enter'] })
    expect(edited).toMatchObject({ output: expect.stringContaining('hello'), exitCode: 0 })
  })
})

describe('a shell is at its prompt when its marks report it, whatever the prompt looks like:', () => {
  test.each([
    ['bash', 'PS1="> "'],
    ['bash', 'PS1='],
    ['bash', "PS1=$'two\\n> '"],
    ['zsh', 'PROMPT="> "'],
    ['zsh', 'PROMPT='],
    ['zsh', "PROMPT=$'%% \\n'"],
  ])('%s with %s', async (shell, line) => {
    const opened = await open(shell)
    await run(opened, line)
    expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
  })

  test.each(['bash', 'zsh', 'fish'])('an incomplete command is a continuation in %s', async (shell) => {
    expect(await run(await open(shell), 'echo "hel')).toMatchObject({ kind: 'continuation', confidence: 'certain' })
  })
})

describe('a Python environment changes the prompt, restores it, and does so again:', () => {
  test.each([
    ['bash', 'activate', "PS1='first$ '\n"],
    ['zsh', 'activate', "PROMPT='first%% '\n"],
    ['fish', 'activate.fish', "function fish_prompt; echo -n 'first> '; end\n"],
  ])('in %s', async (shell, script, prompt) => {
    const environment = join(scratchFolder(), 'tools')
    execFileSync('python3', ['-m', 'venv', '--without-pip', environment])
    const opened = await open(shell, { '.bashrc': prompt, '.zshrc': prompt, '.config/fish/config.fish': prompt })
    const shown = async () =>
      (await opened.client.call('screenshot', { terminalId: opened.terminalId, format: 'plain' })).screen
    for (let round = 0; round < 3; round++) {
      expect(await run(opened, `source ${environment}/bin/${script}`)).toMatchObject({ output: '', exitCode: 0 })
      expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
      expect(await shown()).toMatch(/\n\(tools\) first[$%>]\s*$/)
      expect(await run(opened, 'deactivate')).toMatchObject({ output: '', exitCode: 0 })
      expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
      expect(await shown()).toMatch(/\nfirst[$%>]\s*$/)
    }
  })
})

test('an interpreter that waits for the rest of a statement reports it, and no longer after it has run', async () => {
  const { client, terminalId } = await open('bash')
  const send = (text: string) => client.call('send', { terminalId, text })
  const isUnfinished = { kind: 'repl', note: expect.stringContaining('send the rest') }
  await send('PYTHONSTARTUP= python3')
  expect(await send('x = 1\nfor i in range(2):\n    print(i)')).toMatchObject(isUnfinished)
  const ran = await send('')
  expect(ran).toMatchObject({ kind: 'repl', output: expect.stringContaining('0\n1\n') })
  expect(ran.note).toBeUndefined()
  expect(await send('y = (1,')).toMatchObject(isUnfinished)
  const interrupted = await client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
  expect(interrupted).toMatchObject({ kind: 'repl', output: expect.stringContaining('KeyboardInterrupt') })
  expect(interrupted.note).toBeUndefined()
})

describe('a question of the shell itself is not a prompt:', () => {
  test.each([
    ['bash', { '.bashrc': 'read -p "[theme] Update now? [Y/n] " answer\n' }, 'line'],
    ['bash', { '.bashrc': 'read -p "cmd> " answer\n' }, 'line'],
    ['zsh', { '.zshrc': 'read -q "answer?[theme] Update now? [Y/n] "\nPROMPT="%% "\n' }, 'key'],
    ['fish', { '.config/fish/config.fish': 'read -P "cmd> " answer\n' }, 'line'],
  ] as const)('a start-up file of %s: %o', async (shell, files, kind) => {
    const opened = await open(shell, files)
    const { client, terminalId } = opened
    const { terminals } = await client.call('wait', { terminalIds: [terminalId] })
    expect(terminals).toMatchObject([{ state: 'ready', kind }])
    await expect(run(opened, 'echo hello')).rejects.toMatchObject({ code: 'shell_busy' })
    await client.call('send', { terminalId, text: 'n' })
    expect(await run(opened, 'echo hello; false')).toMatchObject(printsAndFails)
  })

  test('a run waits for a shell that still reads its start-up files', async () => {
    const opened = await open('bash', { '.bashrc': 'until test -e "$HOME/may-start"; do sleep 0.02; done\n' }, 'none')
    const running = run(opened, 'echo hello; false')
    await opened.client.call('run', { command: 'touch ~/may-start' })
    expect(await running).toMatchObject(printsAndFails)
  })

  test.each([
    ['bash', 'while read -p "cmd> " line; do echo "got $line"; done'],
    ['zsh', 'while read "line?cmd> "; do echo "got $line"; done'],
    ['fish', 'while read -P "cmd> " line; echo "got $line"; end'],
  ])('a loop of %s that reads lines after "cmd> "', async (shell, loop) => {
    const opened = await open(shell)
    expect(await run(opened, loop)).toMatchObject({ state: 'ready', kind: 'line' })
    await expect(run(opened, 'echo hello')).rejects.toMatchObject({ code: 'shell_busy' })
  })

  test('a pager: the refusal names the way out', async () => {
    const opened = await open('bash')
    expect(await run(opened, 'seq 1000 | less')).toMatchObject({ kind: 'pager' })
    await expect(run(opened, 'echo hello')).rejects.toMatchObject({
      code: 'shell_busy',
      hint: expect.stringContaining('["q"]'),
    })
  })
})

test('lines follow each other in a shell that has replaced the first one and has no marks', async () => {
  const opened = await open('bash')
  const { client, terminalId } = opened
  await client.call('send', { terminalId, text: 'exec bash --norc' })
  const ran = await run(opened, 'echo one\necho two')
  expect(ran).toMatchObject({ kind: 'shell', note: expect.stringContaining('exit code is not known') })
  expect(ran.output).toMatch(/one\s[\s\S]*two/)
})

test('set -x shows the commands of bash without our hooks, and continues after each of them', async () => {
  const opened = await open('bash', { '.bashrc': 'PROMPT_COMMAND="users=\\$?"\n' })
  await run(opened, 'set -x')
  for (let time = 0; time < 2; time++) {
    expect(await run(opened, 'echo hello')).toMatchObject({ output: '+ echo hello\nhello', exitCode: 0 })
    expect(await run(opened, 'false')).toMatchObject({ output: '+ false', exitCode: 1 })
    expect((await run(opened, 'echo "$users"')).output).toContain('\n1')
  }
  await run(opened, 'set +x')
  expect(await run(opened, 'echo $-')).toMatchObject({ output: expect.not.stringContaining('x') })
})

test('set -v in bash prints no hooks of ours with later commands, and leaves no names behind', async () => {
  const opened = await open('bash')
  await run(opened, 'set -v')
  for (let time = 0; time < 2; time++) {
    expect(await run(opened, 'echo hello')).toMatchObject({ output: 'hello\n', exitCode: 0 })
    expect(await run(opened, 'printf half; false')).toMatchObject({ output: 'half', exitCode: 1 })
  }
  const { screen } = await opened.client.call('screenshot', { terminalId: opened.terminalId, format: 'plain' })
  expect(screen.slice(screen.indexOf('echo hello'))).not.toContain('__agentpty')
  // Without aliases the function of the hidden name runs.
  await run(opened, 'unalias -a; set -e')
  expect(await run(opened, 'echo still')).toMatchObject({ output: 'still\n', exitCode: 0 })
  await run(opened, 'set -x')
  expect((await run(opened, 'echo both')).output).toMatch(/^\+ echo both\nboth\n/)
  await run(opened, 'set +xv')
  await run(opened, 'set +e')
  expect(await run(opened, 'echo "$-"; alias; declare -F | cat -v | grep -c "\\^"')).toMatchObject({
    output: expect.stringMatching(/^(?!.*[xv]).*\n0$/),
  })
  expect(await run(opened, 'printf "%s" "$PROMPT_COMMAND"')).toMatchObject({
    output: expect.stringContaining('__agentpty_before'),
  })
})

describe('a tab is plain text without bracketed paste:', () => {
  const noPaste = {
    '.inputrc': 'set enable-bracketed-paste off\n',
    '.zshrc': "PROMPT='%% '\nunset zle_bracketed_paste\n",
  }

  test.each(['bash', 'zsh'])('in a word of %s', async (shell) => {
    const opened = await open(shell, noPaste)
    await run(opened, 'touch alpha')
    const dumped = await run(opened, "printf '%s' 'a\tb' | od -An -c")
    expect(dumped).toMatchObject({ output: expect.stringMatching(/a +\\t +b/) })
  })

  test('in a here-document of bash', async () => {
    const opened = await open('bash', noPaste)
    await run(opened, "cat > Makefile <<'E'\nall:\n\techo made\nE")
    expect(await run(opened, "grep -c '^\techo' Makefile")).toMatchObject({ output: '1' })
  })

  test('a program that reads keys refuses it with the next step', async () => {
    const { client } = await open('bash')
    const command = ['sh', '-c', 'stty raw -echo; echo reads; exec cat']
    const { terminalId } = await client.call('create', { command, waitFor: { text: 'reads' } })
    const sent = client.call('send', { terminalId, text: 'echo "a\tb"' })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('"ctrl+v"') })
  })
})

describe('output cleared from the screen by a command is stated:', () => {
  test.each([
    [
      'clear',
      'seq 1 100; echo ERROR in build; clear; echo watching',
      /^\[\.\.\. the screen was cleared here; 101 lines.*\]\nwatching$/,
    ],
    ['a sequence', String.raw`echo one; printf '\033[H\033[2J'; echo two`, /1 line before it is left out.*\ntwo$/],
    ['nothing before it', 'clear; echo two', /^two$/],
    ['an editor', "vim -u NONE -c ':q'; echo two", /^two$/],
  ])('%s', async (_what, command, output) => {
    expect((await run(await open('bash'), command)).output).toMatch(output)
  })
})

describe('a run means the same in a shell as in a script:', () => {
  test.each([
    ['zsh', "echo a # it's fine", 'a'],
    ['zsh', '# first\necho three', 'three'],
    ['zsh', '# nothing else', ''],
    ['zsh', 'echo "it works!"', 'it works!'],
    ['bash', 'echo "P@ss!word" "Hello!"', 'P@ss!word Hello!'],
    ['bash', `sh -c "echo 'Hello!'"`, 'Hello!'],
  ])('%s: %s', async (shell, command, output) => {
    expect(await run(await open(shell), command)).toMatchObject({ output, outcome: 'met', kind: 'shell' })
  })
})

describe('lines after a command in one text:', () => {
  test.each([
    ['bash', 'read word; echo "<$word>"\nhello', '<hello>'],
    ['zsh', 'read word; echo "<$word>"\nhello', '<hello>'],
    ['bash', 'head -n 2 | tr a-z A-Z\none\ntwo', 'ONE\nTWO'],
  ])('in %s, a program that reads them gets them without marks of a paste: %s', async (shell, text, output) => {
    const { client, terminalId } = await open(shell)
    const sent = await client.call('send', { terminalId, text, waitFor: { text: output } })
    expect(sent).toMatchObject({ outcome: 'met', output: expect.not.stringContaining('^[[') })
  })

  test.each(['bash', 'zsh', 'fish'])('in %s, a shell that returns soon draws them once', async (shell) => {
    const { client, terminalId } = await open(shell)
    const sent = await client.call('send', { terminalId, text: 'sh -c "sleep 0.02"\necho one' })
    expect(sent.output?.split('echo one')).toHaveLength(2)
  })
})

describe('a killed full-screen program leaves no modes behind:', () => {
  test.each(['bash', 'zsh', 'fish'])('in %s', async (shell) => {
    const opened = await open(shell)
    const draws = String.raw`printf "\033[?1049h\033[?1003h\033[?1006h\033[?25l"; kill -9 $$`
    await run(opened, `sh -c '${draws}'`)
    const { client, terminalId } = opened
    const seen = await client.call('screenshot', { terminalId })
    expect(seen.screen).toContain('kill -9')
    const { output } = await client.call('read', { terminalId, since: 0, raw: true })
    expect(output.lastIndexOf('1003;1004;1005;1006;1015;1047l')).toBeGreaterThan(output.indexOf('[?1003h'))
    expect(await run(opened, 'echo hello')).toMatchObject({ output: 'hello' })
  })
})

test('the timeline has the lines that bash ran, also typed ahead of its first prompt or recalled and edited', async () => {
  const opened = join(scratchFolder(), 'opened')
  const bashrc = `until [ -e ${opened} ]; do sleep 0.02; done; PS1='\\w$ '\n`
  const { client, terminalId } = await open('bash', { '.bashrc': bashrc }, 'none')
  await client.call('send', { terminalId, text: 'echo ab', waitFor: 'none' })
  writeFileSync(opened, '')
  await client.call('wait', { terminalIds: [terminalId] })
  await client.call('send', { terminalId, text: 'nonsense', newline: false })
  await client.call('sendKeys', { terminalId, keys: ['up', 'backspace', 'c', 'enter'] })
  const { items } = await client.call('timeline', { terminalId })
  expect(items.flatMap((item) => (item.kind === 'command' ? [item.line] : []))).toEqual(['echo ab', 'echo ac'])
})
