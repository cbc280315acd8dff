/** The notice that replaces the page while agentpty cannot be reached. It contains no data and no script. */

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const document = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>agentpty cannot be reached</title>
<style>
:root { color-scheme: light dark }
body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 16px; box-sizing: border-box; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f4f4f2, #101115); color: light-dark(#23252b, #e4e4e7) }
main { max-width: 40ch }
h1 { font-size: 20px }
a { display: inline-block; padding: 10px 16px; border: 1px solid; border-radius: 8px; color: inherit; text-decoration: none }
</style>
<main>
<h1>agentpty cannot be reached</h1>
<p>The computer may be off or offline, or agentpty does not run there. Any agentpty command starts it. This page tries again every 10 seconds.</p>
<p><a href="">Try again</a></p>
</main>
</html>
`

export function offlinePage(): Response {
  return new Response(document, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    },
  })
}
