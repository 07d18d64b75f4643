import { expect, test } from 'vitest'
import { isTooDeep } from './mail-depth.ts'

test.each(['<div>'.repeat(100_000), '<div></x>'.repeat(100_000), '<DIV class="a"><p>'.repeat(10_000)])(
  'HTML with too many open elements is detected: %#',
  (html) => {
    expect(isTooDeep(html)).toBe(true)
  },
)

test.each([
  '<table><tr><td>x</td></tr></table>'.repeat(20_000),
  '<p>One<p>Two<br><img src="x">'.repeat(20_000),
  `${'<div>'.repeat(300)}words${'</div>'.repeat(300)}`,
  '<'.repeat(100_000),
])('ordinary HTML of any length is accepted: %#', (html) => {
  expect(isTooDeep(html)).toBe(false)
})
