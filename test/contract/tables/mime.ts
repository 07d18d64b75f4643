import { expect } from 'vitest'
import {
  accepts,
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

/** Returns the message as it was sent. */
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
    heading: 'raw messages: fields',
    rows: [
      ...cases('ACC-26', withField('class'), [
        ['bulk', 'bulk', accepts({ class: 'bulk' })],
        ['another', 'urgent', refusesField('class')],
      ]),
      {
        requirement: 'RAW-1',
        asks: (scene) => mime({}, scene),
        answers: accepted,
      },
      ...['envelope_from', 'envelope_to', 'raw_message'].flatMap((field) =>
        cases('RAW-1', withField(field), [
          [`${field} absent`, undefined, required(field)],
          [`${field} null`, null, refusesField(field)],
          [`${field} a number`, 7, mustBeString(field)],
        ]),
      ),
      ...cases(
        'RAW-1',
        (from: string, scene) => mime({ envelope_from: from.replace('OURS', scene.sender.domain) }, scene),
        [
          ['plain', 'ann@OURS', accepted],
          ['with a name', 'Ann <ann@OURS>', accepted],
          ['nothing of the kind', 'ann', refusesField('envelope_from')],
        ],
      ),
      {
        requirement: 'RAW-3',
        asks: (scene) => mime({ envelope_from: 'ann@unverified.test' }, scene),
        answers: notVerified,
      },
      ...cases('RAW-1', withField('envelope_to'), [
        ['one', 'bob@simulator.test', accepted],
        ['no address', 'bob', refusesField('envelope_to')],
      ]),
      ...cases('RAW-2', withField('raw_message'), [['9', 'From:a@b\r', refusesMessage]]),
      // Nothing but its length is wrong. test/engine/mime.test.ts delivers a message of 37,500,000.
      ...cases('RAW-2', raw, [
        [
          '37,500,001',
          (scene) => message(scene).padEnd(37_500_001, `${'x'.repeat(998)}\r\n`),
          refusesMessage,
        ],
      ]),
    ],
  },
  {
    heading: 'raw messages',
    rows: [
      {
        requirement: 'RAW-3',
        by: 'the From header',
        asks: (scene) => mime({ raw_message: message(scene, [], 'ann@unverified.test') }, scene),
        answers: notVerified,
      },
      {
        requirement: 'RAW-3',
        by: 'the envelope',
        asks: (scene) => mime({ envelope_from: 'ann@unverified.test' }, scene),
        answers: notVerified,
      },
      ...cases('RAW-4', raw, [
        ['none', (scene) => message(scene).replace(/^From:.*\r\n/, ''), refusesMessage],
        ['two', (scene) => message(scene, [`From: ann@${scene.sender.domain}`]), refusesMessage],
        ['two of other case', (scene) => message(scene, [`FROM: x@${scene.sender.domain}`]), refusesMessage],
      ]),
      proof('RAW-5', 'neither', async (scene) => {
        const head = headOf(await sentAs(scene, message(scene)))
        expect(head.match(/^Date: /gim)).toHaveLength(1)
        expect(head.match(/^Message-ID: <[^>]+@[^>]+>/gim)).toHaveLength(1)
      }),
      proof('RAW-5', 'both are there', async (scene) => {
        const own = ['Date: Fri, 20 Nov 2026 10:00:00 +0000', 'Message-ID: <mine@example.test>']
        const head = headOf(await sentAs(scene, message(scene, own)))
        expect(head.match(/^(Date|Message-ID): .*(?=\r)/gim)?.sort()).toEqual(own.sort())
      }),
      proof('RAW-6', 'Bcc, Return-Path', async (scene) => {
        const lines = ['Bcc: hidden@example.test,', ' more@example.test', 'Return-Path: <x@example.test>']
        const text = await sentAs(scene, message(scene, lines))
        expect(text).not.toMatch(/^(Bcc|Return-Path):/im)
        expect(text).not.toContain('hidden@')
        expect(text).not.toContain('more@')
      }),
      proof('RAW-7', 'LF, CR', async (scene) => {
        for (const end of ['\n', '\r']) {
          const text = await sentAs(scene, message(scene).replaceAll('\r\n', end))
          expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
          expect(text).toMatch(/\r\nSubject: Raw\r\n/)
          expect(text).toMatch(/\r\n\r\nHello\.\r\n/)
        }
      }),
      ...cases('RAW-8', raw, [
        ['50', (scene) => message(scene, received(50)), accepted],
        ['51', (scene) => message(scene, received(51)), refusesMessage],
      ]),
      proof('RAW-2', 'code points, not bytes', async (scene) => {
        const { status, text } = await scene.ask(...mime({ raw_message: '😀'.repeat(9) }, scene))
        expect(status).toBe(422)
        expect(text).toMatch(/raw_message field must/)
      }),
      proof('ACC-21', 'a raw message', async (scene) => {
        const [route, body] = mime({}, scene)
        const key = { 'idempotency-key': 'raw' }
        const [first, again] = [await scene.ask(route, body, key), await scene.ask(route, body, key)]
        expect([again.status, again.text]).toEqual([202, first.text])
      }),
      proof('ACC-24', 'a raw message', async (scene) => {
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
