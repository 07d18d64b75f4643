import { expect, test } from 'vitest'
import { createLoopSlicer } from '../../lib/async/loop-slicer.ts'
import { SiteTurns } from './site-turns.ts'

test('begun before other sites that have only bulk mail, as soon as transactional mail waits', async () => {
  const slicer = createLoopSlicer({ pace: () => ({ sliceMs: 1, heldMax: 1 }), yieldTurn: () => null })
  const release = slicer.hold()
  const begun: string[] = []
  const site = (name: string) => {
    const waiting = { hasFirst: false, size: 5, bulkSize: 5 }
    const turns = new SiteTurns(slicer, waiting)
    return { waiting, turns, begin: turns.wait().then(() => begun.push(name)) }
  }
  const sites = ['a', 'b', 'c', 'mixed', 'first'].map(site)
  const [mixed, first] = sites.slice(3)
  mixed?.turns.advance()
  if (mixed !== undefined) mixed.waiting.size++
  mixed?.turns.advance()
  if (first !== undefined) first.waiting.hasFirst = true
  first?.turns.advance()
  await first?.begin
  expect(begun).toEqual(['first'])
  release()
  await Promise.all(sites.map(({ begin }) => begin))
  expect(begun).toEqual(['first', 'a', 'mixed', 'b', 'c'])
})
