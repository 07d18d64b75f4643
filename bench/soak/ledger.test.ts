import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SoakLedger } from './ledger.ts'
import type { SoakSample } from './samples.ts'

test('A run goes on from the senders and samples of the one before', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-ledger-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const senders = [{ key: 'sw_1', from: 'orders@team-1.test', domainId: 'd' }]
  const samples = [{ emails: 1000 }, { emails: 2000 }] as SoakSample[]
  const first = new SoakLedger(directory)
  expect(first.senders).toBeNull()
  first.begin(senders)
  for (const sample of samples) first.add(sample)
  const second = new SoakLedger(directory)
  expect(second.senders).toEqual(senders)
  expect(second.samples).toEqual(samples)
})
