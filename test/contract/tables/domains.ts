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

/** Does what the records ask of the owner. */
function publish({ service }: Scene, records: readonly DomainRecord[]): void {
  for (const { name, type, value } of records) {
    service.dns.set({
      [name]: type === 'TXT' ? { txt: [value] } : type === 'MX' ? { mx: [[10, value]] } : { cname: value },
    })
  }
}

export const domainSections: readonly Section[] = [
  {
    document: 'decisions.md',
    heading: '6. Domains',
    rows: [
      {
        says: 'Domain: `POST /domains` {name, open_tracking, click_tracking, tls: opportunistic|enforced}',
        asks: [
          'POST /domains',
          { name: 'Whole.Example.test', open_tracking: true, click_tracking: true, tls: 'enforced' },
        ],
        answers: creates({
          ...{
            id: aUuid,
            name: 'whole.example.test',
            open_tracking: true,
            click_tracking: true,
            tls: 'enforced',
          },
          created_at: aTime,
        }),
      },
      ...cases('Domain: `POST /domains` {name', adding, [
        ['absent', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
        ['no domain', 'a b', refusesField('name')],
        ['a single label', 'localhost', refusesField('name')],
      ]),
      ...['open_tracking', 'click_tracking'].flatMap((field) =>
        cases('open_tracking, click_tracking, tls: opportunistic|enforced}', withField(field), [
          [`${field} absent`, undefined, creates({ [field]: false })],
          [`${field} true`, true, creates({ [field]: true })],
          [`${field} a text`, 'true', refusesField(field)],
        ]),
      ),
      ...cases('open_tracking, click_tracking, tls: opportunistic|enforced}', withField('tls'), [
        ['tls absent', undefined, creates({ tls: 'opportunistic' })],
        ['tls enforced', 'enforced', creates({ tls: 'enforced' })],
        ['tls never', 'never', refusesField('tls')],
      ]),
      proof(
        'answer has `status` (`pending`, `verified`, `failed`, `temporary_failure`)',
        'pending',
        async (scene) => {
          expect((await scene.made('domain')).status).toBe('pending')
        },
      ),
      ...['record', 'type', 'name', 'value', 'ttl', 'status'].map((name) =>
        proof('`records[]` {record, type, name, value, ttl, status, priority?}', name, async (scene) => {
          const records = await recordsOf(scene)
          expect(records.length).toBeGreaterThan(0)
          for (const record of records) expect(record).toHaveProperty(name)
        }),
      ),
      proof('for DKIM (CNAME or TXT)', 'DKIM', async (scene) => {
        const types = (await recordsOf(scene))
          .filter(({ record }) => /dkim/i.test(record))
          .map(({ type }) => type)
        expect(types.length).toBeGreaterThan(0)
        for (const type of types) expect(['CNAME', 'TXT']).toContain(type)
      }),
      proof('return path (CNAME or MX + SPF TXT)', 'the return path', async (scene) => {
        const types = (await recordsOf(scene))
          .filter(({ record }) => !/dkim|dmarc|tracking/i.test(record))
          .map(({ type }) => type)
        expect(types.join()).toMatch(/^CNAME$|MX,TXT|TXT,MX/)
      }),
      proof('DMARC (recommended) and the tracking host', 'DMARC', async (scene) => {
        const [dmarc] = (await recordsOf(scene)).filter(({ record }) => /dmarc/i.test(record))
        expect(dmarc).toMatchObject({ type: 'TXT', value: expect.stringMatching(/^v=DMARC1;/) })
      }),
      proof('DMARC (recommended) and the tracking host', 'the tracking host', async (scene) => {
        const records = await recordsOf(scene, { open_tracking: true, click_tracking: true })
        expect(records.filter(({ record }) => /track/i.test(record))).toHaveLength(1)
      }),
      proof('`POST /domains/{id}/verify` asks DNS now', 'published', async (scene) => {
        const { id, records } = await scene.made('domain')
        const before = await scene.ask(`POST /domains/${id}/verify`)
        expect(before.status).toBe(200)
        expect((await scene.ask(`GET /domains/${id}`)).json.status).toBe('pending')
        publish(scene, records)
        expect((await scene.ask(`POST /domains/${id}/verify`)).status).toBe(200)
        expect((await scene.ask(`GET /domains/${id}`)).json.status).toBe('verified')
      }),
      proof('Unique among verified domains of the installation', 'two teams, one name', async (scene) => {
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
      ...cases('public suffixes are refused.', adding, [
        ['com', 'com', refusesField('name')],
        ['co.uk', 'co.uk', refusesField('name')],
        ['github.io', 'github.io', refusesField('name')],
      ]),
    ],
  },
  {
    document: 'decisions.md',
    heading: '2. Errors: duplicate names',
    rows: [
      proof('in-use refusals, duplicate names of a domain or sender', 'a domain', async (scene) => {
        const { name } = await scene.made('domain')
        await checkAnswer(await scene.ask(...adding(name.toUpperCase())), CONFLICT, scene)
      }),
      proof('in-use refusals, duplicate names of a domain or sender', 'a sender', async (scene) => {
        const { username } = await scene.made('sender')
        const body = { name: 'Again', username: username.toUpperCase(), domain_id: scene.sender.domainId }
        await checkAnswer(await scene.ask('POST /senders', body), CONFLICT, scene)
      }),
    ],
  },
]
