import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { listenHere } from '../../../test/support/listen-here.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { AcceptEmailDeps } from '../accept/accept-email.ts'
import { createAcceptEmails } from '../accept/accept-emails.ts'
import { createFileFetcher } from './fetch-file.ts'
import { createRequestFiles } from './request-files.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Serves files as `listener` does. */
async function givenFiles(listener: RequestListener, limits: { timeoutMs?: number; bytesMax?: number } = {}) {
  const { url, close } = await listenHere(createServer(listener))
  const fetcher = createFileFetcher({
    guard: createGuard({ allowPrivate: true }),
    ports: 'any',
    addressesOf: async () => [],
  })
  stops.push(close, fetcher.close)
  return { url: `${url}/file`, open: createRequestFiles(fetcher.fetchFile, limits) }
}

/** Accepts batches that are never committed. */
function acceptEmails(openFiles: AcceptEmailDeps['openFiles']) {
  const commit = async () => ({ emailIds: [], refused: [] })
  const unsubscribeHeaders = async () => []
  const track = async (html: string) => html
  return createAcceptEmails({
    clock: systemClock,
    openFiles,
    commit,
    unsubscribeHeaders,
    track,
    messageIds: { mayUse: async () => false, findSent: async () => new Map<string, string>() },
    templates: {} as never,
  })
}

const TEAM = { teamId: 'a', domainId: null, keyId: null }
const naming = (path: string, count: number) => ({
  request: {
    from: 'a@b.test',
    to: 'c@d.test',
    subject: 'x',
    text: 'x',
    attachments: Array.from({ length: count }, (_, number) => ({ path: `${path}?${number}` })),
  },
})
const bytes =
  (count: number): RequestListener =>
  (_request, response) =>
    response.end(Buffer.alloc(count))

test('rejected as too slow: every file of a batch after the time that all its files share', async () => {
  let asked = 0
  const { url, open } = await givenFiles(() => asked++, { timeoutMs: 1000 })
  const { refused } = await acceptEmails(open)(Array(100).fill(naming(url, 10)), false, TEAM, null)
  expect(refused).toHaveLength(100)
  expect(refused[99]?.message).toBe(
    'The attachments.0.path field could not be fetched: no server at a public address returned it in time.',
  )
  expect(asked).toBe(1)
})

test('fetched once for a request that needs it again, and once for each request', async () => {
  let asked = 0
  const { url, open } = await givenFiles((request, response) => {
    asked++
    bytes(10)(request, response)
  })
  const files = open('a')
  const first = await files.fetchFile(url, 100)
  expect(await files.fetchFile(url, 50)).toEqual(first)
  expect(asked).toBe(1)
  expect(await files.fetchFile(url, 5)).toHaveProperty('problem')
  files.end()
  expect(await open('a').fetchFile(url, 100)).toEqual(first)
  expect(asked).toBe(3)
})

test('503 above half of the memory for one team but not for another, until the first request is answered', async () => {
  const { url, open } = await givenFiles(bytes(40_000), { bytesMax: 100_000 })
  const [first, second, other] = [open('a'), open('a'), open('b')]
  expect(await first.fetchFile(url, 50_000)).toHaveProperty('content')
  await expect(second.fetchFile(url, 50_000)).rejects.toThrow('Too many attachments')
  expect(await other.fetchFile(url, 50_000)).toHaveProperty('content')
  for (const files of [first, second, other]) files.end()
  expect(await open('a').fetchFile(url, 50_000)).toHaveProperty('content')
})

test('503 for a whole permissive batch without memory, because none of its emails is at fault', async () => {
  const { url, open } = await givenFiles(bytes(60_000), { bytesMax: 100_000 })
  const accept = acceptEmails(open)
  const apiError = await accept([naming(url, 2)], false, TEAM, null).catch((error: unknown) => error)
  expect(apiError).toBeInstanceOf(ApiError)
  expect(apiError).toMatchObject({ status: 503, retryAfterSeconds: 5 })
  expect(await accept([naming(url, 1)], false, TEAM, null)).toMatchObject({ refused: [] })
})
