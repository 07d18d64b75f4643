import { expect } from 'vitest'
import { inDays, UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  accepts,
  cases,
  checkAnswer,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const CONTENT = {
  subject: 'Hi {{NAME}}',
  html_content: '<p>{{NAME}}</p>',
  text_content: 'Dear {{NAME}}',
  reply_to: 'answers@example.test',
  variables: [{ key: 'NAME', type: 'string', fallback_value: 'you' }],
}

async function made(scene: Scene, fields: Record<string, unknown> = {}) {
  return scene.made('template', { ...CONTENT, ...fields })
}

interface Sent {
  /** Fields of the template. */
  content?: Record<string, unknown>
  variables?: Record<string, unknown>
  /** Fields in addition to `template` and `to`. */
  fields?: Record<string, unknown>
}

async function sendWith({ content, variables, fields }: Sent, scene: Scene): Promise<Request> {
  const { id } = await made(scene, content)
  const template = variables === undefined ? { id } : { id, variables }
  return ['POST /emails', { to: 'delivered@simulator.test', scheduled_at: inDays(1), template, ...fields }]
}

/** Returns the email of a text template with one variable and these values. */
const textOf = (
  text_content: string,
  variables: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Sent => ({
  content: { text_content, html_content: undefined, subject: 'x', variables: [], ...more },
  variables,
})
const htmlOf = (html_content: string, variables: Record<string, unknown>): Sent => ({
  content: { html_content, text_content: 'x', subject: 'x', variables: [] },
  variables,
})
const subjectOf = (subject: string, variables: Record<string, unknown>): Sent => ({
  content: { subject, html_content: undefined, text_content: 'x', variables: [] },
  variables,
})
const NUMBER = { variables: [{ key: 'N', type: 'number', fallback_value: '1' }] }
const namesIt = { status: 422, json: { name: 'validation_error', message: expect.stringContaining('NAME') } }

export const templateSendingSections: readonly Section[] = [
  {
    heading: 'templates: defaults of an email',
    rows: [
      ...cases('TPL-12', sendWith, [
        ['subject', { variables: { NAME: 'Eve' } }, accepts({ subject: 'Hi Eve' })],
        ['html', { variables: { NAME: 'Eve' } }, accepts({ html: '<p>Eve</p>' })],
        ['text', { variables: { NAME: 'Eve' } }, accepts({ text: 'Dear Eve' })],
        ['reply_to', {}, accepts({ reply_to: ['answers@example.test'] })],
        ['the template is named', { content: { name: 'Named' } }, accepts({ template: { name: 'Named' } })],
      ]),
      proof('TPL-12', 'from', async (scene) => {
        const sender = await scene.made('sender', { name: 'Shop' })
        const request = await sendWith({ content: { sender_id: sender.id } }, scene)
        await checkAnswer(await scene.ask(...request), accepts({ from: `Shop <${sender.email}>` }), scene)
      }),
      proof('TPL-12', 'a change shows at once', async (scene) => {
        const { id } = await made(scene)
        const subjects = []
        for (const subject of [unique('One '), unique('Two ')]) {
          await scene.ask(`PUT /templates/${id}`, { subject })
          const { json } = await scene.ask('POST /emails', {
            to: 'a@simulator.test',
            template: { id },
            scheduled_at: inDays(1),
          })
          subjects.push([subject, (await scene.ask(`GET /emails/${json.id}`)).json.subject])
        }
        for (const [set, seen] of subjects) expect(seen).toBe(set)
      }),
      ...cases('TPL-12', sendWith, [
        ['subject', { fields: { subject: 'Own' } }, accepts({ subject: 'Own', html: '<p>you</p>' })],
        ['html', { fields: { html: '<b>own</b>' } }, accepts({ html: '<b>own</b>', subject: 'Hi you' })],
        ['text', { fields: { text: 'own' } }, accepts({ text: 'own', html: '<p>you</p>' })],
        [
          'reply_to',
          { fields: { reply_to: 'own@example.test' } },
          accepts({ reply_to: ['own@example.test'] }),
        ],
      ]),
      proof('TPL-12', 'from', async (scene) => {
        const from = `Own <own@${scene.sender.domain}>`
        const reply = await scene.ask(...(await sendWith({ fields: { from } }, scene)))
        await checkAnswer(reply, accepts({ from }), scene)
      }),
      ...cases('TPL-12', sendWith, [['none of them', {}, 202]]),
      ...cases('TPL-12', sendWith, [
        ['a text', { fields: { template: 'x' } }, refusesField('template')],
        ['no id', { fields: { template: {} } }, required('template.id')],
        ['an object as a value', { variables: { NAME: {} } }, refusesField('template.variables.NAME')],
        ['an array as variables', { variables: [1] as never }, refusesField('template.variables')],
      ]),
      ...cases('TPL-7', sendWith, [
        ['fallback_value', { variables: {} }, accepts({ subject: 'Hi you', text: 'Dear you' })],
        [
          'an empty array, an empty map in PHP',
          { variables: [] as never },
          accepts({ subject: 'Hi you', text: 'Dear you' }),
        ],
      ]),
      ...cases('TPL-13', sendWith, [
        ['a draft', { content: { status: 'draft' } }, { status: 422, json: { name: 'validation_error' } }],
      ]),
    ],
  },
  {
    heading: 'templates: rendering',
    rows: [
      ...cases('TPL-13', sendWith, [
        [
          'on the field',
          { content: { status: 'draft' } },
          ({ json }) => expect(Object.keys(json.errors)).toEqual(['template.id']),
        ],
      ]),
      ...cases('TPL-8', sendWith, [
        [
          'html',
          htmlOf('<p>{{A}}</p>', { A: '<b>&"\'' }),
          accepts({
            html: expect.stringMatching(/^<p>&lt;b&gt;&amp;&(quot|#34|#x22);&(#39|#x27|apos);<\/p>$/),
          }),
        ],
        ['text', textOf('{{A}}', { A: '<b>&' }), accepts({ text: '<b>&' })],
        ['subject', subjectOf('{{A}}', { A: '<b>&' }), accepts({ subject: '<b>&' })],
      ]),
      ...cases('TPL-8', sendWith, [
        ['html', htmlOf('<p>{{{A}}}</p>', { A: '<b>&' }), accepts({ html: '<p><b>&</p>' })],
        ['text', textOf('{{{A}}}', { A: '<b>&' }), accepts({ text: '<b>&' })],
      ]),
      ...cases('TPL-9', sendWith, [
        ['of other case', textOf('{{name}}', { name: 'a', NAME: 'b' }), accepts({ text: 'a' })],
        ['other case alone', textOf('{{NAME}}', { name: 'a' }), namesIt],
        [
          'inherited',
          textOf('{{constructor}}', {}),
          { status: 422, json: { message: expect.stringContaining('constructor') } },
        ],
        [
          '__proto__',
          textOf('{{__proto__}}', {}),
          { status: 422, json: { message: expect.stringContaining('__proto__') } },
        ],
      ]),
      ...cases('TPL-9', sendWith, [
        [
          'a placeholder as a value',
          textOf('{{A}} {{B}}', { A: '{{B}}', B: '{{{A}}}' }),
          accepts({ text: '{{B}} {{{A}}}' }),
        ],
      ]),
      ...cases('TPL-10', sendWith, [
        ['text', textOf('{{NAME}}', {}), namesIt],
        ['subject', subjectOf('{{NAME}}', {}), namesIt],
        ['html', htmlOf('{{NAME}}', {}), namesIt],
      ]),
      ...cases('TPL-11', sendWith, [
        ['LF', subjectOf('{{A}}', { A: 'a\nBcc: x@y.test' }), accepts({ subject: 'a Bcc: x@y.test' })],
        [
          'CR LF',
          subjectOf('{{A}}', { A: 'a\r\nb' }),
          accepts({ subject: expect.stringMatching(/^a {1,2}b$/) }),
        ],
      ]),
      ...cases('TPL-7', sendWith, [
        ['a number in text', textOf('{{N}}', { N: '7' }, NUMBER), accepts({ text: '7' })],
      ]),
      ...cases(
        'TPL-13',
        (id: unknown): Request => ['POST /emails', { to: 'a@simulator.test', template: { id } }],
        [
          ['unknown', UNKNOWN_ID, refusesField('template.id')],
          ['no uuid', 'x', refusesField('template.id')],
        ],
      ),
      proof('TPL-13', 'the same bytes', async (scene) => {
        const { id } = await made(scene)
        const other = await scene.freshSender()
        const [foreign, unknown] = [id, UNKNOWN_ID].map((one) =>
          other.ask('POST /emails', other.email({ template: { id: one } })),
        )
        expect((await foreign)?.text).toBe((await unknown)?.text)
        expect((await foreign)?.status).toBe(422)
      }),
      proof('TPL-14', 'changed and deleted after it', async (scene) => {
        const { id } = await made(scene)
        const body = { to: 'delivered@simulator.test', scheduled_at: inDays(1), template: { id } }
        const email = (await scene.ask('POST /emails', body)).json
        await scene.ask(`PUT /templates/${id}`, { subject: 'Changed' })
        expect((await scene.ask(`DELETE /templates/${id}`)).status).toBe(200)
        expect((await scene.ask(`GET /emails/${email.id}`)).json).toMatchObject({
          subject: 'Hi you',
          status: 'scheduled',
        })
        await scene.ask(`PATCH /emails/${email.id}`, { scheduled_at: inDays(1 / 86_400) })
        expect((await scene.sender.settled(email.id)).status).toBe('delivered')
      }),
      proof('TPL-13', 'in a batch', async (scene) => {
        const { id } = await made(scene)
        const emails = [UNKNOWN_ID, id].map((one) => ({ to: 'a@simulator.test', template: { id: one } }))
        const { status, text } = await scene.ask('POST /emails/batch', emails)
        expect(status).toBe(422)
        expect(text).toContain('0.template.id')
      }),
    ],
  },
]
