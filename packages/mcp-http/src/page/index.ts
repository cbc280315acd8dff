export { type PageFiles, pageApp, readPageFiles } from './page-app.ts'
export { isPagePath, pageRoute } from './page-route.ts'
export { type PageHandlers, PageSockets, SocketCarrier } from './page-sockets.ts'
