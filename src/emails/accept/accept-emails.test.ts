import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createRequestFiles } from '../files/request-files.ts'
import { createAcceptEmails } from './accept-emails.ts'
import type { AcceptAnswer, AcceptRequest, Origin } from './accept-types.ts'

/** Returns batches that commit on demand. */
function givenAcceptance(bytesMax: number) {
  const commits: (() => void)[] = []
  const commit = ({ batch }: AcceptRequest) => {
    const { promise, resolve } = Promise.withResolvers<AcceptAnswer>()
    commits.push(() => resolve({ emailIds: ['id'], refused: batch?.refused ?? [] }))
    return promise
  }
  const openFiles = createRequestFiles(async () => ({ problem: 'is not there' }))
  const templates = { find: async () => null, recall: () => null }
  const unsubscribeHeaders = async () => []
  const track = async (html: string) => html
  const messageIds = { mayUse: async () => false, findSent: async () => new Map<string, string>() }
  const deps = { messageIds, clock: systemClock, openFiles, templates, unsubscribeHeaders, track, commit }
  const accept = createAcceptEmails(deps, bytesMax)
  const send = (teamId: string, count: number, bytes: number, origin?: Origin) => {
    const request = {
      from: 'a@x.test',
      to: 'b@y.test',
      subject: 's',
      text: `${'x'.repeat(98)}\n`.repeat(bytes / 100),
    }
    const items = Array.from({ length: count }, () => ({ request }))
    return accept(items, false, { teamId, domainId: null, keyId: null }, null, origin)
  }
  return { send, commits }
}

test('503 for a team whose batches hold half of the memory until their commit, but not for another team', async () => {
  const { send, commits } = givenAcceptance(1_000_000)
  const first = send('a', 4, 100_000)
  await expect.poll(() => commits.length).toBe(1)
  const second = send('a', 4, 100_000)
  await expect(second).rejects.toThrow(ApiError)
  await expect(second).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  const other = send('b', 2, 100_000)
  await expect.poll(() => commits.length).toBe(2)
  for (const commit of commits) commit()
  await Promise.all([first, other])
  const again = send('a', 4, 100_000)
  await expect.poll(() => commits.length).toBe(3)
  commits[2]?.()
  expect(await again).toEqual({ emailIds: ['id'], refused: [] })
})

test('messages beyond 100 MiB together are invalid in a request, and not yet permitted in a campaign', async () => {
  const { send, commits } = givenAcceptance(1_000_000_000)
  const origin = { lock: async () => new Set<string>(), record: async () => {} }
  for (const [from, code] of [
    [undefined, undefined],
    [origin, 'not_permitted'],
  ] as const) {
    const sent = send('a', 12, 10_000_000, from)
    await expect.poll(() => commits.length).toBe(1)
    commits.pop()?.()
    const { refused } = await sent
    expect(refused.map((each) => [each.index, each.code])).toEqual([10, 11].map((index) => [index, code]))
  }
})
