import type { Handler } from './steps/handler.ts'

export const makeEnvironment: Handler<'makeEnvironment'> = ({ environments }, input) => environments.make(input)
