import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AuditEntry, insertAudit } from '../../src/audit/audit-queries.ts'
import { firstIdAt } from '../../src/lib/ids.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, visit } from './support/dashboard.ts'

const dashboard = givenDashboard()

test('a failed request is found by its status and opened with its error; an accepted one leads to its email', async () => {
  const { sender } = dashboard
  const id = await sender.send({ to: 'delivered@simulator.test' })
  const failed = await sender.post('/emails', sender.email({ subject: '' }))
  expect(failed.status).toBe(422)
  const page = await dashboard.open('/requests?status=4xx')
  const table = page.getByRole('table', { name: 'Requests' })
  await table.getByText(failed.json.message).waitFor()
  expect(await table.getByRole('button', { name: 'POST /emails' }).count()).toBe(1)
  await table.getByRole('button', { name: 'POST /emails' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(failed.headers.get('x-request-id') ?? '', { exact: true }).waitFor()
  await drawer.getByText('"validation_error"').waitFor()
  expect(await violationsOf(page)).toEqual([])

  await page.goto(`/app/${sender.id}/requests?status=202`)
  await page.getByRole('button', { name: 'POST /emails' }).click()
  await page.getByRole('dialog').getByRole('link', { name: id }).click()
  await page.waitForURL(`${dashboard.url}/app/${sender.id}/emails/${id}`)
})

test('a request is found by its id; a viewer does not see the log', async () => {
  dashboard.allow(/403/)
  const { headers } = await dashboard.sender.get('/domains')
  const id = headers.get('x-request-id') ?? ''
  const page = await dashboard.open('/requests', { role: 'member' })
  await page.getByLabel('Request ID').fill(id)
  const table = page.getByRole('table', { name: 'Requests' })
  // The request, and the head of the table.
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await table.getByRole('button', { name: 'GET /domains', exact: true }).waitFor()
  const viewer = await dashboard.open('/usage', { role: 'viewer' })
  expect(await viewer.getByRole('link', { name: 'Request log' }).count()).toBe(0)
})

/** Returns the day in UTC, `daysAgo` days before today. */
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

/** In Berlin, it is the next day already. */
function lateEntry(teamId: string, day: string, action: string): AuditEntry {
  const createdAt = new Date(`${day}T23:30:00Z`)
  return {
    teamId,
    id: firstIdAt(createdAt),
    actorKind: 'operator',
    actorId: null,
    action,
    targetId: null,
    fields: [],
    ipAddress: null,
    userAgent: null,
    requestId: null,
    createdAt,
  }
}

test('a day of the audit log is one of the user, in the list and in the CSV file', async () => {
  const { id } = dashboard.sender
  const day = dayOf(10)
  await insertAudit(dashboard.service.db, [
    lateEntry(id, dayOf(11), 'domains.create'),
    lateEntry(id, day, 'domains.delete'),
  ])
  const page = await dashboard.open(`/audit?start_date=${day}&end_date=${day}`)
  const table = page.getByRole('table', { name: 'Audit log' })
  await table.getByText('Domains: created').waitFor()
  expect(await table.getByText('Domains: deleted').count()).toBe(0)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  expect(text).toContain('domains.create')
  expect(text).not.toContain('domains.delete')
})

test('a day of the request log is one of the user', async () => {
  const page = await dashboard.open('/usage')
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/logs')
  await visit(page, `/app/${dashboard.sender.id}/requests?start_date=2026-01-15&end_date=2026-01-15`)
  const { searchParams } = new URL((await asked).url())
  expect(searchParams.get('start_date')).toBe('2026-01-14T23:00:00.000Z')
  expect(searchParams.get('end_date')).toBe('2026-01-15T23:00:00.000Z')
})
