import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { parseMailbox } from '../../mime/address.ts'
import type { MessageDraft } from '../../mime/build.ts'
import { CONTENT_JOBS } from './content-jobs.ts'
import { HEAVY_BYTES_MIN, workOnContent } from './heavy-content.ts'

const AT = new Date('2026-01-02T03:04:05Z')
const HEADER = 'From: Ann <ann@a.test>\r\nTo: bob@b.test\r\nSubject: Hello\r\n'
const missing = { messageIdLocal: 'id', date: AT }
const LARGE = `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${'Grüße\r\n'.repeat(60_000)}--b
Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD\r\n'.repeat(1000)}--b--\r\n`

function draft(html: string, content: Buffer): MessageDraft {
  const from = parseMailbox('Ann <ann@a.test>')
  if (from === null) throw new Error('no mailbox')
  const attachments = [
    { filename: 'a.bin', contentType: 'application/octet-stream', contentId: null, content },
  ]
  const addressees = { to: [from], cc: [], replyTo: [] }
  return {
    messageId: 'x@a.test',
    date: AT,
    from,
    ...addressees,
    subject: 's',
    html,
    text: null,
    headers: [],
    attachments,
  }
}

describe('on the thread', () => {
  test('the result is the same as inline, with Buffers', async () => {
    const job = { given: LARGE, missing, entryPoint: 'http' } as const
    const aside = await workOnContent('repair', { teamId: 'a', sizeBytes: LARGE.length }, job)
    expect(LARGE.length).toBeGreaterThan(HEAVY_BYTES_MIN)
    // Vitest compares Buffers octet by octet, in more than a second.
    expect(isDeepStrictEqual(aside, await CONTENT_JOBS.repair(job))).toBe(true)
    expect(Buffer.isBuffer(aside.bytes) && Buffer.isBuffer(aside.stored.bytes)).toBe(true)
  })

  test('an ApiError keeps its status, message and fields', async () => {
    const given = `${HEADER}From: eve@e.test\r\n\r\n${'x\r\n'.repeat(HEAVY_BYTES_MIN)}`
    const error = await workOnContent(
      'repair',
      { teamId: 'a', sizeBytes: given.length },
      { given, missing, entryPoint: 'http' },
    ).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 422,
      errors: { raw_message: [expect.stringContaining('exactly one From')] },
    })
  })

  test('Buffers are transferred only if they were handed over', async () => {
    const kept = Buffer.from(LARGE)
    const given = Buffer.from(LARGE)
    await workOnContent(
      'repair',
      { teamId: 'a', sizeBytes: kept.length },
      { given: kept, missing, entryPoint: 'http' },
    )
    await workOnContent(
      'repair',
      { teamId: 'a', sizeBytes: given.length, handedOver: [given] },
      { given, missing, entryPoint: 'http' },
    )
    expect(kept.length).toBe(Buffer.byteLength(LARGE))
    expect(given.length).toBe(0)
  })

  test('jobs run in order, and a failed job does not stop the next', async () => {
    const bad = workOnContent(
      'repair',
      { teamId: 'a', sizeBytes: HEAVY_BYTES_MIN },
      { given: 'no header', missing, entryPoint: 'http' },
    )
    const good = workOnContent(
      'repair',
      { teamId: 'a', sizeBytes: HEAVY_BYTES_MIN },
      { given: LARGE, missing, entryPoint: 'submission' },
    )
    await expect(bad).rejects.toThrow(ApiError)
    expect((await good).messageId).toBe('id@a.test')
  })

  test('an attachment that another email of the batch uses is not transferred', async () => {
    const content = Buffer.alloc(HEAVY_BYTES_MIN, 1)
    const built = await workOnContent(
      'build',
      { teamId: 'a', sizeBytes: content.length },
      {
        draft: draft('<p>x</p>', content),
        derivesText: true,
        html: null,
      },
    )
    expect(content.length).toBe(HEAVY_BYTES_MIN)
    expect(built.bytes.toString('latin1')).toContain('\r\n\r\nx\r\n')
  })

  test('the event loop keeps running while a message of a million lines is processed', async () => {
    const stored = {
      encoding: 'identity',
      message: Buffer.from(`${HEADER}\r\n${'a\r\n'.repeat(1_000_000)}`),
    } as const
    let turns = 0
    const count = setInterval(() => turns++, 1)
    const job = {
      before: { id: 1 },
      stored,
      untracking: { key: Buffer.alloc(32), email: { teamId: '', emailId: '' } },
      after: { z: 2 },
    }
    const pieces = await workOnContent('emailJson', { teamId: 'a', sizeBytes: stored.message.length }, job)
    clearInterval(count)
    const { text, ...rest } = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
    expect(text === 'a\n'.repeat(999_999).concat('a')).toBe(true)
    expect(rest).toEqual({ id: 1, html: null, z: 2 })
    expect(turns).toBeGreaterThan(1)
  })
})
