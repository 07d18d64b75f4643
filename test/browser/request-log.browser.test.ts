import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'

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
