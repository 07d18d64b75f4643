import { expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import type { DueDelivery, LoadedMessage } from '../../queue/types.ts'
import { contentTimeMaxMs } from '../client/wire-content.ts'
import { createLargeMessages } from './large-messages.ts'

const MIB = 1024 * 1024
const LARGE = 30 * MIB
const SMALL = MIB

const deliveryOf = (sizeBytes = LARGE, teamId = newId(), emailId = newId()) =>
  ({ emailId, teamId, sizeBytes, message: null }) as unknown as DueDelivery
const content = () => ({ bytes: Buffer.from('x'), smtpUtf8: false })
/** Resolves after everything that can run without new external events has run. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Keeps contents in sending until released; `loaded` lists the emails' ids in load order. */
function givenLargeMessages() {
  const loaded: string[] = []
  const withMessage = createLargeMessages(async ({ emailId }) => {
    loaded.push(emailId)
    return content()
  })
  function send(site: string, delivery: DueDelivery) {
    const work = Promise.withResolvers<void>()
    const done = withMessage(site, delivery, () => work.promise)
    return {
      id: delivery.emailId,
      async end() {
        work.resolve()
        await done
        await turn()
      },
    }
  }
  return { loaded, send }
}

test('loaded four at a time: the fifth waits until one is done', async () => {
  const { loaded, send } = givenLargeMessages()
  const sent = ['a', 'b', 'c', 'd', 'e', 'f'].map((site) => send(site, deliveryOf()))
  await turn()
  expect(loaded).toEqual(sent.slice(0, 4).map(({ id }) => id))
  await sent[0]?.end()
  expect(loaded).toHaveLength(5)
  await Promise.all(sent.map(({ end }) => end()))
  expect(loaded).toHaveLength(6)
})

test('loaded two at a time for one team and for one site, so that others still have a place', async () => {
  const team = newId()
  for (const oneOfMany of [
    (site: number) => ['slow.test', deliveryOf(), site] as const,
    (site: number) => [`${site}.test`, deliveryOf(LARGE, team), site] as const,
  ]) {
    const { loaded, send } = givenLargeMessages()
    const slow = [1, 2, 3, 4, 5].map((number) => {
      const [site, delivery] = oneOfMany(number)
      return send(site, delivery)
    })
    await turn()
    expect(loaded).toHaveLength(2)
    const others = ['quick.test', 'other.test'].map((site) => send(site, deliveryOf()))
    await turn()
    expect(loaded.slice(2)).toEqual(others.map(({ id }) => id))
    await others[0]?.end()
    expect(loaded).toHaveLength(4)
    await slow[0]?.end()
    expect(loaded[4]).toBe(slow[2]?.id)
  }
})

test('loaded up to 4 MiB while larger ones hold their four places, never more than eight in total', async () => {
  const { loaded, send } = givenLargeMessages()
  for (const site of ['a', 'b', 'c', 'd', 'e']) send(site, deliveryOf())
  await turn()
  expect(loaded).toHaveLength(4)
  for (const site of ['a', 'b', 'c', 'd', 'e']) send(site, deliveryOf(SMALL))
  await turn()
  expect(loaded).toHaveLength(8)
})

test('loaded four at a time for a team whose messages are small', async () => {
  const { loaded, send } = givenLargeMessages()
  const team = newId()
  for (let count = 0; count < 6; count++) send('a', deliveryOf(SMALL, team))
  await turn()
  expect(loaded).toHaveLength(4)
})

test('loaded for transactional mail of a team and site whose large bulk mail waits: bulk takes half of the places', async () => {
  const { loaded, send } = givenLargeMessages()
  const team = newId()
  const bulkOf = (teamId: string) => ({ ...deliveryOf(LARGE, teamId), isBulk: true })
  for (let count = 0; count < 3; count++) send('slow.test', bulkOf(team))
  await turn()
  expect(loaded).toHaveLength(1)
  for (const site of ['a', 'b', 'c']) send(site, bulkOf(newId()))
  await turn()
  expect(loaded).toHaveLength(2)
  const urgent = send('slow.test', deliveryOf(LARGE, team))
  await turn()
  expect(loaded.slice(2)).toEqual([urgent.id])
})

test('loaded for transactional mail to a site that bulk mail with recipients at several sites waits for', async () => {
  const { loaded, send } = givenLargeMessages()
  for (const other of ['a', 'b']) {
    const bulk = { ...deliveryOf(), isBulk: true }
    send(other, bulk)
    send('shared.test', bulk)
  }
  await turn()
  expect(loaded).toHaveLength(2)
  const urgent = send('shared.test', deliveryOf())
  const later = [1, 2, 3].map(() => send('shared.test', deliveryOf()))
  await turn()
  // Together with the part of bulk mail, transactional mail still has no more than the share of a site.
  expect(loaded.slice(2)).toEqual([urgent.id])
  const elsewhere = send('c', deliveryOf())
  await turn()
  expect(loaded.slice(3)).toEqual([elsewhere.id])
  await urgent.end()
  expect(loaded.slice(4)).toEqual([later[0]?.id])
})

test('loaded once for recipients of one email that are served together, again for those served later', async () => {
  const { loaded, send } = givenLargeMessages()
  const id = newId()
  const sent = ['a', 'b', 'a', 'c', 'd', 'e'].map((site) => send(site, deliveryOf(LARGE, 'team', id)))
  await turn()
  expect(loaded).toHaveLength(1)
  await Promise.all(sent.map(({ end }) => end()))
  await send('a', deliveryOf(LARGE, 'team', id)).end()
  expect(loaded).toHaveLength(2)
})

test('loaded for a fast site while its email also waits for a slow one, which then no longer counts for it', async () => {
  const { loaded, send } = givenLargeMessages()
  const held = [send('slow', deliveryOf()), send('slow', deliveryOf())]
  const mixed = newId()
  send('slow', deliveryOf(LARGE, 'team', mixed))
  await turn()
  expect(loaded).toHaveLength(2)
  const quick = send('quick', deliveryOf(LARGE, 'team', mixed))
  await turn()
  expect(loaded).toHaveLength(3)
  await quick.end()
  await held[0]?.end()
  for (let count = 0; count < 2; count++) send('quick', deliveryOf())
  await turn()
  expect(loaded).toHaveLength(5)
})

test('loaded in order of arrival when thousands wait, although a slow site and a team hold their shares', async () => {
  const { loaded, send } = givenLargeMessages()
  const team = newId()
  const sent = Array.from({ length: 2000 }, (_, n) => {
    const isSlow = n % 10 === 0
    const site = isSlow ? 'slow.test' : `s${n % 100}.test`
    return { isSlow, ...send(site, deliveryOf(LARGE, isSlow ? team : newId())) }
  })
  const quick = sent.filter(({ isSlow }) => !isSlow)
  const slow = sent.filter(({ isSlow }) => isSlow)
  for (const { end } of quick) await end()
  const heldIds = slow.slice(0, 2).map(({ id }) => id)
  expect(loaded.filter((id) => !heldIds.includes(id))).toEqual(quick.map(({ id }) => id))
  expect(loaded).toHaveLength(quick.length + 2)
  for (const { end } of slow) await end()
  expect(loaded.slice(quick.length + 2)).toEqual(slow.slice(2).map(({ id }) => id))
})

test('not loaded when it is already in memory, and its place is free again after a failure', async () => {
  const withMessage = createLargeMessages(async () => {
    throw new Error('away')
  })
  const there: LoadedMessage = content()
  const loaded = { ...deliveryOf(), message: there }
  expect(await withMessage('a', loaded, async (message) => message)).toBe(there)
  for (let i = 0; i < 10; i++)
    await expect(withMessage('a', deliveryOf(), async () => {})).rejects.toThrow('away')
})

test('abandoned within half an hour when a server reads the largest message too slowly', () => {
  expect(contentTimeMaxMs(37.5e6, 180_000)).toBeLessThan(30 * 60_000)
  expect(contentTimeMaxMs(37.5e6, 180_000)).toBeGreaterThan(10 * 60_000)
})
