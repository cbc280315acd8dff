/** A host of MCP Apps in a page: the protocol's own host library around a sandboxed frame. Tools are called outside. */

import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

globalThis.showView = async ({ page, input, result, context, canCall }) => {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  frame.style.cssText = 'border:0;width:100%;height:520px'
  document.body.append(frame)
  const capabilities = canCall ? { serverTools: {} } : {}
  const bridge = new AppBridge(null, { name: 'test-host', version: '1' }, capabilities, { hostContext: context })
  bridge.oncalltool = (params) => globalThis.callTool(params)
  bridge.onsizechange = (size) => {
    globalThis.viewSize = size
  }
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = page
  await initialized
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
  globalThis.endView = () => bridge.teardownResource({})
}
