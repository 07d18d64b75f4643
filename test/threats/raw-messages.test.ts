import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender
let eve: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender({ domain: 'ann.test' })
  eve = await service.givenSender({ domain: 'eve.test' })
  await ann.post('/domains', { name: 'pending.test' })
})

const NOT_VERIFIED = 'The from address domain is not verified.'

async function countEmails(): Promise<number> {
  const [row] = await service.db.query<{ count: string }>('select count(*) from email where team_id = $1', [
    ann.id,
  ])
  return Number(row?.count)
}

/** The messages of this file that reached the wire. Whatever their header says, they are signed for the domain. */
const contents = () => service.mx.contents.filter(({ raw }) => raw.includes('ann.test'))

function post(raw_message: string, fields: Record<string, unknown> = {}) {
  const envelope = { envelope_from: 'ann@ann.test', envelope_to: `bob@${service.givenDestination()}` }
  return ann.post('/emails/mime', { ...envelope, raw_message, ...fields })
}

/** Sends the message and returns the bytes of the only resulting message. */
async function wireOf(raw_message: string): Promise<Buffer> {
  const before = contents().length
  const { status, json, text } = await post(raw_message)
  expect(status, text).toBe(202)
  await ann.settled(json.id)
  expect(contents()).toHaveLength(before + 1)
  return contents().at(-1)?.raw ?? Buffer.alloc(0)
}

describe('422, nothing stored and nothing sent:', () => {
  const refused: [title: string, from: string][] = [
    ['of a domain verified by another team', 'From: ann@eve.test'],
    ['of a domain that is not verified yet', 'From: ann@pending.test'],
    ['of a subdomain', 'From: ann@sub.ann.test'],
    ['of a domain above', 'From: ann@test'],
    ['of a domain that ends in ours', 'From: ann@xann.test'],
    ['with a dot at its end', 'From: ann@ann.test.'],
    ['several of them', 'From: ann@ann.test\r\nFrom: eve@eve.test'],
    ['several in one', 'From: ann@ann.test, eve@eve.test'],
    ['several, folded', 'From: eve@eve.test,\r\n ann@ann.test'],
    ['in a group', 'From: us: ann@ann.test, eve@eve.test;'],
    ['with a comment', 'From: ann@ann.test (eve@eve.test)'],
    ['with a comment inside', 'From: ann@(eve.test)ann.test'],
    ['with another address as its name', 'From: eve@eve.test <ann@ann.test>'],
    ['with another one in encoded words', 'From: =?utf-8?q?=3Ceve=40eve.test=3E?= <ann@ann.test>'],
    ['with two pairs of brackets', 'From: <eve@eve.test> <ann@ann.test>'],
    ['with a quoted address as its local part', 'From: "eve@eve.test"@ann.test'],
    ['beside one with a space before its colon', 'From : eve@eve.test\r\nFrom: ann@ann.test'],
    ['beside one with a tab before its colon', 'From\t: eve@eve.test\r\nFrom: ann@ann.test'],
    ['beside one behind a control character', '\u0001From: eve@eve.test\r\nFrom: ann@ann.test'],
    ['beside one behind NUL', '\0From: eve@eve.test\r\nFrom: ann@ann.test'],
    ['beside one in full-width letters', 'Ｆｒｏｍ: eve@eve.test\r\nFrom: ann@ann.test'],
    ['behind a line of spaces', 'From: ann@ann.test\r\n  \r\nFrom: eve@eve.test'],
    ['behind a bare CR', 'From: ann@ann.test\rFrom: eve@eve.test'],
    ['behind a bare LF', 'From: ann@ann.test\nFrom: eve@eve.test'],
    ['as folded line at the begin', ' From: eve@eve.test\r\nFrom: ann@ann.test'],
    ['beside a Sender of another team', 'From: ann@ann.test\r\nSender: eve@eve.test'],
    ['beside two Sender', 'From: ann@ann.test\r\nSender: ann@ann.test\r\nSender: eve@eve.test'],
  ]
  for (const [title, from] of refused) {
    test(`From ${title}`, async () => {
      const before = await countEmails()
      const { status, json } = await post(`${from}\r\nSubject: x\r\n\r\nx`)
      expect([status, json.name, Object.keys(json.errors)]).toEqual([
        422,
        'validation_error',
        ['raw_message'],
      ])
      expect(await countEmails()).toBe(before)
    })
  }

  test('an envelope sender of another team, of an unverified domain, or without a domain', async () => {
    const raw = 'From: ann@ann.test\r\nSubject: x\r\n\r\nx'
    for (const envelope_from of ['ann@eve.test', 'ann@pending.test', 'ann@sub.ann.test']) {
      const { status, json } = await post(raw, { envelope_from })
      expect([status, json.errors]).toEqual([422, { envelope_from: [NOT_VERIFIED] }])
    }
    for (const address of [
      '',
      '<>',
      'ann',
      'ann@ann.test> SIZE=1',
      'a@ann.test\r\nRCPT TO:<x@y.test>',
      '@x:ann@ann.test',
    ]) {
      for (const field of ['envelope_from', 'envelope_to']) {
        const { status, json } = await post(raw, { [field]: address })
        expect([status, Object.keys(json.errors)]).toEqual([422, [field]])
      }
    }
  })

  test('nothing reached the wire', () => expect(contents()).toEqual([]))
})

describe('one From of a verified domain on the wire:', () => {
  const accepted: [title: string, header: string, field: string][] = [
    ['full-width letters', 'From: ann@ａｎｎ．ｔｅｓｔ', 'From: ann@ann.test'],
    ['an ideographic full stop', 'From: Ann <ann@ann。test>', 'From: Ann <ann@ann.test>'],
    ['capital letters', 'FROM: ann@ANN.Test', 'FROM: ann@ANN.Test'],
    [
      'Resent fields',
      'Resent-From: eve@eve.test\r\nResent-Sender: eve@eve.test\r\nFrom: ann@ann.test',
      'From: ann@ann.test',
    ],
    [
      'a quoted address as name',
      'From: "eve@eve.test" <ann@ann.test>',
      'From: "eve@eve.test" <ann@ann.test>',
    ],
    [
      'From in a folded line',
      'Subject: x\r\n From: eve@eve.test\r\nFrom: ann@ann.test',
      'From: ann@ann.test',
    ],
    ['From in the body', 'From: ann@ann.test\r\n\r\nFrom: eve@eve.test', 'From: ann@ann.test'],
  ]
  for (const [title, header, field] of accepted) {
    test(title, async () => {
      const wire = await wireOf(`${header}\r\nX-End: 1\r\n\r\nx`)
      const head = wire.toString('latin1').split('\r\n\r\n')[0] as string
      expect(head.match(/^(resent-)?(from|sender) *:.*$/gim)).toEqual([field])
      const read = [await PostalMime.parse(wire), await simpleParser(wire)] as const
      expect(read[0].from?.address?.toLowerCase()).toBe('ann@ann.test')
      expect(read[1].from?.value.map(({ address }) => address?.toLowerCase())).toEqual(['ann@ann.test'])
    })
  }
})

describe('one message stays one:', () => {
  const END = [
    '\r\n.\r\n',
    '\n.\n',
    '\r.\r',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r\n',
    '\r\n.\r',
    '\n.\r',
    '\r.\n',
    '\r\n\0.\r\n',
  ]
  for (const end of END) {
    test(`an end of data as ${JSON.stringify(end)} in the body`, async () => {
      const inner = 'MAIL FROM:<e@x.test>\r\nRCPT TO:<v@y.test>\r\nDATA\r\nFrom: e@x.test\r\n\r\nsmuggled'
      const raw = `From: ann@ann.test\r\nSubject: x\r\n\r\nbefore${end}${inner}${end}`
      if (end.includes('\0')) {
        expect((await post(raw)).status).toBe(422)
        return
      }
      const wire = (await wireOf(raw)).toString('latin1')
      expect(wire.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(wire).toContain('before\r\n.\r\nMAIL FROM:<e@x.test>\r\n')
    })
  }
})

test('Bcc in the header is in no copy, event or response', async () => {
  const { json } = await post(
    'From: ann@ann.test\r\nBcc: hidden@x.test,\r\n\thidden2@x.test\r\nSubject: x\r\n\r\nx',
  )
  const email = await ann.settled(json.id)
  expect(JSON.stringify(email)).not.toContain('hidden')
  expect((await ann.get(`/emails/${json.id}/raw`)).text).not.toContain('hidden')
  expect(contents().at(-1)?.raw.includes('hidden')).toBe(false)
})

test('no error from hostile text: NUL and broken Unicode in encoded words, deep structures', async () => {
  const hostile = [
    'Subject: =?utf-8?q?=00=ED=A0=80?=\r\n\r\nx',
    'Subject: =?utf-16le?b?ANg=?=\r\nContent-Type: application/x; name="=?utf-8?q?=00?="\r\n\r\nx',
    'Content-Type: text/html; charset=nonsense\r\n\r\n<p>x</p>',
    'Content-Type: text/plain; charset=utf-7\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!',
    'Content-ID: <\\"\'>\r\nContent-Type: image/png\r\nContent-Disposition: inline; filename=../../x\r\n\r\nx',
    `${Array.from({ length: 100 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('')}\r\nx`,
    `Content-Type: multipart/digest; boundary=b\r\n\r\n${'--b\r\n\r\nSubject: x\r\n\r\nx\r\n'.repeat(400)}`,
  ]
  for (const text of hostile) {
    const sent = await post(`From: ann@ann.test\r\n${text}`, { envelope_to: 'delivered@simulator.test' })
    expect(sent.status, sent.text).toBe(202)
    expect((await ann.get(`/emails/${sent.json.id}`)).status).toBe(200)
  }
  expect((await ann.get('/emails?per_page=100')).status).toBe(200)
})

test('another team sees nothing of the email', async () => {
  const { json } = await post('From: ann@ann.test\r\nSubject: x\r\n\r\nx')
  expect((await eve.get(`/emails/${json.id}`)).status).toBe(404)
})
