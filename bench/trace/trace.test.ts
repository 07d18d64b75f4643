import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeTrace, type TraceLine } from './trace.ts'

test('the time before each step of an email, and what the server did meanwhile', () => {
  const directory = mkdtempSync(join(tmpdir(), 'trace-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'trace')
  const lines: TraceLine[] = [
    { kind: 'step', emailId: 'one', what: 'read', fromMs: 1002, ms: 0 },
    { kind: 'step', emailId: 'one', what: 'signed', fromMs: 1010, ms: 0 },
    { kind: 'loop', what: '', fromMs: 999, ms: 3 },
    { kind: 'gc', what: '', fromMs: 2000, ms: 3 },
  ]
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const text = describeTrace(path, [
    { recipient: 'bob@to.test', emailId: 'one', sentMs: 1000, attemptedMs: 1011 },
  ])
  expect(text.split('\n').slice(1, 4)).toEqual([
    'mean of all: read +2.0, signed +8.0, RCPT +1.0 = 11.0 ms',
    'bob@to.test: read +2.0, signed +8.0, RCPT +1.0 = 11.0 ms',
    '    loop from -1.0 for 3.0 ms',
  ])
})
