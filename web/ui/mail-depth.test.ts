import { expect, test } from 'vitest'
import { isTooDeep } from './mail-depth.ts'

test.each(['<div>'.repeat(100_000), '<div></x>'.repeat(100_000), '<DIV class="a"><p>'.repeat(10_000)])(
  'html of which too much is open at once is told: %#',
  (html) => {
    expect(isTooDeep(html)).toBe(true)
  },
)

test.each([
  '<table><tr><td>x</td></tr></table>'.repeat(20_000),
  '<p>One<p>Two<br><img src="x">'.repeat(20_000),
  `${'<div>'.repeat(300)}words${'</div>'.repeat(300)}`,
  '<'.repeat(100_000),
])('html of people, however long, is shown: %#', (html) => {
  expect(isTooDeep(html)).toBe(false)
})
