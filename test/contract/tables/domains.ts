import { expect } from 'vitest'
import { unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  CONFLICT,
  cases,
  checkAnswer,
  creates,
  mustBeString,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const adding = (name: unknown): Request => ['POST /domains', { name }]
const withField =
  (field: string) =>
  (value: unknown): Request => ['POST /domains', { name: `${unique('d')}.test`, [field]: value }]

interface DomainRecord {
  record: string
  type: string
  name: string
  value: string
}

async function recordsOf(scene: Scene, fields: Record<string, unknown> = {}): Promise<DomainRecord[]> {
  return (await scene.made('domain', fields)).records
}

/** Publishes the records as the owner of the domain would. */
function publish({ service }: Scene, records: readonly DomainRecord[]): void {
  for (const { name, type, value } of records) {
    service.dns.set({
      [name]: type === 'TXT' ? { txt: [value] } : type === 'MX' ? { mx: [[10, value]] } : { cname: value },
    })
  }
}

export const domainSections: readonly Section[] = [
  {
    heading: 'domains',
    rows: [
      {
        requirement: 'DOM-1',
        asks: [
          'POST /domains',
          { name: 'Whole.Example.test', open_tracking: true, click_tracking: true, tls: 'enforced' },
        ],
        answers: creates({
          id: aUuid,
          name: 'whole.example.test',
          open_tracking: true,
          click_tracking: true,
          tls: 'enforced',
          created_at: aTime,
        }),
      },
      ...cases('DOM-6', adding, [
        ['absent', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
        ['no domain', 'a b', refusesField('name')],
        ['a single label', 'localhost', refusesField('name')],
      ]),
      ...['open_tracking', 'click_tracking'].flatMap((field) =>
        cases('DOM-1', withField(field), [
          [`${field} absent`, undefined, creates({ [field]: false })],
          [`${field} true`, true, creates({ [field]: true })],
          [`${field} a text`, 'true', refusesField(field)],
        ]),
      ),
      ...cases('DOM-1', withField('tls'), [
        ['tls absent', undefined, creates({ tls: 'opportunistic' })],
        ['tls enforced', 'enforced', creates({ tls: 'enforced' })],
        ['tls never', 'never', refusesField('tls')],
      ]),
      proof('DOM-2', 'pending', async (scene) => {
        expect((await scene.made('domain')).status).toBe('pending')
      }),
      ...['record', 'type', 'name', 'value', 'ttl', 'status'].map((name) =>
        proof('DOM-3', name, async (scene) => {
          const records = await recordsOf(scene)
          expect(records.length).toBeGreaterThan(0)
          for (const record of records) expect(record).toHaveProperty(name)
        }),
      ),
      proof('DOM-3', 'DKIM', async (scene) => {
        const types = (await recordsOf(scene))
          .filter(({ record }) => /dkim/i.test(record))
          .map(({ type }) => type)
        expect(types.length).toBeGreaterThan(0)
        for (const type of types) expect(['CNAME', 'TXT']).toContain(type)
      }),
      proof('DOM-3', 'the return path', async (scene) => {
        const types = (await recordsOf(scene))
          .filter(({ record }) => !/dkim|dmarc|tracking/i.test(record))
          .map(({ type }) => type)
        expect(types.join()).toMatch(/^CNAME$|MX,TXT|TXT,MX/)
      }),
      proof('DOM-3', 'DMARC', async (scene) => {
        const [dmarc] = (await recordsOf(scene)).filter(({ record }) => /dmarc/i.test(record))
        expect(dmarc).toMatchObject({ type: 'TXT', value: expect.stringMatching(/^v=DMARC1;/) })
      }),
      proof('DOM-3', 'the tracking host', async (scene) => {
        const records = await recordsOf(scene, { open_tracking: true, click_tracking: true })
        expect(records.filter(({ record }) => /track/i.test(record))).toHaveLength(1)
      }),
      proof('DOM-4', 'published', async (scene) => {
        const { id, records } = await scene.made('domain')
        const before = await scene.ask(`POST /domains/${id}/verify`)
        expect(before.status).toBe(200)
        expect((await scene.ask(`GET /domains/${id}`)).json.status).toBe('pending')
        publish(scene, records)
        expect((await scene.ask(`POST /domains/${id}/verify`)).status).toBe(200)
        expect((await scene.ask(`GET /domains/${id}`)).json.status).toBe('verified')
      }),
      proof('DOM-5', 'two teams, one name', async (scene) => {
        const { name } = await scene.made('domain', { name: scene.sender.domain.replace('sender', 'twice') })
        const mine = (await scene.ask('GET /domains?per_page=100')).json.data.find(
          (one: { name: string }) => one.name === name,
        )
        publish(scene, (await scene.ask(`GET /domains/${mine.id}`)).json.records)
        await scene.ask(`POST /domains/${mine.id}/verify`)
        expect((await scene.ask(`GET /domains/${mine.id}`)).json.status).toBe('verified')
        const other = await scene.fresh()
        const theirs = await other.ask(...adding(name))
        if (theirs.status === 201) {
          publish(scene, theirs.json.records)
          await other.ask(`POST /domains/${theirs.json.id}/verify`)
          expect((await other.ask(`GET /domains/${theirs.json.id}`)).json.status).not.toBe('verified')
        } else expect(theirs.status).toBe(409)
      }),
      ...cases('DOM-6', adding, [
        ['com', 'com', refusesField('name')],
        ['co.uk', 'co.uk', refusesField('name')],
        ['github.io', 'github.io', refusesField('name')],
      ]),
    ],
  },
  {
    heading: 'domains: names in use',
    rows: [
      proof('ERR-7', 'a domain', async (scene) => {
        const { name } = await scene.made('domain')
        await checkAnswer(await scene.ask(...adding(name.toUpperCase())), CONFLICT, scene)
      }),
      proof('ERR-7', 'a sender', async (scene) => {
        const { username } = await scene.made('sender')
        const body = { name: 'Again', username: username.toUpperCase(), domain_id: scene.sender.domainId }
        await checkAnswer(await scene.ask('POST /senders', body), CONFLICT, scene)
      }),
    ],
  },
]
