import { expect } from 'vitest'
import {
  aUuid,
  cases,
  type Expected,
  mustBeString,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const TO = 'delivered@simulator.test'

function message(
  { sender }: Scene,
  lines: readonly string[] = [],
  from = `Ann <ann@${sender.domain}>`,
): string {
  return [`From: ${from}`, `To: ${TO}`, 'Subject: Raw', ...lines, '', 'Hello.', ''].join('\r\n')
}

function mime(fields: Record<string, unknown>, scene: Scene): Request {
  const envelope = { envelope_from: `ann@${scene.sender.domain}`, envelope_to: TO }
  return ['POST /emails/mime', { ...envelope, raw_message: message(scene), ...fields }]
}

const withField = (field: string) => (value: unknown, scene: Scene) => mime({ [field]: value }, scene)
const raw = (make: (scene: Scene) => string, scene: Scene) => mime({ raw_message: make(scene) }, scene)

/** The message as it was sent. */
async function sentAs(scene: Scene, raw_message: string): Promise<string> {
  const reply = await scene.ask(...mime({ raw_message }, scene))
  expect(reply.status, reply.text).toBe(202)
  await scene.sender.settled(reply.json.id)
  return (await scene.ask(`GET /emails/${reply.json.id}/raw`)).text
}

const headOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 2)

const refusesMessage: Expected = ({ status, json, text }) => {
  expect([status, json.name], text).toEqual([422, 'validation_error'])
  expect(Object.keys(json.errors ?? {})).toEqual(['raw_message'])
}
const notVerified: Expected = {
  status: 422,
  json: { name: 'validation_error', message: 'The from address domain is not verified.' },
}
const accepted: Expected = { status: 202, exactly: { id: aUuid } }

export const mimeSections: readonly Section[] = [
  {
    document: 'service.md',
    heading: 'Send a raw MIME email',
    rows: [
      {
        says: 'Response on acceptance: object with `id` (uuid) of the created email.',
        asks: (scene) => mime({}, scene),
        answers: accepted,
      },
      ...['envelope_from', 'envelope_to', 'raw_message'].flatMap((field) =>
        cases(`${field} | string | yes`, withField(field), [
          [`${field} absent`, undefined, required(field)],
          [`${field} null`, null, refusesField(field)],
          [`${field} a number`, 7, mustBeString(field)],
        ]),
      ),
      ...cases(
        'Sender address, either a plain email or with a display name.',
        (from: string, scene) => mime({ envelope_from: from.replace('OURS', scene.sender.domain) }, scene),
        [
          ['plain', 'ann@OURS', accepted],
          ['with a name', 'Ann <ann@OURS>', accepted],
          ['nothing of the kind', 'ann', refusesField('envelope_from')],
        ],
      ),
      {
        says: 'Must belong to a verified domain of the account.',
        asks: (scene) => mime({ envelope_from: 'ann@unverified.test' }, scene),
        answers: notVerified,
      },
      ...cases('envelope_to | string | yes | Recipient address.', withField('envelope_to'), [
        ['one', 'bob@simulator.test', accepted],
        ['no address', 'bob', refusesField('envelope_to')],
      ]),
      ...cases('RFC 2822 formatted message. Length 10 to 37,500,000 characters.', withField('raw_message'), [
        ['9', 'From:a@b\r', refusesMessage],
        ['37,500,001', 'x'.repeat(37_500_001), refusesMessage],
      ]),
      proof(
        'RFC 2822 formatted message. Length 10 to 37,500,000 characters.',
        '37,500,000',
        async (scene) => {
          const head = message(scene, ['Date: Fri, 20 Nov 2026 10:00:00 +0000', 'Message-ID: <big@x.test>'])
          const filled = head + `${'x'.repeat(998)}\r\n`.repeat(37_500)
          const [route, body] = mime({ raw_message: filled.slice(0, 37_500_000) }, scene)
          const { status, text } = await scene.ask(route, body)
          expect(status, text).toBe(202)
        },
      ),
    ],
  },
  {
    document: 'decisions.md',
    heading: '5. Emails: POST /emails/mime',
    rows: [
      {
        says: "the From header's domain and `envelope_from`'s must both be verified",
        by: 'the From header',
        asks: (scene) => mime({ raw_message: message(scene, [], 'ann@unverified.test') }, scene),
        answers: notVerified,
      },
      {
        says: "the From header's domain and `envelope_from`'s must both be verified",
        by: 'the envelope',
        asks: (scene) => mime({ envelope_from: 'ann@unverified.test' }, scene),
        answers: notVerified,
      },
      ...cases('exactly one From header', raw, [
        ['none', (scene) => message(scene).replace(/^From:.*\r\n/, ''), refusesMessage],
        ['two', (scene) => message(scene, [`From: ann@${scene.sender.domain}`]), refusesMessage],
        ['two of other case', (scene) => message(scene, [`FROM: x@${scene.sender.domain}`]), refusesMessage],
      ]),
      proof('a message without Date or Message-ID gets one', 'neither', async (scene) => {
        const head = headOf(await sentAs(scene, message(scene)))
        expect(head.match(/^Date: /gim)).toHaveLength(1)
        expect(head.match(/^Message-ID: <[^>]+@[^>]+>/gim)).toHaveLength(1)
      }),
      proof('a message without Date or Message-ID gets one', 'both are there', async (scene) => {
        const own = ['Date: Fri, 20 Nov 2026 10:00:00 +0000', 'Message-ID: <mine@example.test>']
        const head = headOf(await sentAs(scene, message(scene, own)))
        expect(head.match(/^(Date|Message-ID): .*(?=\r)/gim)?.sort()).toEqual(own.sort())
      }),
      proof(
        "Bcc, Return-Path and the service's own trace headers are removed",
        'Bcc, Return-Path',
        async (scene) => {
          const lines = ['Bcc: hidden@example.test,', ' more@example.test', 'Return-Path: <x@example.test>']
          const text = await sentAs(scene, message(scene, lines))
          expect(text).not.toMatch(/^(Bcc|Return-Path):/im)
          expect(text).not.toContain('hidden@')
          expect(text).not.toContain('more@')
        },
      ),
      proof('bare CR or LF is normalised to CRLF before signing', 'LF, CR', async (scene) => {
        for (const end of ['\n', '\r']) {
          const text = await sentAs(scene, message(scene).replaceAll('\r\n', end))
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
          expect(text).toMatch(/\r\nSubject: Raw\r\n/)
          expect(text).toMatch(/\r\n\r\nHello\.\r\n/)
        }
      }),
      ...cases('more than 50 Received headers is 422', raw, [
        ['50', (scene) => message(scene, received(50)), accepted],
        ['51', (scene) => message(scene, received(51)), refusesMessage],
      ]),
      proof('length counts characters as `service.md` says.', 'code points, not bytes', async (scene) => {
        const { status, text } = await scene.ask(...mime({ raw_message: '😀'.repeat(9) }, scene))
        expect(status).toBe(422)
        expect(text).toMatch(/raw_message field must/)
      }),
      proof('same key and same body gives the first answer again', 'a raw message', async (scene) => {
        const [route, body] = mime({}, scene)
        const key = { 'idempotency-key': 'raw' }
        const [first, again] = [await scene.ask(route, body, key), await scene.ask(route, body, key)]
        expect([again.status, again.text]).toEqual([202, first.text])
      }),
      proof('the email is `suppressed`.', 'a raw message', async (scene) => {
        await scene.ask('POST /suppressions', { email: 'raw@gone.test' })
        const { json } = await scene.ask(...mime({ envelope_to: 'raw@gone.test' }, scene))
        expect((await scene.sender.settled(json.id)).status).toBe('suppressed')
      }),
    ],
  },
]

function received(count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `Received: from h${index}.test by x.test; Fri, 20 Nov 2026 10:00:00 +0000`,
  )
}
