import { isAscii } from 'node:buffer'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { isProblem } from './message-problem.ts'
import { repairRawMessage } from './raw-message.ts'
import { toSevenBits } from './seven-bit.ts'

const TEXT = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
const FORWARD = '--m\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'

/** As the service does: repaired when it comes, converted when it is sent. */
function convert(header: string, body: string) {
  const given = Buffer.from(`From: ann@b.test\r\nSubject: x\r\n${header}\r\n${body}`)
  const repaired = repairRawMessage(given, { messageIdLocal: 'id', date: new Date(0) })
  if (isProblem(repaired)) throw new Error(`It was rejected: ${repaired.problem}`)
  expect(isAscii(repaired.bytes)).toBe(false)
  return toSevenBits(repaired.bytes)
}

function converted(header: string, body: string) {
  const made = convert(header, body)
  if (made === null) throw new Error('It was not converted.')
  const wire = made.bytes.toString('latin1')
  expect(wire).toMatch(/^[\t\r\n -~]*$/)
  for (const line of wire.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  return { ...made, wire }
}

const mixed = (...parts: string[]) => `${parts.map((part) => `${part}\r\n`).join('')}--m--\r\n`
const MIXED = 'Content-Type: multipart/mixed; boundary=m\r\n'

/** Returns the text of the forwarded message as two independent parsers read it. */
async function forwardedTexts(message: Buffer): Promise<string[]> {
  const one = await PostalMime.parse(message, { forceRfc822Attachments: true })
  const two = await simpleParser(message)
  const inner = [one.attachments[0]?.content, two.attachments[0]?.content] as Buffer[]
  return Promise.all(inner.map(async (bytes) => (await simpleParser(Buffer.from(bytes))).text ?? ''))
}

describe('encoded inside', () => {
  test.each([
    ['a forwarded message', `From: e@x.test\r\nSubject: y\r\nMIME-Version: 1.0\r\n${TEXT}Grüße 😀`],
    ['one that does not say what it is', 'From: e@x.test\r\nSubject: y\r\n\r\nGrüße 😀'],
    ['one of broken header lines', `>From mbox\r\nFrom : e@x.test\r\nMIME-Version: 1.0\r\n${TEXT}Grüße 😀`],
    [
      'one that says its encoding twice',
      `From: e@x.test\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\n${TEXT}Grüße 😀`,
    ],
    [
      'one of parts',
      `From: e@x.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=i\r\nContent-Transfer-Encoding: 8bit\r\n\r\n--i\r\n${TEXT}Grüße 😀\r\n--i--`,
    ],
    [
      'one with eight bits in quoted-printable',
      `From: e@x.test\r\nMIME-Version: 1.0\r\n${TEXT.replace('8bit', 'quoted-printable')}Grüße =F0=9F=98=80`,
    ],
  ])('encoded inside: %s', async (_, inner) => {
    const { bytes, wire, isSignatureBroken } = converted(
      MIXED,
      mixed(`--m\r\n\r\nhello`, `${FORWARD}${inner}`),
    )
    expect(isSignatureBroken).toBe(false)
    expect((await forwardedTexts(bytes)).map((text) => text.trim())).toEqual(['Grüße 😀', 'Grüße 😀'])
    expect(wire).not.toMatch(/8bit/)
    // The message itself must not be encoded (RFC 2045 section 6.4).
    expect(wire).toMatch(/--m\r\nContent-Type: message\/rfc822\r\n\r\n/)
  })

  test('encoded inside: a forwarded message in a forwarded message, with a file beside it unchanged', () => {
    const file = '--i\r\nContent-Type: application/x\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n'
    const deep = `--i\r\nContent-Type: message/rfc822\r\n\r\nFrom: f@x.test\r\nMIME-Version: 1.0\r\n${TEXT}Grüße an alle Leute der Stadt`
    const inner = `From: e@x.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n${file}${deep}\r\n--i--`
    const { wire } = converted(MIXED, mixed(`${FORWARD}${inner}`))
    expect(wire).toContain(file)
    expect(wire).toContain(
      'From: f@x.test\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe an alle Leute der Stadt\r\n',
    )
  })

  test('encoded inside: parts with their own charset keep it', async () => {
    const header = `${MIXED}MIME-Version: 1.0\r\n`
    const inner = Buffer.from(
      `From: e@x.test\r\nMIME-Version: 1.0\r\n${TEXT.replace('utf-8', 'iso-8859-1')}Gr\xfc\xdfe`,
      'latin1',
    )
    const message = Buffer.concat([
      Buffer.from(`From: a@b.test\r\nSubject: x\r\n${header}\r\n${FORWARD}`),
      inner,
      Buffer.from('\r\n--m--\r\n'),
    ])
    const made = toSevenBits(message)
    expect(made?.bytes.toString('latin1')).toContain('charset=iso-8859-1')
    expect((await forwardedTexts(made?.bytes as Buffer)).map((text) => text.trim())).toEqual([
      'Grüße',
      'Grüße',
    ])
  })

  test('encoded inside: signed parts, which is reported; signatures over the whole message are removed', async () => {
    const { bytes, wire, isSignatureBroken } = converted(
      'DKIM-Signature: v=1; d=other.test; b=x\r\nContent-Type: multipart/signed; boundary=m\r\nContent-Transfer-Encoding: 8bit\r\n',
      mixed(`--m\r\n${TEXT}Grüße`, '--m\r\nContent-Type: application/pgp-signature\r\n\r\nx'),
    )
    expect(isSignatureBroken).toBe(true)
    expect(wire).not.toMatch(/8bit|DKIM/)
    expect((await simpleParser(bytes)).text?.trim()).toBe('Grüße')
    expect((await PostalMime.parse(bytes)).text?.trim()).toBe('Grüße')
  })
})

test('unchanged: signed ASCII parts beside a forwarded message that is not ASCII', () => {
  const signed =
    '--m\r\nContent-Type: multipart/signed; boundary=s\r\n\r\n--s\r\nContent-Type: multipart/mixed; boundary=t\r\nContent-Transfer-Encoding: 8bit\r\n\r\n--t\r\nContent-Transfer-Encoding: 8bit\r\n\r\nplain\r\n--t--\r\n\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--s--'
  const { wire, isSignatureBroken } = converted(
    MIXED,
    mixed(signed, `${FORWARD}From: e@x.test\r\n${TEXT}Grüße`),
  )
  expect(isSignatureBroken).toBe(false)
  expect(wire).toContain(signed)
})

test('question marks for 8-bit characters that no reader shows', () => {
  const { wire } = converted(MIXED, `Vorwärts\r\n${mixed('--m\r\n\r\nplain')}Rückwärts\r\n`)
  expect(wire).toContain('Vorw??rts\r\n--m')
  expect(wire).toContain('--m--\r\nR??ckw??rts\r\n')
})

describe('null', () => {
  const inside = (inner: string) => convert(MIXED, mixed(`${FORWARD}${inner}`))

  test('null for 8-bit characters in a header', () => {
    expect(inside('From: e@x.test\r\nSubject: Grüße\r\n\r\nx')).toBeNull()
    expect(convert('To: jörg@x.test\r\n', 'x')).toBeNull()
  })

  test('null for a forwarded message with ambiguous parts or an unknown encoding', () => {
    expect(
      inside('From: e@x.test\r\nContent-Type: multipart/mixed\r\n\r\n--i\r\n\r\nGrüße\r\n--i--'),
    ).toBeNull()
    expect(inside('From: e@x.test\r\nContent-Transfer-Encoding: x-uu\r\n\r\nGrüße')).toBeNull()
  })
})

test('encoded inside: hundreds of forwarded messages', () => {
  const parts = Array.from(
    { length: 450 },
    () => `${FORWARD}From: e@x.test\r\n\r\nGrüße, Grüße an alle Leute der Stadt`,
  )
  expect(
    converted(MIXED, mixed(...parts)).wire.match(/Gr=C3=BC=C3=9Fe an alle Leute der Stadt/g),
  ).toHaveLength(450)
})
