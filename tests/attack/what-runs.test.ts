/**
 * What an agent makes the shells of this machine run by keys, pastes, half commands and lines that a shell reads in its own way: nothing that
 * was not judged. Each row would remove a folder that is not the agent's to remove, and none may do it without a question.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTermError, openTerminals, type Terminals } from '../../packages/agentpty/src/index.ts'

/** Text with Enter, text alone, or keys by their names. */
type Step = string | { readonly text: string } | { readonly keys: readonly string[] }

const [up, enter, ctrlD] = [['up'], ['enter'], ['ctrl+d']].map((keys) => ({ keys }))
const press = (...keys: string[]): Step => ({ keys })
const half = (text: string): Step => ({ text })

/** V stands for the folder. */
const rows: Readonly<Record<string, readonly (readonly [name: string, ...steps: readonly (Step | undefined)[]])[]>> = {
  bash: [
    ['a here-document that the end of input ends', 'cat <<E; rm -r V', ctrlD],
    ['a line that bash drops, and the body behind it', `cat > x.sh <<'EOF' && echo "say !nosuch"\nrm -r V\nEOF`],
    ['a recalled line that was refused', 'true rm -r V', up, half('\x01'), press('alt+d'), enter],
    [
      'a line that is taken back to its tail',
      half('true && rm -r V'),
      press('ctrl+a', 'alt+d', 'delete', 'delete', 'delete', 'delete'),
      enter,
    ],
    ['what was killed in two parts', half('rm -r V'), press('ctrl+w', 'ctrl+w', 'ctrl+w', 'ctrl+y'), enter],
    ['a word that was killed and put back', half('echo rm -r V'), press('ctrl+a', 'alt+d', 'ctrl+e'), enter],
    ['Backspace over a character that is two to some', half('#\u{1f600}'), press('backspace', 'backspace'), 'rm -r V'],
    ['a transposed start', half('mr -r V'), press('ctrl+a', 'ctrl+f', 'ctrl+t'), enter],
    ['an undone edit', half('rm -r V'), press('ctrl+u', 'ctrl+_'), enter],
    ['a number before a key', half('xxxxxrm -r V'), press('ctrl+a', 'alt+5', 'delete'), enter],
    ['vi mode', 'set -o vi', half('Xrm -r V'), press('escape'), half('0x'), enter],
    ['a history that was written', 'history -s "rm -r V"', '!!'],
    ['a recalled line of such a history', 'history -s "rm -r V"', up, enter],
    [
      'a line that is recalled by its number after others were left out',
      'HISTCONTROL=ignoredups',
      'echo rm -r V',
      'ls',
      'ls',
      '!-2:1-3',
    ],
    ['an erasing letter', 'stty erase x', 'true rxm -r V'],
    ['a line that is run by another key', half('rm -r V'), press('ctrl+o')],
    ['a paste that stands there, behind a line that bash refuses', half('fi\nrm -r V'), enter],
    ['ctrl+j', half('rm -r V'), press('ctrl+j')],
    ['a substitution that a key runs', half('echo $(rm -r V)'), press('ctrl+alt+e')],
    ['the line of an editor', half('rm -r V'), press('ctrl+x', 'ctrl+e')],
    ['a key and Enter in one call', 'echo rm -r V', press('up', 'ctrl+a', 'alt+d', 'enter')],
    [
      'a recalled command of several lines, of which bash runs the first ones',
      ...['\\rm -r V`', '\\\\ (\\'],
      press('ctrl+p'),
      'cat <<E ;; true\nE',
    ],
    ['ctrl+d in vi mode', 'set -o vi', half('true && rm -r V'), press('ctrl+d')],
    ['a paste whose first line becomes a comment', half('\x1b[200~cat <<E; true\nrm -r V\nE\x1b[201~'), press('alt+#')],
    ['a backslash in a comment', 'rm -r V # \\'],
    ['code in a line that cannot be read to its end', 'eval "fi"; rm -r V'],
    ['a substitution that fails as it runs', 'rm -r V`', "true \\ '\t`"],
    ['down after up', 'true', half('rm -r V'), press('up', 'down'), enter],
  ],
  zsh: [
    ['braces on one line', '{ rm -r V }'],
    ['an anonymous function', '() { rm -r V }'],
    ['a short loop', 'repeat 1 { rm -r V }'],
    ['what is no comment', 'make --version # && rm -r V'],
    ['a short for', 'for i (1) { rm -r V }'],
    ['if with braces', 'if true { rm -r V }'],
    ['vi mode', 'bindkey -v', half('Xrm -r V'), press('escape'), half('0x'), enter],
    ['a recalled line', 'true rm -r V', up, press('ctrl+a', 'alt+d'), enter],
    ['what was killed and put back', half('rm -r V'), press('ctrl+u', 'ctrl+y'), enter],
    ['an undone edit', half('rm -r V'), press('ctrl+u', 'ctrl+_'), enter],
    ['push-line', half('rm -r V'), press('alt+q'), 'true', enter],
    ['accept-and-hold', half('rm -r V'), press('alt+a')],
    ['completion that expands', half('echo $(rm -r V)'), press('tab')],
    ['a line that zsh drops', 'cat > x.sh <<EOF !nosuch\nrm -r V\nEOF'],
    ['a key and Enter in one call', 'echo rm -r V', press('up', 'ctrl+a', 'alt+d', 'enter')],
    ['a history reference', 'true rm -r V', '!!:1-3'],
    ['a path of a program', '=rm -r V'],
    ['a function that the end of a pipeline defines', 'true | f() { rm -r V; }', 'f'],
    ['a changed line of the history', 'true rm -r V', 'r true='],
    ['a prompt that is printed', 'setopt prompt_subst', "print -P '$(rm -r V)'"],
    ['a function behind a line that zsh refuses', 'cat <<E ;; true', 'f() {', 'rm -r V', '}', 'f'],
    ['a value that is evaluated', 'true "${(e):-`rm -r V`}"'],
  ],
  fish: [
    ['a recalled line', 'true rm -r V', up, press('ctrl+a', 'alt+d'), enter],
    ['what was killed and put back', half('rm -r V'), press('ctrl+u', 'ctrl+y'), enter],
    ['an undone edit', half('rm -r V'), press('ctrl+u', 'ctrl+_'), enter],
    ['vi mode', 'fish_vi_key_bindings', half('Xrm -r V'), press('escape'), half('0x'), enter],
    ['ctrl+j', half('rm -r V'), press('ctrl+j')],
    ['a key and Enter in one call', 'true rm -r V', press('up', 'ctrl+a', 'alt+d', 'enter')],
    ['a refused first line', 'cat <<E\nrm -r V\nE'],
    ['the rest of a line that only fish knew', half('rm -r V \u{1f600}'), press('backspace', 'backspace'), '"a', '"'],
    ['a line that fish refuses and keeps', half('rm -r V'), ' $', press('backspace'), '; true'],
    ['ctrl+d that ends nothing', half('\x1b[200~true &&\nrm -r V\x1b[201~'), ' \\', ctrlD, 'x'],
    ['ctrl+c that ends something else', half('rm -r V \u{1f600}'), press('ctrl+w', 'ctrl+c'), '"a', '"'],
    ['bindings that are chosen again', 'fish_default_key_bindings', half('rm -r V'), press('ctrl+u', 'ctrl+y'), enter],
  ],
  dash: [
    ['an erasing letter', 'stty erase x', 'true ; echo', half('rm -r Vx\x7f'), enter],
    ['Backspace over a character that is two to some', half('#\u{1f600}'), press('backspace', 'backspace'), 'rm -r V'],
    ['a refused first line', 'cat <<< E\nrm -r V\nE'],
    ['an unfinished line', 'cat <<E; rm -r V', ctrlD],
    ['a killed start', half('true '), press('ctrl+u'), 'rm -r V'],
  ],
}

let terminals: Terminals
let home: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'agentpty-runs-'))
  terminals = await openTerminals()
})
afterAll(async () => {
  await terminals.close()
  rmSync(home, { recursive: true, force: true })
})

for (const [shell, attacks] of Object.entries(rows))
  describe.concurrent(shell, () => {
    test.each(attacks.map(([name, ...steps], index) => [name, index, steps] as const))(
      '%s',
      async (_name, index, steps) => {
        // Deletions in the workspace and below /tmp are bounded, and asked about as well.
        const [cwd, victim] = [join(home, `${shell}-${index}`), join(home, `docs-${shell}-${index}`)]
        mkdirSync(cwd, { recursive: true })
        mkdirSync(victim)
        writeFileSync(join(home, '.zshrc'), '')
        const env = { ...(process.env as Record<string, string>), HOME: home, ZDOTDIR: home }
        const { terminalId } = await terminals.client.call('create', { shell, cwd }, { env })
        const refusals: string[] = []
        for (const step of steps) {
          if (step === undefined) continue
          const isKeys = typeof step !== 'string' && 'keys' in step
          const text = typeof step === 'string' ? step : 'text' in step ? step.text : ''
          const waiting = { terminalId, waitTimeoutMs: 3_000 } as const
          const call = isKeys
            ? terminals.client.call('sendKeys', { ...waiting, keys: [...step.keys] })
            : terminals.client.call('send', {
                ...waiting,
                text: text.replaceAll('V', victim),
                newline: typeof step === 'string',
              })
          await call.catch((error: unknown) => {
            if (!isTermError(error)) throw error
            refusals.push(error.code)
          })
        }
        await terminals.client
          .call('wait', { terminalIds: [terminalId], waitTimeoutMs: 1_000, waitFor: 'ready' })
          .catch(() => undefined)
        const lines = (await terminals.client.call('read', { terminalId })).output
        expect(existsSync(victim), `${refusals.join(' ')}\n${lines}`).toBe(true)
        await terminals.client.call('close', { terminalId })
      },
    )
  })
