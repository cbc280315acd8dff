export { answerPage, answerPath } from './answer-page.ts'
export { type HttpRoute, HttpServer, type HttpTree, type PageRoute, sendJson } from './http-server.ts'
export { TextSockets } from './upgrades.ts'
