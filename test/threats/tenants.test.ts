import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { allAtRest, bareAnswer, rowsOf } from '../support/foreign.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'
import { makeWorld, type World } from '../support/world.ts'

let service: SharedSendwright
let ann: Sender
let eve: Sender
/** One record of Ann's of every kind with an id, by the first part of its path. */
let anns: World
/** One record of Eve's of every kind. */
let eves: World

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
  eve = await service.givenSender()
  anns = await makeWorld(ann, service.url)
  eves = await makeWorld(eve, service.url)
})

describe('in a query or a body', () => {
  test("nothing is found with the id of another team's domain, just as with an unknown id", async () => {
    const reply = await eve.get(`/emails?domain_id=${anns.domains}`)
    const unknown = newId()
    const expected = await eve.get(`/emails?domain_id=${unknown}`)
    expect(reply.json.data).toEqual([])
    expect(bareAnswer(reply, anns.domains as string)).toEqual(bareAnswer(expected, unknown))
  })

  test("422 for creating or changing a key with another team's domain, with the same bytes as for an unknown one", async () => {
    for (const ask of [
      (id: string) => eve.post('/api-keys', { name: 'x', domain_id: id }),
      (id: string) => eve.put(`/api-keys/${eves['api-keys']}`, { domain_id: id }),
    ]) {
      const [reply, unknown] = [await ask(anns.domains as string), newId()]
      expect(reply.status).toBe(422)
      expect(bareAnswer(reply, anns.domains as string)).toEqual(bareAnswer(await ask(unknown), unknown))
    }
  })

  test("422 for sending from another team's domain, in any spelling, as from an unknown one", async () => {
    const unknown = await eve.post('/emails', eve.email({ from: 'eve@nobody.test' }))
    const upper = ann.domain.toUpperCase()
    const fullWidth = ann.domain.replace(/[a-z]/g, (letter) =>
      String.fromCodePoint(letter.charCodeAt(0) + 0xfee0),
    )
    for (const domain of [ann.domain, upper, fullWidth, `mail.${ann.domain}`]) {
      const reply = await eve.post('/emails', eve.email({ from: `Ann <ann@${domain}>` }))
      expect(bareAnswer(reply, ''), domain).toEqual(bareAnswer(unknown, ''))
    }
  })

  test("another team's idempotency key is treated as new", async () => {
    const email = { from: `a@${ann.domain}`, to: 'delivered@simulator.test', subject: 'x', text: 'x' }
    const first = await ann.post('/emails', email, { 'idempotency-key': 'shared' })
    const second = await eve.post(
      '/emails',
      { ...email, from: `a@${eve.domain}` },
      { 'idempotency-key': 'shared' },
    )
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.json.id).not.toBe(first.json.id)
  })

  test('fields that only the server sets are ignored in requests', async () => {
    const past = '2001-01-01 00:00:00'
    const forged = {
      id: newId(),
      team_id: ann.id,
      teamId: ann.id,
      status: 'delivered',
      created_at: past,
      verified_at: past,
    }
    await allAtRest(service.db)
    const before = await rowsOf(service.db, ann.id)
    const made = [
      await eve.post('/emails', eve.email({ ...forged, message_id: '<x@y.test>', last_event: 'delivered' })),
      await eve.post('/domains', { ...forged, name: 'forged.example', captured: false }),
      await eve.post('/api-keys', { ...forged, name: 'forged', token: `sw_${'x'.repeat(40)}`, prefix: 'x' }),
      await eve.post('/suppressions', { ...forged, email: 'forged@receiver.test', reason: 'complaint' }),
    ]
    expect(made.map(({ status }) => status)).toEqual([202, 201, 201, 201])
    for (const { json, text } of made) {
      expect(json.id).not.toBe(forged.id)
      expect(text).not.toContain(ann.id)
      expect(text).not.toContain('2001-01-01')
    }
    expect(made[2]?.json.token).not.toContain('xxxx')
    expect(made[3]?.json.reason).toBe('manual')
    const email = await eve.get(`/emails/${made[0]?.json.id}`)
    expect(email.json.message_id).toBe(`<${made[0]?.json.id}@${eve.domain}>`)
    await eve.patch(`/domains/${eves.domains}`, { ...forged, name: ann.domain, tls: 'enforced' })
    expect((await eve.get(`/domains/${eves.domains}`)).json).toMatchObject({
      name: eve.domain,
      tls: 'enforced',
    })
    expect(await rowsOf(service.db, ann.id)).toEqual(before)
  })
})
