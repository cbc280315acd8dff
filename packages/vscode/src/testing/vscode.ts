/** A fake of the editor's module `vscode`, as far as the extension uses it. It records what was shown and asked. */

import { CancellationTokenSource, EventEmitter } from './event-emitter.ts'
import { InputBox, type OpenDialog, QuickPick } from './quick-input.ts'

export { CancellationTokenSource, EventEmitter }

export class ThemeColor {
  readonly id: string

  constructor(id: string) {
    this.id = id
  }
}

export class ThemeIcon {
  readonly id: string
  readonly color: ThemeColor | undefined

  constructor(id: string, color?: ThemeColor) {
    this.id = id
    this.color = color
  }
}

export class MarkdownString {
  value: string

  constructor(value = '') {
    this.value = value
  }

  appendText(text: string): this {
    this.value += `${text}\n`
    return this
  }

  appendCodeblock(text: string): this {
    this.value += `${text}\n`
    return this
  }
}

export class LanguageModelTextPart {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

export class LanguageModelToolResult {
  readonly content: readonly LanguageModelTextPart[]

  constructor(content: readonly LanguageModelTextPart[]) {
    this.content = content
  }
}

export class McpHttpServerDefinition {
  readonly label: string
  readonly uri: { readonly text: string }
  readonly headers: Readonly<Record<string, string>>
  readonly version: string

  constructor(label: string, uri: { readonly text: string }, headers: Record<string, string>, version: string) {
    this.label = label
    this.uri = uri
    this.headers = headers
    this.version = version
  }
}

export const Uri = {
  parse: (text: string) => ({ text }),
  file: (fsPath: string) => ({ fsPath }),
  joinPath: (base: { readonly path: string }, ...parts: readonly string[]) => ({
    path: [base.path, ...parts].join('/'),
  }),
}

interface Disposing {
  dispose(): unknown
}

export const Disposable = {
  from: (...all: readonly Disposing[]) => ({
    dispose: () => {
      for (const one of all) one.dispose()
    },
  }),
}

export class TreeItem {
  readonly label: string
  readonly collapsibleState: number

  constructor(label: string, collapsibleState = 0) {
    this.label = label
    this.collapsibleState = collapsibleState
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 }
export const TerminalLocation = { Panel: 1, Editor: 2 }
export const ViewColumn = { Active: -1, Beside: -2 }

interface TerminalOptions {
  readonly name: string
  readonly pty: { open(size: undefined): void; close(): void }
  readonly location: unknown
}

/** A tab created by the editor. */
export class Terminal {
  /** Each time that it was shown, with or without focus. */
  readonly shown: { readonly preserveFocus: boolean }[] = []
  isDisposed = false
  readonly state = { isInteractedWith: false }

  readonly creationOptions: TerminalOptions

  constructor(creationOptions: TerminalOptions) {
    this.creationOptions = creationOptions
  }

  show(preserveFocus = false): void {
    this.shown.push({ preserveFocus })
  }

  dispose(): void {
    this.isDisposed = true
    this.creationOptions.pty.close()
  }
}

interface View {
  badge: { value: number; tooltip: string } | undefined
  message: string
  selection: readonly unknown[]
  readonly onDidChangeSelection: EventEmitter<{ readonly selection: readonly unknown[] }>['event']
  dispose(): void
}

/** An editor tab with a web page. */
class Panel {
  readonly posted: Readonly<Record<string, string>>[] = []
  readonly messages = new EventEmitter<unknown>()
  readonly disposed = new EventEmitter<void>()
  readonly viewState = new EventEmitter<void>()
  title: string
  visible = true
  readonly webview = {
    html: '',
    options: {},
    onDidReceiveMessage: this.messages.event,
    postMessage: async (message: Readonly<Record<string, string>>) => this.posted.push(message),
    asWebviewUri: (uri: { readonly path: string }) => `https://view${uri.path}`,
  }
  readonly onDidDispose = this.disposed.event
  readonly onDidChangeViewState = this.viewState.event

  constructor(title: string) {
    this.title = title
  }

  reveal(): void {}

  dispose(): void {
    this.disposed.fire()
  }
}

export const QuickPickItemKind = { Separator: -1, Default: 0 }

const opened = new EventEmitter<Terminal>()
const events = {
  closed: new EventEmitter<unknown>(),
  active: new EventEmitter<unknown>(),
  shellIntegration: new EventEmitter<unknown>(),
  commandStarted: new EventEmitter<unknown>(),
  commandEnded: new EventEmitter<unknown>(),
  focus: new EventEmitter<{ readonly focused: boolean }>(),
  extensions: new EventEmitter<void>(),
  settings: new EventEmitter<{ affectsConfiguration(name: string): boolean }>(),
}

/** The state for tests: recorded calls, and the settings. */
export const editor = {
  settings: new Map<string, unknown>(),
  terminals: [] as Terminal[],
  views: [] as View[],
  panels: [] as Panel[],
  /** The registered commands, and the executed ones. */
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  done: [] as (readonly unknown[])[],
  copied: '',
  asked: [] as OpenDialog[],
  opened,
  events,
  /** Terminals that existed before any listener. */
  observed: [] as unknown[],
  extensions: [] as { readonly packageJSON: { readonly name: string } }[],
  tools: new Map<string, RegisteredTool>(),
  mcp: [] as McpProvider[],
  said: [] as string[],
}

interface RegisteredTool {
  prepareInvocation(options: { readonly input: object }): unknown
  invoke(options: { readonly input: object }, token: CancellationTokenSource['token']): Promise<LanguageModelToolResult>
}

interface McpProvider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => Disposing
  provideMcpServerDefinitions(): Promise<readonly McpHttpServerDefinition[]>
}

export function forgetAll(): void {
  editor.settings.clear()
  const { terminals, views, asked, observed, extensions: installed, mcp, said, panels, done } = editor
  for (const list of [terminals, views, asked, observed, installed, mcp, said, panels, done]) list.length = 0
  for (const map of [editor.tools, editor.commands]) map.clear()
  // Listeners of earlier tests or other files must not receive events of this one.
  for (const emitter of [opened, ...Object.values(events)]) emitter.dispose()
  editor.copied = ''
  window.activeTerminal = undefined
  window.state.focused = true
}

function ask(kind: OpenDialog['kind'], text: string, options: object, choices: readonly string[], token?: Token) {
  return new Promise<string | undefined>((answer) => {
    editor.asked.push({ kind, text, options: { ...options }, choices, answer })
    token?.onCancellationRequested(() => answer(undefined))
  })
}

type Token = CancellationTokenSource['token']
type MessageParts = readonly (object | string)[]

const message = (kind: OpenDialog['kind'], text: string, parts: MessageParts) =>
  ask(
    kind,
    text,
    parts.find((part) => typeof part === 'object') ?? {},
    parts.filter((part) => typeof part === 'string'),
  )

export const window = {
  activeTerminal: undefined as Terminal | undefined,
  state: { focused: true },
  onDidOpenTerminal: opened.event,
  onDidCloseTerminal: events.closed.event,
  onDidChangeActiveTerminal: events.active.event,
  onDidChangeTerminalShellIntegration: events.shellIntegration.event,
  onDidStartTerminalShellExecution: events.commandStarted.event,
  onDidEndTerminalShellExecution: events.commandEnded.event,
  onDidChangeWindowState: events.focus.event,
  terminals: editor.observed,
  setStatusBarMessage: (text: string) => void editor.said.push(text),
  createTerminal(options: TerminalOptions): Terminal {
    const terminal = new Terminal(options)
    editor.terminals.push(terminal)
    return terminal
  },
  createWebviewPanel(_type: string, title: string): Panel {
    const panel = new Panel(title)
    editor.panels.push(panel)
    return panel
  },
  registerWebviewPanelSerializer: () => ({ dispose: () => {} }),
  createTreeView() {
    const view: View = {
      badge: undefined,
      message: '',
      selection: [],
      onDidChangeSelection: new EventEmitter<{ readonly selection: readonly unknown[] }>().event,
      dispose: () => {},
    }
    editor.views.push(view)
    return view
  },
  showWarningMessage: (text: string, ...parts: MessageParts) => message('warning', text, parts),
  showInformationMessage: (text: string, ...parts: MessageParts) => message('information', text, parts),
  createQuickPick: () => new QuickPick((dialog) => editor.asked.push(dialog)),
  createInputBox: () => new InputBox((dialog) => editor.asked.push(dialog)),
  showQuickPick: (choices: readonly string[], options: { readonly title: string }, token?: Token) =>
    ask('pick', options.title, options, choices, token),
  showInputBox: (options: { readonly title: string }, token?: Token) => ask('input', options.title, options, [], token),
}

export const env = {
  clipboard: {
    writeText: async (text: string) => {
      editor.copied = text
    },
  },
}

export class DataTransferItem {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

export const workspace = {
  onDidChangeConfiguration: events.settings.event,
  getConfiguration: (section: string) => ({
    get: (name: string, otherwise: unknown) => editor.settings.get(`${section}.${name}`) ?? otherwise,
    inspect: (name: string) => ({ globalValue: editor.settings.get(`${section}.${name}`) }),
  }),
}

export const extensions = {
  onDidChange: events.extensions.event,
  get all() {
    return editor.extensions
  },
}

export const commands = {
  registerCommand(name: string, does: (...args: never[]) => unknown) {
    if (editor.commands.has(name)) throw new Error(`command '${name}' already exists`)
    editor.commands.set(name, does as (...args: unknown[]) => unknown)
    return { dispose: () => void editor.commands.delete(name) }
  },
  executeCommand: async (...args: readonly unknown[]) => void editor.done.push(args),
}

export const lm = {
  registerTool(name: string, tool: RegisteredTool) {
    editor.tools.set(name, tool)
    return { dispose: () => void editor.tools.delete(name) }
  },
  registerMcpServerDefinitionProvider(_id: string, provider: McpProvider) {
    editor.mcp.push(provider)
    return { dispose: () => {} }
  },
}
