import { expect, test } from 'vitest'
import { systemClock } from '../../lib/time/clock.ts'
import { createRequestFiles } from '../files/request-files.ts'
import type { SendRequest } from '../request/draft-email.ts'
import { createAcceptEmail } from './accept-email.ts'
import type { AcceptRequest } from './accept-types.ts'
import { StaleFacts } from './with-current.ts'

const REQUEST: SendRequest = {
  from: 'a@x.test',
  to: 'b@y.test',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  attachments: [{ filename: 'a.txt', content: 'aGVsbG8=' }],
}

/** Accepts a request. Returns what each commit got, and the request as it was then. */
async function accept(fields: SendRequest, staleCount = 0) {
  const request = structuredClone({ ...REQUEST, ...fields })
  const commits: { bytes: string; request: SendRequest }[] = []
  const acceptEmail = createAcceptEmail({
    clock: systemClock,
    openFiles: createRequestFiles(async () => ({ problem: 'is not there' })),
    templates: { find: async () => null, recall: () => null },
    unsubscribeHeaders: async () => [],
    track: async (html) => html,
    messageIds: { mayUse: async () => true, findSent: async () => new Map() },
    async commit({ submissions: [submission] }: AcceptRequest) {
      commits.push({ bytes: `${submission?.message.bytes}`, request: structuredClone(request) })
      if (commits.length <= staleCount) throw new StaleFacts([submission?.ownMessageId?.id ?? ''])
      return { emailIds: ['id'], refused: [] }
    },
  })
  await acceptEmail(request, { teamId: 'a', domainId: null, keyId: null }, null)
  return commits
}

test('drops the texts and files of a request once its message is built', async () => {
  const [commit] = await accept({})
  expect(commit?.bytes).toMatch(/Hello[\s\S]*<p>Hello<\/p>[\s\S]*aGVsbG8=/)
  expect(commit?.request).toMatchObject({ subject: 'Hello', html: null, text: null, attachments: [] })
})

test('keeps them while the message may have to be built again with another Message-ID', async () => {
  const commits = await accept({ headers: { 'Message-ID': '<1@x.test>' } }, 1)
  expect(commits).toHaveLength(2)
  expect(commits[0]?.bytes).toContain('Message-ID: <1@x.test>')
  for (const { bytes } of commits) expect(bytes).toMatch(/Hello[\s\S]*<p>Hello<\/p>[\s\S]*aGVsbG8=/)
  expect(commits[1]?.bytes).toContain('X-Original-Message-ID: <1@x.test>')
})
