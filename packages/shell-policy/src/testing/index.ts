export { judgementOn } from '../judging-fixture.ts'
export { isGuard, isStart } from '../places.ts'
export { judgeBy, type RuleTexts, rulesOf } from '../rules/rules-fixture.ts'
export { sentences } from '../verdict.ts'
