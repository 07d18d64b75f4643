import { expect, test } from 'vitest'
import { describeSkipped, titleOf } from './absent-programs.ts'

test('one line for each missing program, with what to install', () => {
  const php = titleOf('PHP', true, 'php 8.1 or later', 'php-cli php-curl')
  const fish = titleOf('fish completes', true, 'fish')
  expect(titleOf('fish completes', false, 'fish')).toBe('fish completes')
  expect(describeSkipped([`${php} > sends`, `${php} > lists`, fish, 'on another day'])).toEqual([
    '2 tests skipped: this machine has no php 8.1 or later. On Debian: apt-get install php-cli php-curl',
    '1 test skipped: this machine has no fish. On Debian: apt-get install fish',
  ])
})
