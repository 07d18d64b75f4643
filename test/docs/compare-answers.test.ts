import { expect, test } from 'vitest'
import { expectAnswer, realIds } from './compare-answers.ts'

test.each(['', 'a1_'])('a real key that begins with sw_%s takes the place of the key in a guide', (cell) => {
  const shown = `sw_${'a'.repeat(40)}`
  const real = `sw_${cell}${'b'.repeat(40)}`
  const ids = new Map<string, string>()
  expectAnswer({ token: shown }, { token: real }, ids)
  expect(realIds(`Bearer ${shown}`, ids)).toBe(`Bearer ${real}`)
})
