import { beforeAll, describe, expect, test, vi } from 'vitest'
import { COUNTERS, noCounts } from '../../src/metrics/metric-counts-queries.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'

const dashboard = givenDashboard()
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let daysAgo = 1; daysAgo <= 13; daysAgo++) {
    const since = new Date(today - daysAgo * DAY_MS)
    // Six whole days of this period, and the same days a week before.
    const isRecent = daysAgo < 7
    await insertCounts('all', '', since, isRecent ? 200 : 100, isRecent ? 10 : 1)
    await insertCounts('provider', 'google', since, 60, isRecent ? 6 : 0)
    await insertCounts('provider', 'gmx', since, 40, 1)
    if (isRecent) await insertCounts('reason', 'no_such_address', since, 0, 8)
  }
  // Days are whole only when the events of the sender's first email are counted.
  const isCounted = async () => (await dashboard.sender.get('/emails/metrics')).json.as_of !== null
  await vi.waitUntil(isCounted, { timeout: 30_000 })
})

async function insertCounts(dimension: string, key: string, since: Date, sent: number, bounced: number) {
  const { sender, service } = dashboard
  const counts = { ...noCounts(), emails: sent, accepted: sent, attempted: sent }
  Object.assign(counts, { bounced, delivered: Math.max(0, sent - bounced), rejected: sent > 100 ? 4 : 0 })
  await service.db.query(
    `insert into metric (team_id, grain, dimension, since, key, ${COUNTERS.join(', ')})
     values ($1, 'day', $2, $3, $4, ${COUNTERS.map((_, index) => `$${index + 5}`).join(', ')})`,
    [sender.id, dimension, since, key, ...COUNTERS.map((counter) => counts[counter])],
  )
}

test('key figures are compared with the same days of the previous period, without the day that is not over', async () => {
  const page = await dashboard.open('/metrics')
  const figure = (label: string) => page.locator('.stat', { has: page.getByText(label, { exact: true }) })
  await figure('Sent').getByText('1,200', { exact: true }).waitFor()
  await figure('Sent').getByText('+100 %').waitFor()
  await figure('Bounced').getByText('5 %', { exact: true }).waitFor()
  await figure('Bounced').getByText('above 2 %').waitFor()
  await figure('Bounced').getByText('+4 pt').waitFor()
})

test('mailbox providers are compared with the previous period; one of them filters the page', async () => {
  const page = await dashboard.open('/metrics')
  const table = page.getByRole('region', { name: 'Breakdown' })
  const google = table.getByRole('row', { name: /Google/ })
  await google.getByText('90 %', { exact: false }).waitFor()
  await google.getByText('−10').waitFor()
  await google.getByRole('link').click()
  await page.waitForURL(/provider=google/)
  await page.locator('.stat', { hasText: 'Sent' }).getByText('360', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove filter: Google (Gmail)' }).click()
  await page.waitForURL((url) => !url.search.includes('provider'))
})

test('results add up to the total, and each links to its list', async () => {
  const page = await dashboard.open('/metrics')
  const results = page.locator('.funnel > div')
  await results.filter({ hasText: 'Rejected' }).getByText('24', { exact: true }).waitFor()
  const counts = await results.evaluateAll((rows) =>
    rows.slice(0, 4).map((row) => Number(row.children[2]?.textContent?.replaceAll(',', ''))),
  )
  expect(counts).toEqual([1_116, 60, 0, 24])
  await page.getByText('1,200 recipients with a result').waitFor()
  await results.getByRole('link', { name: 'Rejected' }).click()
  await page.waitForURL(/emails\?status=rejected/)
})

test('causes of bounces are named, and add up to the bounced and rejected recipients', async () => {
  const page = await dashboard.open('/metrics')
  const table = page.getByRole('region', { name: 'Causes' })
  const cellsOf = (name: string) => table.getByRole('row', { name }).getByRole('cell').allTextContents()
  await table.getByRole('row', { name: 'Address does not exist' }).waitFor()
  expect(await cellsOf('Address does not exist')).toEqual(['57.1 %', '48', '0', '0'])
  expect(await cellsOf('Other causes')).toEqual(['42.9 %', '12', '24', '0'])
  await page.getByRole('link', { name: 'Bounced emails' }).click()
  await page.waitForURL(/emails\?status=bounced/)
})

test('each number on Home links to its list', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('link', { name: 'Complaints', exact: true }).click()
  await page.waitForURL(/suppressions\?reason=complaint/)
})

test('the metrics can be exported as CSV', async () => {
  const page = await dashboard.open('/metrics')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^metrics-\d{4}-\d\d-\d\d\.csv$/)
})

describe('accessibility', () => {
  const paths = ['/metrics', '/metrics?by=hours', '/metrics?view=table&by=tag']

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('no axe violations, and the page fits (%s, %i pixels)', async (scheme, width) => {
    const page = await dashboard.open('/metrics', { scheme, width })
    for (const path of paths) {
      await page.goto(`/app/${dashboard.sender.id}${path}`)
      await ready(page)
      expect(await violationsOf(page), path).toEqual([])
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0)
    }
  })
})
