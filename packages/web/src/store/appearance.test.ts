import { expect, test } from 'vitest'
import { parseAppearance, usualAppearance } from './appearance.ts'

test.each([
  ['nothing', null, {}],
  [
    'a complete choice',
    '{"theme":"contrast","font":"Fira Code","fontSize":18}',
    { theme: 'contrast', font: 'Fira Code', fontSize: 18 },
  ],
  ['a theme of a later version', '{"theme":"sepia","font":"Hack"}', { font: 'Hack' }],
  ['a size beyond all limits', '{"fontSize":900}', { fontSize: 32 }],
  ['a size too small to read', '{"fontSize":1}', { fontSize: 8 }],
  ['parts of wrong types', '{"theme":1,"font":[],"fontSize":"12"}', {}],
  ['null', 'null', {}],
  ['a font that would end the string of a style sheet', '{"font":"Fira\\"}*{color:red"}', { font: 'Firacolorred' }],
  ['text that is no JSON', '{', {}],
])('of %s, the valid parts are taken', (_what, stored, want) => {
  expect(parseAppearance(stored)).toEqual({ ...usualAppearance, ...want })
})
