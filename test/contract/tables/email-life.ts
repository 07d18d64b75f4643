import { expect } from 'vitest'
import { inDays, known } from '../known.ts'
import { unique } from '../resources.ts'
import { aTime, aUuid, proof, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

/** Sends to one recipient and resolves to the email when all recipients are final. */
async function settled(scene: Scene, to: unknown, fields: Record<string, unknown> = {}) {
  return scene.sender.settled(await scene.sender.send({ to, ...fields }))
}

async function suppressed(scene: Scene, email: string): Promise<string> {
  expect((await scene.ask('POST /suppressions', { email })).status).toBe(201)
  return email
}

const EMAIL_FIELDS: readonly (readonly [name: string, value: unknown])[] = [
  ['object', 'email'],
  ['id', aUuid],
  ['message_id', expect.stringMatching(/@/)],
  ['from', expect.stringContaining('ann@')],
  ['to', ['Bob <delivered@simulator.test>']],
  ['cc', ['delivered+c@simulator.test']],
  ['bcc', ['delivered+b@simulator.test']],
  ['reply_to', ['r@simulator.test']],
  ['subject', 'Hello'],
  ['html', '<p>Hi</p>'],
  ['text', 'Hi'],
  ['headers', { 'X-A': 'b' }],
  ['tags', [{ name: 'a', value: 'b' }]],
  ['status', 'delivered'],
  ['last_event', expect.any(String)],
  ['class', 'transactional'],
  ['domain', { id: aUuid, name: expect.stringMatching(/^sender\d+\.test$/) }],
  ['template', null],
  ['attachments', [expect.objectContaining({ filename: 'a.txt' })]],
  ['recipients', [expect.anything(), expect.anything(), expect.anything()]],
  ['events', expect.any(Array)],
  ['scheduled_at', null],
  ['sent_at', aTime],
  ['created_at', aTime],
]

const RECIPIENT_FIELDS: readonly (readonly [name: string, value: unknown])[] = [
  ['email', expect.stringMatching(/@/)],
  ['type', expect.stringMatching(/^(to|cc|bcc)$/)],
  ['status', 'delivered'],
  ['smtp_code', 250],
  ['enhanced_code', expect.toBeOneOf([null, expect.stringMatching(/^2\.\d+\.\d+$/)])],
  ['response', expect.any(String)],
  ['mx_host', expect.toBeOneOf([null, expect.any(String)])],
  ['attempts', expect.any(Number)],
  ['next_attempt_at', null],
  ['updated_at', aTime],
]

const whole = new WeakMap<Scene, ReturnType<typeof settled>>()
/** Sends an email with a value in every field. */
function wholeEmail(scene: Scene) {
  const fields = {
    cc: 'delivered+c@simulator.test',
    bcc: 'delivered+b@simulator.test',
    reply_to: 'r@simulator.test',
    html: '<p>Hi</p>',
    text: 'Hi',
    headers: { 'X-A': 'b' },
    tags: [{ name: 'a', value: 'b' }],
    attachments: [{ filename: 'a.txt', content: 'YQ==' }],
  }
  const email = whole.get(scene) ?? settled(scene, 'Bob <delivered@simulator.test>', fields)
  whole.set(scene, email)
  return email
}

const SIMULATED = [
  ['delivered', 'delivered', 'delivered'],
  ['bounced', 'bounced', 'bounced'],
  ['suppressed', 'suppressed', 'suppressed'],
  ['complained', 'delivered', 'complained'],
] as const

/** Each filter, with a value that matches one email and a value that matches none. */
const FILTERS = [
  ['status', 'canceled', 'bounced'],
  ['to', 'filter-to@simulator.test', 'other@simulator.test'],
  ['from', 'filter@OURS', 'other@OURS'],
  ['tag', 'filter', 'other'],
  ['domain_id', 'DOMAIN', '01900000-0000-7000-8000-000000000000'],
  ['template_id', 'TEMPLATE', '01900000-0000-7000-8000-000000000000'],
  ['start_date', inDays(-1), inDays(1)],
  ['end_date', inDays(1), inDays(-1)],
  ['class', 'bulk', 'transactional'],
  ['q', 'Findable', 'Hidden'],
] as const

const filtered = new WeakMap<Scene, Promise<string>>()
async function filterable(scene: Scene): Promise<string> {
  const make = async () => {
    const template = await known(scene, 'template')
    const id = await scene.sender.send({
      template: { id: template.id },
      from: `filter@${scene.sender.domain}`,
      to: 'filter-to@simulator.test',
      subject: 'Findable words',
      tags: [{ name: 'filter', value: 'yes' }],
      scheduled_at: inDays(1),
      class: 'bulk',
    })
    await scene.ask(`POST /emails/${id}/cancel`)
    return id
  }
  const id = filtered.get(scene) ?? make()
  filtered.set(scene, id)
  return id
}

const listing = async (scene: Scene, name: string, value: string) => {
  const { domain, domainId } = scene.sender
  const template = await known(scene, 'template')
  const text = value.replace('OURS', domain).replace('DOMAIN', domainId).replace('TEMPLATE', template.id)
  return scene.ask(`GET /emails?per_page=100&${name}=${encodeURIComponent(text)}`)
}

export const emailLifeSections: readonly Section[] = [
  {
    heading: 'emails: read',
    rows: [
      ...EMAIL_FIELDS.map(([name, value]) =>
        proof('EML-1', name, async (scene) => {
          const { id } = await wholeEmail(scene)
          expect((await scene.ask(`GET /emails/${id}`)).json[name]).toEqual(value)
        }),
      ),
      ...RECIPIENT_FIELDS.map(([name, value]) =>
        proof('EML-2', name, async (scene) => {
          for (const recipient of (await wholeEmail(scene)).recipients) expect(recipient[name]).toEqual(value)
        }),
      ),
      ...FILTERS.map(([name, match, other]) =>
        proof('EML-3', name, async (scene) => {
          const id = await filterable(scene)
          const found = await listing(scene, name, match)
          expect(found.status, found.text).toBe(200)
          expect(found.json.data.map((email: { id: string }) => email.id)).toContain(id)
          const none = await listing(scene, name, other)
          expect(none.status, none.text).toBe(200)
          expect(none.json.data.map((email: { id: string }) => email.id)).not.toContain(id)
        }),
      ),
      proof('EML-4', 'a message', async (scene) => {
        const { id, message_id } = await wholeEmail(scene)
        const raw = await scene.ask(`GET /emails/${id}/raw`)
        expect(raw.headers.get('content-type')).toMatch(/^message\/rfc822/)
        expect(raw.text).toMatch(/^Subject: Hello\r$/m)
        expect(raw.text).toContain(message_id)
      }),
      proof('EML-5', 'one delivery', async (scene) => {
        const { id } = await settled(scene, `bob@${scene.service.givenDestination()}`)
        const { status, json, text } = await scene.ask(`GET /emails/${id}/attempts`)
        expect([status, json.object]).toEqual([200, 'list'])
        expect(json.data).toHaveLength(1)
        expect(text).toContain('RCPT TO:<bob@')
      }),
    ],
  },
  {
    heading: 'emails: suppression and status',
    rows: [
      proof('ACC-24', 'one of two', async (scene) => {
        const domain = scene.service.givenDestination()
        const gone = await suppressed(scene, `gone@${domain}`)
        const email = await settled(scene, [gone, `here@${domain}`])
        const statuses = email.recipients.map((row: { email: string; status: string }) => [
          row.email,
          row.status,
        ])
        expect(statuses).toEqual([
          [gone, 'suppressed'],
          [`here@${domain}`, 'delivered'],
        ])
        const lines = scene.service.mx.commands.map(({ line }) => line)
        expect(lines.filter((line) => line.includes(domain) && line.startsWith('RCPT'))).toHaveLength(1)
      }),
      proof('ACC-24', 'one of one', async (scene) => {
        const gone = await suppressed(scene, `${unique('gone')}@${scene.service.givenDestination()}`)
        expect((await settled(scene, gone)).status).toBe('suppressed')
      }),
      proof('SUP-5', 'in other writing', async (scene) => {
        await suppressed(scene, 'case@xn--bcher-kva.test')
        for (const to of ['CASE@bücher.test', 'Case@XN--BCHER-KVA.test']) {
          expect((await settled(scene, to)).status, to).toBe('suppressed')
        }
        const domain = scene.service.givenDestination()
        await suppressed(scene, `a@${domain}`)
        expect((await settled(scene, `a+b@${domain}`)).status).toBe('delivered')
      }),
      proof('ACC-25', 'suppressed meanwhile', async (scene) => {
        const to = `late@${scene.service.givenDestination()}`
        const id = await scene.sender.send({ to, scheduled_at: inDays(1) })
        await suppressed(scene, to)
        await scene.ask(`PATCH /emails/${id}`, { scheduled_at: inDays(1 / 86_400) })
        expect((await scene.sender.settled(id)).status).toBe('suppressed')
      }),
      proof('EML-6', 'direct', async (scene) => {
        const email = await settled(scene, `bob@${scene.service.givenDestination()}`)
        expect([email.status, email.recipients[0].smtp_code]).toEqual(['delivered', 250])
      }),
      proof('EML-6', '550 5.1.1', async (scene) => {
        const to = `nobody@${scene.service.givenDestination()}`
        scene.service.mx.recipients[to] = '550 5.1.1 No such user'
        const email = await settled(scene, to)
        expect(email).toMatchObject({
          status: 'bounced',
          recipients: [{ status: 'bounced', smtp_code: 550, enhanced_code: '5.1.1' }],
        })
      }),
      proof('EML-6', '451, then 250', async (scene) => {
        const to = `slow@${scene.service.givenDestination()}`
        scene.service.mx.script({ expect: `RCPT TO:<${to}>`, answer: '451 4.3.0 Later', times: 1 })
        const email = await scene.sender.settled(await scene.sender.send({ to }))
        expect(email.status).toBe('delivered')
        expect(email.events.map(({ type }: { type: string }) => type).join()).toContain('delivery_delayed')
      }),
      proof('EML-7', 'one of two', async (scene) => {
        const to = ['delivered@simulator.test', 'bounced@simulator.test']
        expect((await settled(scene, to)).status).toBe('partially_delivered')
      }),
      proof('EML-7', 'two of two', async (scene) => {
        const to = ['bounced@simulator.test', 'bounced+2@simulator.test']
        expect((await settled(scene, to)).status).toBe('bounced')
      }),
      proof('EML-8', 'a complaint', async (scene) => {
        const id = await scene.sender.send({ to: 'complained@simulator.test' })
        const email = await scene.sender.seen(id, ({ last_event }) => /complained/.test(last_event))
        expect(email.status).toBe('delivered')
      }),
      proof('EML-7', 'of an email', async (scene) => {
        const id = await scene.sender.send({ scheduled_at: inDays(1) })
        expect((await scene.ask(`GET /emails/${id}`)).json.status).toBe('scheduled')
        await scene.ask(`POST /emails/${id}/cancel`)
        expect((await scene.ask(`GET /emails/${id}`)).json.status).toBe('canceled')
      }),
    ],
  },
  {
    heading: 'suppressions: automatic',
    rows: [
      ...['5.1.1', '5.1.2', '5.1.6', '5.1.10', '5.2.1'].map((code) =>
        proof('SUP-6', code, async (scene) => {
          const to = `nobody@${scene.service.givenDestination()}`
          scene.service.mx.recipients[to] = `550 ${code} No such user here`
          expect((await settled(scene, to)).status).toBe('bounced')
          expect((await scene.ask(`GET /suppressions/${to}`)).json).toMatchObject({
            email: to,
            reason: 'bounce',
          })
        }),
      ),
      ...[
        ['policy', '550 5.7.1 Rejected by policy'],
        ['content', '554 5.6.0 Bad content'],
        ['quota', '552 5.2.2 Mailbox full'],
      ].map(([name = '', answer = '']) =>
        proof('SUP-6', name, async (scene) => {
          const to = `refusing@${scene.service.givenDestination()}`
          scene.service.mx.recipients[to] = answer
          await settled(scene, to)
          expect((await scene.ask(`GET /suppressions/${to}`)).status).toBe(404)
        }),
      ),
    ],
  },
  {
    heading: 'simulator addresses',
    rows: [
      ...SIMULATED.map(([name, status, event]) =>
        proof('DEL-11', name, async (scene) => {
          for (const one of [scene, await scene.capturing()]) {
            for (const label of ['', '+x']) {
              const id = await one.sender.send({ to: `${name}${label}@simulator.test` })
              const email = await one.sender.seen(id, ({ last_event }) => last_event?.includes(event))
              expect([one.service.config.delivery.kind, email.status]).toEqual([expect.any(String), status])
            }
          }
        }),
      ),
      ...['soft-bounced', 'deferred'].map((name) =>
        proof('DEL-11', name, async (scene) => {
          const id = await scene.sender.send({ to: `${name}@simulator.test` })
          const email = await scene.sender.seen(id, ({ events }) =>
            /delayed|bounced/.test(JSON.stringify(events)),
          )
          expect(email.recipients[0].smtp_code).toBeGreaterThanOrEqual(400)
          expect(email.recipients[0].smtp_code).toBeLessThan(500)
        }),
      ),
      proof('DEL-11', 'GET /usage', async (scene) => {
        const team = await scene.freshSender('free')
        await team.send({ to: ['delivered@simulator.test', 'bounced+a@simulator.test'] })
        expect((await team.ask('GET /usage')).json.day.used).toBe(0)
      }),
    ],
  },
]
