/**
 * What each field of a tool means, for docs/tools.md. The contracts hold the shapes; the words for people are here.
 *
 * A field is looked up as `tool.field`, then as `field`; one in a result as `tool.result.field` before that.
 * `npm run docs` fails when a field has no meaning, and when a meaning here belongs to no field any more.
 */

export const meanings: Readonly<Record<string, string>> = {
  // Parameters
  terminalId: 'The terminal, by its id (`term-3`) or by its name.',
  terminalIds: 'Terminals by their ids or names.',
  waitFor: 'What ends the call; see [Waiting](waiting.md).',
  waitTimeoutMs: 'How long to wait at most. A call never lasts longer than 53.5 s; on `timeout` go on from `cursor`.',
  cols: 'Width in cells.',
  rows: 'Height in cells.',
  'terminal_create.name': 'A name to use instead of the id, unique among the terminals that are there.',
  'terminal_create.command':
    'A string is run by the shell with `-c`, a list directly. Without it: an interactive shell.',
  'terminal_create.shell': 'Path or name of the shell. bash, zsh and fish mark their prompts and commands.',
  'terminal_create.env': 'Environment variables to add to those of the client.',
  'terminal_send.text': 'Taken literally. Several lines are pasted as one where the program asks for bracketed paste.',
  'terminal_send.newline': 'Press Enter at the end.',
  'terminal_send.instruct':
    'The text is an instruction for an agent: typed only once it is idle. While a dialog is up the call fails with `needs_answer` and the question, and nothing is typed.',
  'terminal_send.waitForString': 'Same as `waitFor: {text}`; adds to it.',
  'terminal_send.waitForOutput': 'Same as `waitFor: "output"`; adds to it.',
  'terminal_run.command':
    'Lines for the shell. In a `terminalId` they are typed one by one, each when the shell has taken the one before.',
  'terminal_run.clearLine':
    'Drop what stands at the shell’s prompt first, by ctrl+c. Without it, a prompt that is not empty is refused with `line_not_empty`.',
  'terminal_run.terminalId':
    'A shell at its prompt. Without it the command gets a terminal of its own, which ends with it.',
  'terminal_run.cwd': 'Where to run it. In a `terminalId` the shell changes there and stays.',
  'terminal_run.timeoutMs': 'As `waitTimeoutMs` elsewhere.',
  'terminal_send_keys.keys':
    'Keys in order: `"enter"`, `"ctrl+c"`, `"alt+b"`, `"f10"`, `"shift+tab"`, or single characters. tmux names (`C-c`) work too.',
  'terminal_read.since': 'Offset to read from: a `cursor` of an earlier result.',
  'terminal_read.waitForOutput': 'Same as `waitFor: "output"`; adds to it.',
  'terminal_read.waitForString': 'Same as `waitFor: {text}`; adds to it.',
  'terminal_read.find': 'Regular expression; only matching lines come back, each as `offset: text`.',
  'terminal_read.contextLines': 'Lines to show around each match of `find`.',
  'terminal_read.raw': 'Bytes as the program sent them, escape sequences included.',
  'terminal_read.maxLines': 'Lines to return at most; the middle is left out, and that is said.',
  'terminal_read.maxBytes':
    'Bytes to return at most; the middle is left out, and that is said. With `raw` the rest follows from `cursor`.',
  'terminal_wait.since':
    'From which offset on output counts, one for each of `terminalIds` in their order. Without it only what comes after the call.',
  'terminal_wait.any': '`true`: until the first of them meets it. `false`: until each does.',
  'terminal_screenshot.lines': 'Rows of scrollback to add above.',
  'terminal_screenshot.format':
    '`"plain"` is the text without the marks « », `"ansi"` keeps colours as escape sequences, `"html"` as markup.',
  'terminal_close.all': 'Every terminal this client opened.',
  'terminal_close.force': 'Also the terminal that the caller itself runs in.',
  'terminal_close.leaveDaemons': 'Spare processes that left the terminal’s session.',

  // Results
  outcome: 'How the wait ended: `met`, `exited` or `timeout`. Absent when nothing was waited for.',
  output:
    'What a person would have read since the call began. Of full-screen programs: the rows that changed, below their numbers, or the whole picture when all did.',
  cursor: 'Offset to read on from; give it to `terminal_read` as `since`.',
  missedBytes: 'Bytes that were asked for and are no longer kept.',
  note: 'What happened to the input, when it did not simply arrive.',
  state: '`ready`: your turn. `busy`: the program works. `exited`: it has ended.',
  kind: 'What a ready program expects: a shell’s command, a line, a password, …; see [Waiting](waiting.md).',
  confidence: 'How sure the verdict is: `certain`, `high`, `medium` or `low`.',
  needs: '`answer`: a dialog is up. What you send answers its question; an instruction would be lost in it.',
  question: 'What the dialog asks, as far as it can be told.',
  evidence: 'Why, in words; given when the program is busy or the confidence is medium or low.',
  exitCode: 'Of the shell command that finished last during the call, or of the program once `state` is `exited`.',
  signal: 'The signal that ended the program.',
  sent: 'Always `true`; an input that could not be sent is an error.',
  name: 'The name it was given.',
  pid: 'Process id of the program.',
  isActive: 'The program has not ended.',
  'terminal_create.terminalId': 'The new terminal’s id. Ids are never used twice.',
  'terminal_create.result.name': 'The name it was given.',
  'terminal_create.result.shell': 'The shell that runs in it; absent with a `command`.',
  'terminal_create.result.cwd': 'Where it started.',
  'terminal_create.cwd': 'Where it starts. A relative one counts from where the client was started.',
  'terminal_create.cols': 'Width in cells.',
  'terminal_create.rows': 'Height in cells.',
  'terminal_create.pid': 'Process id of the program.',
  'terminal_list.createdAt': 'When it was opened, in milliseconds since 1970.',
  'terminal_list.parent': 'The terminal whose program opened this one. Absent when it was opened from elsewhere.',
  'terminal_send_keys.sequences': 'The bytes each of them is in this terminal, as text.',
  'terminal_run.result.terminalId': 'Where it ran. A terminal of its own stays readable after the command.',
  'terminal_send_keys.result.keys': 'The keys that were pressed.',
  'terminal_run.commands':
    'In a `terminalId`, where there were several: the `line` of each command and its `exitCode`.',
  'terminal_run.line': 'A command as it was typed.',
  'terminal_run.durationMs': 'How long it took.',
  'terminal_read.matches': 'How many lines `find` matched, at most 200; `output` may hold fewer.',
  'terminal_read.output': 'The text since `since`, as a person would have read it.',
  'terminal_wait.terminals': 'One entry per terminal, in the order asked for.',
  'terminal_screenshot.screen':
    'The rows of the screen. What stands out by its background (the choice of a menu, a selection, a button) stands between « and ».',
  'terminal_screenshot.highlights': 'What stands between the marks, and where.',
  'terminal_screenshot.row': 'Row, 0-based from the top of the viewport.',
  'terminal_screenshot.col': 'Column, 0-based.',
  'terminal_screenshot.text': 'What is highlighted.',
  'terminal_screenshot.cursorRow': 'Row of the screen’s cursor, 0-based from the top of the viewport.',
  'terminal_screenshot.cursorCol': 'Column of the screen’s cursor, 0-based.',
  'terminal_screenshot.title': 'The title the program gave its terminal.',
  'terminal_screenshot.behindBytes':
    'Output that is not on the screen yet: drawing it takes longer than two seconds. Look again to see it.',
  'terminal_screenshot.drawnTo': 'The offset that the screen has come to, when it is behind.',
  'terminal_screenshot.alternateScreen': '`true` while a full-screen program draws on the second grid.',
  'terminal_list.terminals': 'Every terminal of this agentpty, those of other clients and ended ones too.',
  'terminal_list.command': 'What runs there now.',
  'terminal_list.cwd': 'Where it is now, as far as its shell tells.',
  'terminal_close.closed': 'Ids of the terminals that were closed.',
  'terminal_close.survivors': 'Processes that could not be ended: another user’s, or stuck in the kernel.',
}

/** Defaults live in the handlers; `parameter` or `tool.parameter`. */
export const defaults: Readonly<Record<string, string>> = {
  waitFor: '`"ready"`',
  waitTimeoutMs: '30000',
  'terminal_create.shell': '`$SHELL`',
  'terminal_create.cwd': 'the client’s',
  'terminal_create.cols': '120',
  'terminal_create.rows': '30',
  'terminal_send.newline': '`true`',
  'terminal_send.instruct': '`false`',
  'terminal_run.cwd': 'the client’s, or the shell’s',
  'terminal_run.timeoutMs': '30000',
  'terminal_read.since': 'all that is kept',
  'terminal_read.waitFor': '`"none"`',
  'terminal_read.contextLines': '0',
  'terminal_read.maxBytes': '10240',
  'terminal_wait.any': '`true`',
  'terminal_screenshot.lines': '0',
  'terminal_screenshot.format': '`"text"`',
}
