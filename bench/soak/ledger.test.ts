import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SoakLedger } from './ledger.ts'
import type { SoakSample } from './samples.ts'

const PLAN = { count: 5000, everyMs: 30_000 }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sendwright-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('A run goes on from the senders and samples of the one before', () => {
  const folder = makeFolder()
  const senders = [{ key: 'sw_1', from: 'orders@team-1.test', domainId: 'd' }]
  const samples = [{ emails: 1000 }, { emails: 2000 }] as SoakSample[]
  const first = new SoakLedger(folder, PLAN)
  expect(first.senders).toBeNull()
  first.begin(senders)
  for (const sample of samples) first.add(sample)
  const second = new SoakLedger(folder, PLAN)
  expect(second.senders).toEqual(senders)
  expect(second.samples).toEqual(samples)
  expect(() => new SoakLedger(folder, { ...PLAN, count: 1 })).toThrow('begun with --count 5000 --every 30.')
})

test('A folder with other files is refused', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'server'))
  writeFileSync(join(folder, 'server', 'main.ts'), '')
  expect(() => new SoakLedger(folder, PLAN)).toThrow('neither empty nor the directory of a soak')
})
