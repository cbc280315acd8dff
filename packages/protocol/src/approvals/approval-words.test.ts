import { expect, test } from 'vitest'
import { TermError } from '../errors.ts'
import { approvalIn, repeatByTool, repeatedByCommand, shownText } from './approval-words.ts'

const asked = (hint: string) =>
  new TermError('needs_approval', 'A person must allow this first.\nIt was not done; they are asked as ap-3.', hint)

test('the command line names the command that was used, and not the tool', () => {
  const error = asked(`It deletes files. Once allowed, ${repeatByTool('terminal_create')}; or do without it.`)
  expect(repeatedByCommand(error, "agentpty run -- rm -r '$&'").hint).toBe(
    "It deletes files. Once allowed, run again: agentpty run -- rm -r '$&'; or do without it.",
  )
})

test('other errors keep their hint', () => {
  const error = new TermError('denied', 'No.', repeatByTool('terminal_run'))
  expect(repeatedByCommand(error, 'agentpty run x')).toBe(error)
})

test('the id of the approval is read from its error, and from no other', () => {
  expect(approvalIn(asked(''))).toBe('ap-3')
  expect(approvalIn({ code: 'denied', message: ' they are asked as ap-3.' })).toBeNull()
  expect(approvalIn({ code: 'needs_approval', message: 'else' })).toBeNull()
})

test.each([
  ['plain words as they are', "rm -rf 'my folder'\n", "rm -rf 'my folder'\n"],
  ['letters of a language of its own as they are', 'Привет', 'Привет'],
  ['names of files with accents as they are', 'cat naïve-日本.txt', 'cat naïve-日本.txt'],
  ['a turn of the direction of writing', 'rm \u202efdp.exe', 'rm ⟨U+202E⟩fdp.exe'],
  ['letters without width', 'r\u200bm x', 'r⟨U+200B⟩m x'],
  ['a letter that looks like another', 'сurl example.org', '⟨U+0441⟩url example.org'],
  ['an escape sequence that would clear the line', 'rm x\x1b[2K\rls', 'rm x⟨U+001B⟩[2K\nls'],
  ['a bell and a backspace', 'ls\x08\x08rm\x07', 'ls⟨U+0008⟩⟨U+0008⟩rm⟨U+0007⟩'],
  ['combining marks', 'r\u0336m', 'r⟨U+0336⟩m'],
  ['a blank that is none', 'rm\u00a0x', 'rm⟨U+00A0⟩x'],
  ['the mark itself', '⟨U+0041⟩', '⟨U+27E8⟩U+0041⟨U+27E9⟩'],
  ['tags that no font shows', 'ls\u{e0041}', 'ls⟨U+E0041⟩'],
  ['a tab', 'a\tb', 'a⟨U+0009⟩b'],
])('%s', (_name, text, shown) => {
  expect(shownText(text, 1_000)).toBe(shown)
})

test('of a long text the end is shown as well, and how much is left out', () => {
  const shown = shownText(`echo ${'a'.repeat(5_000)}; rm -rf build`, 100)
  expect(shown).toMatch(/^echo a+\n⟨4919 characters more⟩\na+; rm -rf build$/)
})

test('a dash is spelled out in a command, and stays in the words of a question', () => {
  expect(shownText('rm —rf', 100)).toBe('rm ⟨U+2014⟩rf')
  expect(shownText('Open — Terminal', 100, 'prose')).toBe('Open — Terminal')
  expect(shownText('Оpen — \u202eTerminal', 100, 'prose')).toBe('⟨U+041E⟩pen — ⟨U+202E⟩Terminal')
})
