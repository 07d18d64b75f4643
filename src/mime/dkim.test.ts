import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, test } from 'vitest'
import { parseMailbox } from './address.ts'
import { buildMessage } from './build.ts'
import { type DkimKey, signMessage } from './dkim.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const KEYS: readonly DkimKey[] = [
  { domain: 'example.com', selector: 'sw1', algorithm: 'rsa-sha256', privateKey: rsa.privateKey },
  { domain: 'example.com', selector: 'sw2', algorithm: 'ed25519-sha256', privateKey: ed25519.privateKey },
]
const AT = new Date('2026-11-21T02:03:04Z')
const HEADER = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: Hi\r\nMIME-Version: 1.0\r\n'

/** RFC 6376 section 3.6.1: p= is the SubjectPublicKeyInfo for RSA; RFC 8463 section 4: the bare 32 octets for Ed25519. */
function publicKey(key: KeyObject): string {
  const der = key.export({ type: 'spki', format: 'der' })
  return (key.asymmetricKeyType === 'ed25519' ? der.subarray(-32) : der).toString('base64')
}

const RECORDS: Record<string, string> = {
  'sw1._domainkey.example.com': `v=DKIM1; k=rsa; p=${publicKey(rsa.publicKey)}`,
  'sw2._domainkey.example.com': `v=DKIM1; k=ed25519; p=${publicKey(ed25519.publicKey)}`,
}

async function resolver(name: string): Promise<string[][]> {
  const record = RECORDS[name]
  if (record === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return [[record]]
}

async function verify(message: Buffer): Promise<string[]> {
  const { results } = await dkimVerify(message, { resolver, curTime: AT })
  return results.map((result) => result.status.result)
}

async function sign(message: Buffer): Promise<Buffer> {
  return Buffer.concat([await signMessage(message, KEYS, AT), message])
}

describe('verified by an independent implementation', () => {
  test.each([
    ['a usual body', `${HEADER}\r\nHello\r\nworld\r\n`],
    ['an empty body', `${HEADER}\r\n`],
    ['a header without a body', HEADER],
    ['one blank line', `${HEADER}\r\n\r\n`],
    ['blank lines at the end', `${HEADER}\r\nHello\r\n\r\n\r\n\r\n`],
    ['blank lines of spaces at the end', `${HEADER}\r\nHello\r\n \r\n\t\r\n  \t\r\n`],
    ['only white space', `${HEADER}\r\n \t \r\n \r\n`],
    ['no line end at the end', `${HEADER}\r\nHello`],
    ['spaces and no line end at the end', `${HEADER}\r\nHello  `],
    ['tabs and runs of spaces', `${HEADER}\r\n\tindented  \t twice \t\r\n  a\t\tb \r\n`],
    ['dots and From lines', `${HEADER}\r\n.\r\n..\r\nFrom me\r\n`],
    ['8-bit octets', `${HEADER}\r\nGr\u00fc\u00dfe \u00ff\u0080\r\n`],
    [
      'a folded header',
      `From: "Long\r\n name" \r\n <a@example.com>\r\nSubject:\r\n\tfolded   twice \r\n  over\r\n\r\nx\r\n`,
    ],
    ['odd header white space', `From  :   a@example.com  \r\nSUBJECT:no space\r\nDate: \r\n\r\nx\r\n`],
    [
      'a field that is there twice',
      `${HEADER}Cc: c@example.org\r\nCc: d@example.org\r\nTo: e@example.org\r\n\r\nx\r\n`,
    ],
    ['a body longer than a piece', `${HEADER}\r\n${'a line  of words \r\n'.repeat(30_000)}\r\n \r\n`],
    ['a line longer than a piece', `${HEADER}\r\n${'a  b'.repeat(150_000)}\r\nx \r\n`],
    ['base64 longer than a piece', `${HEADER}\r\n${`${'A'.repeat(76)}\r\n`.repeat(10_000)}`],
  ])('%s passes with both keys', async (_, message) => {
    expect(await verify(await sign(Buffer.from(message, 'latin1')))).toEqual(['pass', 'pass'])
  })

  test('a composed message passes, also with a header in UTF-8', async () => {
    for (const to of ['Jörg <jorg@example.org>', 'Jörg <jörg@example.org>']) {
      const mailbox = parseMailbox(to)
      if (mailbox === null) throw new Error('no mailbox')
      const { bytes } = buildMessage({
        messageId: 'x@example.com',
        date: AT,
        from: { ...mailbox, name: 'Ünique', domain: 'example.com' },
        to: [mailbox],
        cc: [],
        replyTo: [],
        subject: 'Grüße '.repeat(40),
        html: '<p>  Hällo\t</p>',
        text: 'Hello',
        headers: [['List-Unsubscribe', '<https://example.com/u>']],
        attachments: [],
      })
      expect(await verify(await sign(bytes))).toEqual(['pass', 'pass'])
    }
  })

  test('any mixture of white space passes', async () => {
    const octets = fc.array(fc.constantFrom(' ', '\t', '\r\n', 'a', '.', '\u00fc'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(octets, async (parts) => {
        const message = Buffer.from(`${HEADER}\r\n${parts.join('')}`, 'latin1')
        expect(await verify(await sign(message))).toEqual(['pass', 'pass'])
      }),
      { numRuns: 200 },
    )
  })
})

describe('broken by changes on the way', () => {
  const message = `${HEADER}Message-ID: <x@example.com>\r\nList-Unsubscribe: <https://example.com/u>\r\nX-Other: 1\r\n\r\nHello\r\n`
  test.each([
    ['a changed body', (text: string) => text.replace('Hello', 'Hallo')],
    ['an added line', (text: string) => `${text}more\r\n`],
    ['another subject', (text: string) => text.replace('Subject: Hi', 'Subject: Ho')],
    ['another recipient', (text: string) => text.replace('To: b@', 'To: c@')],
    ['another Message-ID', (text: string) => text.replace('<x@', '<y@')],
    ['another List-Unsubscribe', (text: string) => text.replace('/u>', '/v>')],
    ['a second From', (text: string) => `From: evil@example.net\r\n${text}`],
    ['a later t=', (text: string) => text.replaceAll(/ t=\d+/g, ' t=1')],
  ])('%s fails with both keys', async (_, change) => {
    const signed = (await sign(Buffer.from(message))).toString('latin1')
    const changed = change(signed)
    expect(changed).not.toBe(signed)
    const results = await verify(Buffer.from(changed, 'latin1'))
    expect(results.length).toBeGreaterThan(0)
    expect(results).not.toContain('pass')
  })

  test.each([
    ['an unsigned header', (text: string) => text.replace('X-Other: 1', 'X-Other: 2')],
    [
      'folding and white space',
      (text: string) => text.replace('Subject: Hi', 'subject:  Hi ').replace('Hello', 'Hello  '),
    ],
    ['blank lines at the end', (text: string) => `${text}\r\n\r\n`],
    ['a header on top', (text: string) => `Received: by relay\r\n${text}`],
  ])('%s changes nothing', async (_, change) => {
    const signed = (await sign(Buffer.from(message))).toString('latin1')
    expect(await verify(Buffer.from(change(signed), 'latin1'))).toEqual(['pass', 'pass'])
  })
})

test('deterministic: the same message, key and time give the same field, on short lines', async () => {
  const message = Buffer.from(`${HEADER}\r\nHello\r\n`)
  const [first, second] = [await signMessage(message, KEYS, AT), await signMessage(message, KEYS, AT)]
  expect(first.equals(second)).toBe(true)
  expect(first.toString()).toMatch(/^(?:[!-~ ]{1,78}\r\n)+$/)
  expect(first.toString()).toContain('h=from:to:subject:mime-version:from;')
})

test('rejected when a key does not fit its algorithm', async () => {
  const key: DkimKey = {
    domain: 'example.com',
    selector: 's',
    algorithm: 'rsa-sha256',
    privateKey: ed25519.privateKey,
  }
  await expect(signMessage(Buffer.from(HEADER), [key], AT)).rejects.toThrow()
})

test('nothing is prepended without keys', async () => {
  expect(await signMessage(Buffer.from(HEADER), [], AT)).toHaveLength(0)
})
