/** A network of listed hosts: requests through the proxy are judged, and no other way exists. */

import { createServer, type Server } from 'node:http'
import type { SandboxNetwork } from '@agentpty/protocol/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'
import { until } from '../harness/instance.ts'

/** The only hosts that this machine surely has. */
describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  let server: Server
  let port: number
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers.host ?? '')
      response.end(`hello ${request.method} ${request.url}`)
    })
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', () => ready()))
    port = (server.address() as { port: number }).port
  })
  afterAll(async () => {
    server.close()
  })

  const python = async (code: string, network: SandboxNetwork) => {
    const sandbox = { network: typeof network === 'string' ? network : [...network] }
    const { output } = await walls.run({ command: ['python3', '-c', code], sandbox })
    return output
  }
  /** Uses the proxy named by the environment. */
  const fetched = (url: string) =>
    `import urllib.request, os\nos.environ.pop("no_proxy", 0); os.environ.pop("NO_PROXY", 0)\ntry:\n  print(urllib.request.urlopen("${url}").read().decode())\nexcept Exception as error:\n  print("held:", getattr(error, "code", ""), getattr(error, "read", lambda: b"")().decode() or error)`
  const tunnel = (target: string) =>
    `import socket\ns = socket.create_connection(("127.0.0.1", 3128))\ns.sendall(b"CONNECT ${target} HTTP/1.1\\r\\n\\r\\n")\nanswer = s.recv(500).decode()\nprint(answer.split("\\r\\n")[0])\nif " 200 " in answer:\n  s.sendall(b"GET /through HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n")\n  print(b"".join(iter(lambda: s.recv(500), b"")).decode().split("\\r\\n\\r\\n")[1])\nelse:\n  print(answer.split("\\r\\n\\r\\n")[1])`

  test('a listed host answers, by a request and through a tunnel', async () => {
    const network = [`127.0.0.1:${port}`]
    expect(await python(fetched(`http://127.0.0.1:${port}/plain`), network)).toBe('hello GET /plain')
    expect(await python(tunnel(`127.0.0.1:${port}`), network)).toContain('hello GET /through')
  })

  test('an unlisted host is refused by name, and never contacted', async () => {
    asked.length = 0
    const network = ['example.com']
    expect(await python(fetched(`http://127.0.0.1:${port}/`), network)).toContain('may not reach 127.0.0.1')
    expect(await python(tunnel(`127.0.0.1:${port}`), network)).toContain('403')
    expect(await python(tunnel(`localhost:${port}`), network)).toContain('may not reach localhost')
    expect(asked).toEqual([])
  })

  test('another port of a listed host is refused', async () => {
    expect(await python(tunnel(`127.0.0.1:${port}`), ['127.0.0.1:1'])).toContain('403')
  })

  test('the judged name is the one sent to the host, whatever the program sends', async () => {
    asked.length = 0
    const code = `import socket\ns = socket.create_connection(("127.0.0.1", 3128))\ns.sendall(b"GET http://127.0.0.1:${port}/ HTTP/1.0\\r\\nHost: evil.example\\r\\n\\r\\n")\nprint(s.recv(500).decode().split("\\r\\n")[0])`
    expect(await python(code, [`127.0.0.1:${port}`])).toContain('200')
    expect(asked).toEqual([`127.0.0.1:${port}`])
  })

  test('a program that ignores the proxy reaches nothing', async () => {
    expect(await walls.attack(['connect', '127.0.0.1', port], { network: [`127.0.0.1:${port}`] })).toMatch(
      /^held: .*refused/,
    )
  })

  test('an invalid proxy request is refused, and the next one is answered', async () => {
    const network = [`127.0.0.1:${port}`]
    const code = `import socket\nfor text in (b"\\x05\\x01\\x00", b"CONNECT HTTP/1.1\\r\\n\\r\\n", b"CONNECT :99999999 HTTP/1.1\\r\\n\\r\\n", b"GET ftp://127.0.0.1/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"):\n  s = socket.create_connection(("127.0.0.1", 3128)); s.sendall(text); s.shutdown(socket.SHUT_WR)\n  print(" 200 " in s.recv(500).decode())\n${fetched(`http://127.0.0.1:${port}/after`)}`
    expect(await python(code, network)).toBe('False\nFalse\nFalse\nFalse\nhello GET /after')
  })

  test('a sandbox keeps reaching its hosts after a restart of the daemon', async () => {
    const { terminalId } = await walls.client.call('create', {
      shell: 'bash',
      cwd: walls.workspace,
      sandbox: { network: [`127.0.0.1:${port}`] },
    })
    await walls.instance.cli('stop')
    const next = await walls.instance.rpc()
    const line = `curl -s -x "$http_proxy" --noproxy "" http://127.0.0.1:${port}/again || python3 -c '${fetched(`http://127.0.0.1:${port}/again`).replaceAll('"', '\\"')}'`
    await until(async () => (await next.call('send', { terminalId, text: line })).output.includes('hello GET /again'))
    const { terminals } = await next.call('list', {})
    expect(terminals.find((one) => one.terminalId === terminalId)?.sandbox?.network).toEqual([`127.0.0.1:${port}`])
    await next.call('close', { terminalId })
  })
})
