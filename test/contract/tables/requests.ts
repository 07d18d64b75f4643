import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { unique } from '../resources.ts'
import { aUuid, cases, error, proof, type Request, required, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

const MIB = 1024 * 1024

/** Returns a body of exactly this many bytes, filled with an unknown field. */
function suppressionOf(byteCount: number): Request {
  const body = JSON.stringify({ email: `${unique('big')}@example.test`, frob: '' })
  return ['POST /suppressions', body.replace('"frob":""', `"frob":"${'x'.repeat(byteCount - body.length)}"`)]
}

/** Sends a request as a client that uses another name for the server. */
function askUnderName(scene: Scene, path: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-forwarded-host': host, authorization: `Bearer ${scene.sender.token}` }
    request(scene.service.url + path, { headers }, (answer) => resolve(text(answer)))
      .on('error', reject)
      .end()
  })
}

/** Texts that are empty strings when they have no value (API-18). */
const UNSET: readonly (readonly ['template' | 'sender' | 'contact', string])[] = [
  ['contact', 'first_name'],
  ['contact', 'last_name'],
  ['contact', 'user_id'],
  ['template', 'text_content'],
  ['template', 'reply_to'],
  ['sender', 'reply_to'],
]

export const requestSections: readonly Section[] = [
  {
    heading: 'requests',
    rows: [
      proof('API-15', 'another Host', async (scene) => {
        const answer = await askUnderName(scene, '/emails', 'evil.test')
        expect(answer).toContain('"path":"https://api.test/emails"')
        expect(answer).not.toContain('evil.test')
      }),
      ...cases('ERR-8', suppressionOf, [
        ['1,048,576 bytes', MIB, 201],
        [
          '1,048,577 bytes',
          MIB + 1,
          { status: 413, json: { statusCode: 413, name: 'payload_too_large', message: expect.any(String) } },
        ],
      ]),
      ...cases('API-2', (change: (id: string) => string, scene) => found(change, scene), [
        ['as given', (id) => id, { status: 200, json: { id: aUuid } }],
        ['asked for in upper case', (id) => id.toUpperCase(), { status: 200, json: { id: aUuid } }],
      ]),
      ...cases('ERR-9', (type: string) => typed(type), [
        ['application/json', 'application/json', 201],
        ['with a charset', 'application/json; charset=utf-8', 201],
        ['of upper case', 'Application/JSON', 201],
        ['text/json-ish', 'text/plain', { status: 415, json: { name: 'unsupported_media_type' } }],
      ]),
      ...cases('ERR-1', (body: string): Request => ['POST /contacts', body], [
        ['malformed', '{"email"', error(422, 'validation_error', 'The request body is not valid JSON.')],
        ['an array', '[{}]', error(422, 'validation_error', 'The request body must be a JSON object.')],
        ['null', 'null', error(422, 'validation_error', 'The request body must be a JSON object.')],
        ['an empty array, an empty map in PHP', ' [ ] ', required('email')],
      ]),
      ...cases('API-19', (name: string): Request => ['POST /api-keys', { name }], [
        ['255 of four bytes', '😀'.repeat(255), { status: 201, json: { name: '😀'.repeat(255) } }],
        ['256 of four bytes', '😀'.repeat(256), 422],
      ]),
    ],
  },
  {
    heading: 'records: absent texts',
    rows: UNSET.map(([kind, field]) =>
      proof('API-18', `${kind} ${field} is none`, async (scene) => {
        expect((await scene.made(kind))[field]).toBeTypeOf('string')
      }),
    ),
  },
]

async function found(change: (id: string) => string, scene: Scene): Promise<Request> {
  return [`GET /suppressions/${change((await scene.made('suppression')).id)}`]
}

function typed(type: string): Request {
  return ['POST /suppressions', { email: `${unique('typed')}@example.test` }, { 'content-type': type }]
}
