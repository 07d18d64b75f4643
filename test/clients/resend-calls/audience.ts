import type { Resend } from 'resend'
import { expect } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { upload } from '../../support/csv.ts'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

export async function keepsProperties({ resend }: World): Promise<void> {
  const { contactProperties: properties } = resend
  const plan = await good(properties.create({ key: 'plan', type: 'string', fallbackValue: 'free' }))
  expect(plan).toMatchObject({ object: 'contact_property', id: UUID })
  const seats = await good(properties.create({ key: 'seats', type: 'number', fallbackValue: 5 }))
  const score = await good(properties.create({ key: 'score', type: 'number' }))
  await expectPages(
    [score.id, seats.id, plan.id],
    (page) => properties.list(page as object) as ReturnType<Parameters<typeof expectPages>[1]>,
  )
  expect(await good(properties.get(seats.id))).toEqual({
    object: 'contact_property',
    id: seats.id,
    key: 'seats',
    type: 'number',
    fallbackValue: 5,
    createdAt: TIME,
  })
  expect(await good(properties.update({ id: seats.id, fallbackValue: 6 }))).toMatchObject({
    object: 'contact_property',
    id: seats.id,
  })
  expect((await good(properties.get(seats.id))).fallbackValue).toBe(6)
  expect(await good(properties.remove(score.id))).toEqual({
    object: 'contact_property',
    id: score.id,
    deleted: true,
  })
}

/** Uploads the file by this service's own route, and reads the import with the SDK. */
export async function readsImports({ resend, sender, db }: World): Promise<void> {
  // An import that stays running during the test: the SDK's types have other names for that state.
  const running = newId(0)
  await db.query(
    `insert into csv_import (team_id, id, kind, status, options, bytes, position, line, rows_read, rows_created,
       rows_updated, rows_failed, leased_until, leased_by, created_at, updated_at)
     values ($1, $2, 'contacts', 'running', '{}', 0, 0, 1, 0, 0, 0, 0, $3, $2, $4, $4)`,
    [sender.id, running, new Date(Date.now() + 3_600_000), new Date()],
  )
  const file = 'email\nimported@receiver.test\n'
  const { json } = await upload(process.env.RESEND_BASE_URL ?? '', sender, '/contacts/import', file)
  const { imports } = resend.contacts
  for (const id of [json.id, running]) {
    expect(await good(imports.get(id))).toMatchObject({ object: 'import', id, created_at: TIME })
  }
  expect(await good(imports.list({ limit: 2 }))).toMatchObject({
    object: 'list',
    has_more: false,
    data: [{ id: json.id }, { id: running, status: 'running' }],
  })
}

/** Uses the properties that keepsProperties created. */
export async function keepsContacts({ resend }: World): Promise<void> {
  const { contacts } = resend
  const made = await good(
    contacts.create({
      email: 'Ann+Shop@Receiver.test',
      firstName: 'Ann',
      lastName: 'Smith',
      unsubscribed: false,
      properties: { plan: 'pro', seats: 3 },
    }),
  )
  const { id } = made
  expect(made).toMatchObject({ object: 'contact', id: UUID })
  const email = 'ann+shop@receiver.test'
  for (const name of [id, email, { id }, { email }]) {
    expect(await good(contacts.get(name))).toMatchObject({
      object: 'contact',
      id,
      email,
      first_name: 'Ann',
      last_name: 'Smith',
      unsubscribed: false,
      created_at: TIME,
      properties: { PLAN: 'pro', SEATS: 3 },
    })
  }
  const changes = { firstName: null, unsubscribed: true, properties: { plan: null } }
  expect(await good(contacts.update({ email, ...changes }))).toMatchObject({ object: 'contact', id })
  expect(await good(contacts.update({ id, lastName: 'Jones' }))).toMatchObject({ object: 'contact', id })
  expect(await good(contacts.get(id))).toMatchObject({
    first_name: '',
    last_name: 'Jones',
    unsubscribed: true,
    properties: { SEATS: 3 },
  })
  const bob = await good(contacts.create({ email: 'bob@receiver.test' }))
  const eve = await good(contacts.create({ email: 'eve@receiver.test' }))
  await expectPages([eve.id, bob.id, id], (page) => contacts.list(page as object))
  for (const [name, gone] of [[email, id] as const, [{ id: bob.id }, bob.id] as const]) {
    expect(await good(contacts.remove(name))).toMatchObject({
      object: 'contact',
      contact: gone,
      deleted: true,
    })
  }
  expect((await contacts.get(email)).error).toMatchObject({ name: 'not_found', statusCode: 404 })
}

/** The SDK offers the same methods under two names. */
export async function keepsSegments(world: World): Promise<void> {
  await keepsSegmentsBy(world, world.resend.segments)
  await keepsSegmentsBy(world, world.resend.audiences)
}

async function keepsSegmentsBy({ resend, sender }: World, segments: Resend['segments']): Promise<void> {
  const created = await good(segments.create({ name: 'Everybody' }))
  expect(created).toMatchObject({ object: 'segment', id: UUID, name: 'Everybody' })
  const { id } = created
  expect((await good(resend.contacts.list({ segmentId: id }))).data).toEqual([])
  const condition = { field: 'email', operator: 'contains', value: '@' }
  await sender.patch(`/segments/${id}`, { filters: { groups: [{ conditions: [condition] }] } })
  const found = await good(resend.contacts.list({ segmentId: id, limit: 1 }))
  expect(found).toMatchObject({ object: 'list', has_more: false, data: [{ email: 'eve@receiver.test' }] })

  expect(await good(segments.update(id, { name: 'All' }))).toMatchObject({ object: 'segment', id })
  expect(await good(segments.get(id))).toMatchObject({ object: 'segment', id, name: 'All', created_at: TIME })
  const others = [await good(segments.create({ name: 'B' })), await good(segments.create({ name: 'C' }))]
  const ids = [...others.map((segment) => segment.id).reverse(), id]
  await expectPages(ids, (page) => segments.list(page as object))
  for (const gone of ids) {
    expect(await good(segments.remove(gone))).toEqual({ object: 'segment', id: gone, deleted: true })
  }
}

export async function keepsContactSegments({ resend, sender }: World): Promise<void> {
  const { contacts, segments } = resend
  const segment = await good(segments.create({ name: 'Chosen' }))
  const other = await good(segments.create({ name: 'Other' }))
  const ann = await good(contacts.create({ email: 'ann@receiver.test' }))
  const bob = await good(contacts.create({ email: 'bob@receiver.test' }))
  const added = await good(contacts.segments.add({ contactId: ann.id, segmentId: segment.id }))
  expect(added).toMatchObject({ id: segment.id })
  await good(contacts.segments.add({ email: 'bob@receiver.test', segmentId: segment.id }))
  await good(contacts.segments.add({ email: 'bob@receiver.test', segmentId: segment.id }))
  const inSegment = await good(contacts.list({ segmentId: segment.id }))
  expect(inSegment.data.map(({ id }) => id)).toEqual([bob.id, ann.id])
  const ofAnn = await good(contacts.segments.list({ contactId: ann.id }))
  expect(ofAnn.data.map(({ id, name }) => [id, name])).toEqual([[segment.id, 'Chosen']])
  const removed = await good(contacts.segments.remove({ email: 'ann@receiver.test', segmentId: segment.id }))
  expect(removed).toMatchObject({ id: segment.id, audienceId: segment.id, deleted: true })
  expect((await good(contacts.segments.list({ contactId: ann.id }))).data).toEqual([])
  expect((await good(contacts.segments.remove({ contactId: ann.id, segmentId: other.id }))).deleted).toBe(
    true,
  )

  const unsubscribed = { field: 'unsubscribed', operator: 'is', value: true }
  const filters = { groups: [{ match_type: 'all', conditions: [unsubscribed] }] }
  const { json } = await sender.post('/segments', { name: 'By condition', filters })
  const refused = await contacts.segments.add({ contactId: ann.id, segmentId: json.id })
  expect(refused.error).toMatchObject({ name: 'conflict', statusCode: 409 })
  const unknown = await contacts.segments.add({ contactId: ann.id, segmentId: ann.id })
  expect(unknown.error).toMatchObject({ name: 'not_found', statusCode: 404 })
}
