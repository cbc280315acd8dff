import { expect, test } from 'vitest'
import { TermError } from '../errors.ts'
import { approvalIn, repeatByTool, repeatedByCommand } from './repeat-words.ts'

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
