import { expect, test } from 'vitest'
import { givenRules } from '../../../test/support/rules.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { createLog } from '../../lib/log.ts'
import { startRules } from './live-rules.ts'
import { readRules } from './read-site-rules.ts'

const log = createLog('silent')
const useAll = async () => {}

test('not started with an invalid file: one message lists every problem', async () => {
  const { path, write } = givenRules()
  write({ shaping: [{ rate: 'much' }, { connections_max: 0 }] })
  const starting = startRules(path, log, useAll)
  await expect(starting).rejects.toThrow(CannotStart)
  await expect(starting).rejects.toThrow(/has 2 problems:\n {2}- shaping\[0\]\.rate: .*\n {2}- shaping\[1\]/)
})

test('reloaded: the new rules if they are valid, else the old', async () => {
  const { path, write } = givenRules({ probes: ['1s'] })
  let isRefusing = false
  const rules = await startRules(path, log, async () => {
    if (isRefusing) throw new CannotStart('None of the addresses is here.')
  })
  expect(rules.current().probesMs).toEqual([1000])
  write({ probes: ['2s'] })
  await rules.reload()
  expect(rules.current().probesMs).toEqual([2000])
  write('{')
  await rules.reload()
  expect(rules.current().probesMs).toEqual([2000])
  write({ probes: ['3s'] })
  isRefusing = true
  await rules.reload()
  expect(rules.current().probesMs).toEqual([2000])
})

test('reloaded twice concurrently: the last version of the file applies, even if the first reload takes longer', async () => {
  const { path, write } = givenRules({ probes: ['1s'] })
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const seen: unknown[] = []
  const rules = await startRules(path, log, async ({ probesMs }) => {
    seen.push(probesMs)
    if (probesMs?.[0] !== 2000) return
    begun.resolve()
    await slow.promise
  })
  write({ probes: ['2s'] })
  const first = rules.reload()
  await begun.promise
  write({ probes: ['3s'] })
  const second = rules.reload()
  // The second reload would be finished by now if it did not wait for the first.
  await readRules(path)
  await readRules(path)
  slow.resolve()
  await Promise.all([first, second])
  expect(rules.current().probesMs).toEqual([3000])
  expect(seen).toEqual([[1000], [2000], [3000]])
})
