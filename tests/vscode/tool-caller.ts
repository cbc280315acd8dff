/**
 * An extension for tests that calls the tools of others like an agent of the editor. It has no model and receives its calls over a
 * socket. Each window has its own, named after its folder.
 */

import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { basename, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'

/** The folder of the sockets. */
export const socketsVariable = 'TOOL_CALLER_SOCKETS'

export const socketIn = (sockets: string, folder: string): string => join(sockets, `${basename(folder)}.sock`)

const manifest = {
  name: 'tool-caller',
  publisher: 'agentpty-tests',
  version: '1.0.0',
  engines: { vscode: '^1.101.0' },
  main: './extension.js',
  activationEvents: ['onStartupFinished'],
  extensionKind: ['workspace'],
}

const code = `
const vscode = require('vscode'), http = require('node:http'), fs = require('node:fs')
exports.activate = (context) => {
  const [{ name }] = vscode.workspace.workspaceFolders
  const path = process.env.${socketsVariable} + '/' + name + '.sock'
  fs.rmSync(path, { force: true })
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const { tool, input, command, args } = JSON.parse(text)
    try {
      if (command) await vscode.commands.executeCommand(command, ...args)
      const done = command ? {} : tool
        ? { text: (await vscode.lm.invokeTool(tool, { input })).content.map((part) => part.value).join('') }
        : { tools: vscode.lm.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) }
      response.end(JSON.stringify(done))
    } catch (error) {
      response.end(JSON.stringify({ error: String(error && error.message || error) }))
    }
  }).listen(path)
  context.subscriptions.push({ dispose: () => server.close() })
}`

const description = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata><Identity Language="en-US" Id="${manifest.name}" Version="${manifest.version}" Publisher="${manifest.publisher}"/>
  <DisplayName>Tool caller</DisplayName><Description>For tests</Description>
  <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${manifest.engines.vscode}"/></Properties></Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>`

const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="text/plain"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>`

/** Writes the extension for installation; returns its path. */
export function writeToolCaller(folder: string): string {
  const file = join(folder, 'tool-caller.vsix')
  const parts = {
    'extension.vsixmanifest': strToU8(description),
    '[Content_Types].xml': strToU8(types),
    'extension/package.json': strToU8(JSON.stringify(manifest)),
    'extension/extension.js': strToU8(code),
  }
  writeFileSync(file, zipSync(parts))
  return file
}

export interface SeenTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
}

interface Answer {
  readonly text?: string
  readonly tools?: readonly SeenTool[]
  readonly error?: string
}

/** Sends a request to the extension in the editor. */
export class ToolCaller {
  readonly #socketPath: string

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  async tools(): Promise<readonly SeenTool[]> {
    return (await this.#ask({})).tools ?? []
  }

  /** The result of the tool, as JSON. */
  async call(tool: string, input: object): Promise<Record<string, unknown>> {
    const { text, error } = await this.#ask({ tool, input })
    if (text === undefined) throw new Error(error)
    return JSON.parse(text) as Record<string, unknown>
  }

  async command(command: string, ...args: readonly unknown[]): Promise<void> {
    const { error } = await this.#ask({ command, args })
    if (error !== undefined) throw new Error(error)
  }

  #ask(asked: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath: this.#socketPath, method: 'POST' }, async (response) => {
        let text = ''
        for await (const part of response) text += String(part)
        resolve(JSON.parse(text) as Answer)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(asked))
    })
  }
}
