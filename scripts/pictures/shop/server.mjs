/** Prints the log of a web server, and waits. */

import process from 'node:process'

const requests = [
  ['GET', '/', 200, 4],
  ['GET', '/products?page=2', 200, 11],
  ['POST', '/cart', 201, 9],
  ['GET', '/cart', 200, 3],
  ['POST', '/checkout', 302, 38],
  ['GET', '/invoices/1042', 200, 14],
  ['GET', '/invoices/1043.pdf', 404, 2],
  ['GET', '/health', 200, 1],
]
process.stdout.write('shop listens on http://127.0.0.1:8080\n\n')
for (const [method, path, status, ms] of requests) {
  const color = status < 300 ? 32 : status < 400 ? 36 : 33
  process.stdout.write(
    `${method.padEnd(4)} ${path.padEnd(20)} \x1b[${color}m${status}\x1b[0m ${String(ms).padStart(4)} ms\n`,
  )
}
setInterval(() => {}, 1_000_000)
