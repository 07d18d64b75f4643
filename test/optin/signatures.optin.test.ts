import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeers } from '../../bench/support/install-peers.ts'
import { type PostfixWorld, startPostfixWorld } from './support/postfix-world.ts'
import { sendRaw } from './support/send-raw.ts'

const absent = await installPeers()
if (absent !== null) process.stderr.write(`${absent}\n`)

describe.skipIf(absent !== null)('opendkim reports', () => {
  let world: PostfixWorld
  beforeAll(async () => {
    world = await startPostfixWorld()
    world.service.dns.set({ 'copy.test': { mx: [[10, 'mx.receiver.test']] } })
  }, 120_000)
  afterAll(() => world?.stop())

  /** Returns opendkim's verdicts, in the order of the signatures. Its header field precedes all others. */
  async function verdictsOf(raw: Buffer): Promise<string[]> {
    const { headerLines } = await simpleParser(raw)
    const line = headerLines.find(({ key }) => key === 'authentication-results')?.line ?? ''
    return line.match(/dkim=\w+/g) ?? []
  }

  const BINARY = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64')
  const EMAILS: [title: string, fields: Record<string, unknown>][] = [
    ['plain text', { text: 'Hello' }],
    [
      'html and a long folded subject',
      { html: '<p>Grüße</p>', subject: `Grüße ✉ ${'lorem ipsum '.repeat(30)}` },
    ],
    ['white space at line ends and at the end', { text: 'x  \n\n\t\n y\t\n\n\n', reply_to: 'r@copy.test' }],
    ['a file', { text: '', html: '<p>x</p>', attachments: [{ filename: 'naïve.bin', content: BINARY }] }],
    ['lone dots and long lines', { text: `.\n..\n.x\n${'x'.repeat(10_000)}\n.` }],
    ['many white spaces in a subject', { subject: ' a   b\tc  ', text: 'x' }],
    [
      'headers of the caller',
      { text: 'x', headers: { 'List-Unsubscribe': '<https://a.test/u>', 'X-A': ' b  c ' } },
    ],
  ]
  for (const [title, fields] of EMAILS) {
    test(`pass for both signatures of ${title}`, async () => {
      const [raw] = await world.arrived(fields)
      expect(await verdictsOf(raw as Buffer)).toEqual(['dkim=pass', 'dkim=pass'])
    })
  }

  test('pass for both signatures of every copy', async () => {
    const to = `Bob <bob@${world.service.givenDestination()}>`
    const copies = await world.arrived({ to, cc: 'Ünsal <cc@copy.test>', bcc: 'bcc@copy.test' }, 3)
    for (const raw of copies) expect(await verdictsOf(raw)).toEqual(['dkim=pass', 'dkim=pass'])
  })

  test('fail for both when one letter of the body, the subject or the sender changes', async () => {
    const { ann, service, postfix } = world
    const id = await ann.send({
      to: `bob@${service.givenDestination()}`,
      text: 'Pay Ann.',
      subject: 'Invoice',
    })
    const { text } = await ann.get(`/emails/${id}/raw`)
    const changes: [string, string][] = [
      ['Pay Ann.', 'Pay Eve.'],
      ['Subject: Invoice', 'Subject: Involce'],
      ['From: Ann <ann@', 'From: Ann <eve@'],
      ['From: ', 'From: Eve <eve@other.test>\r\nFrom: '],
    ]
    for (const [index, [from, to]] of changes.entries()) {
      expect(text).toContain(from)
      const changed = text.replace(from, to).replace('\r\n\r\n', `\r\nX-Change: change-${index}\r\n\r\n`)
      await sendRaw(postfix.port, [Buffer.from(changed)])
      const [raw] = await world.holding(`change-${index}`)
      expect(await verdictsOf(raw as Buffer), from).toEqual(['dkim=fail', 'dkim=fail'])
    }
  })
})
