import { beforeAll, expect, test, vi } from 'vitest'
import { COUNTERS, noCounts } from '../../src/metrics/counting/metric-counts-queries.ts'
import { givenDashboard } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS, WIDE_OR_PHONE } from './support/faults.ts'

const dashboard = givenDashboard()
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let daysAgo = 0; daysAgo <= 13; daysAgo++) {
    const since = new Date(today - daysAgo * DAY_MS)
    // Today, six whole days of this period, and the same days a week before.
    const isRecent = daysAgo < 7
    const hasOpens = daysAgo > 0
    const bounced = isRecent && daysAgo > 0 ? 10 : 1
    await insertCounts('all', '', since, { sent: isRecent ? 200 : 100, bounced, hasOpens })
    await insertCounts('provider', 'google', since, { sent: 60, bounced: isRecent ? 6 : 0, hasOpens })
    await insertCounts('provider', 'gmx', since, { sent: 40, bounced: 1, hasOpens })
    if (isRecent && daysAgo > 0)
      await insertCounts('reason', 'no_such_address', since, { sent: 0, bounced: 8 })
  }
  // Days are whole only when the events of the sender's first email are counted.
  const isCounted = async () => (await dashboard.sender.get('/emails/metrics')).json.as_of !== null
  await vi.waitUntil(isCounted, { timeout: 30_000 })
})

interface Day {
  sent: number
  bounced: number
  /** Whether all recipients who got it opened it. */
  hasOpens?: boolean
}

async function insertCounts(
  dimension: string,
  key: string,
  since: Date,
  { sent, bounced, hasOpens = false }: Day,
) {
  const { sender, service } = dashboard
  const counts = { ...noCounts(), attempted: sent }
  // Providers and reasons are known only with a result ("counts of providers" below checks it).
  if (dimension === 'all') Object.assign(counts, { emails: sent, accepted: sent })
  const rejected = sent > 100 ? 4 : 0
  const taken = Math.max(0, sent - bounced - rejected)
  Object.assign(counts, { bounced, rejected, delivered: taken, opened_unique: hasOpens ? taken : 0 })
  await service.db.query(
    `insert into metric (team_id, grain, dimension, since, key, ${COUNTERS.join(', ')})
     values ($1, 'day', $2, $3, $4, ${COUNTERS.map((_, index) => `$${index + 5}`).join(', ')})`,
    [sender.id, dimension, since, key, ...COUNTERS.map((counter) => counts[counter])],
  )
}

test('key figures are compared with the same days of the previous period, without the day that is not over', async () => {
  const page = await dashboard.open('/metrics')
  const figure = (label: string) => page.locator('.stat', { has: page.getByText(label, { exact: true }) })
  await figure('Recipients').getByText('1,400', { exact: true }).waitFor()
  await figure('Recipients').getByText('with a result').waitFor()
  await figure('Recipients').getByText('+100 %').waitFor()
  await figure('Bounced').getByText('4.4 %', { exact: true }).waitFor()
  await figure('Bounced').getByText('above 2 %').waitFor()
  await figure('Bounced').getByText('+4 pt').waitFor()
  await figure('Opened').getByText('85.1 %', { exact: true }).waitFor()
  await figure('Opened').getByText('±0 pt').waitFor()
})

test('mailbox providers are compared with the previous period; one of them filters the page', async () => {
  const page = await dashboard.open('/metrics')
  const table = page.getByRole('region', { name: 'Breakdown' })
  const google = table.getByRole('row', { name: /Google/ })
  await google.getByText('90 %', { exact: false }).waitFor()
  await google.getByText('−10').waitFor()
  // Today's emails are not opened yet, which says nothing about the days before.
  const opened = google.getByRole('cell').nth(4)
  expect(await opened.textContent()).toBe('85.7 %')
  await google.getByRole('link').click()
  await page.waitForURL(/provider=google/)
  await page.locator('.stat', { hasText: 'Recipients' }).getByText('420', { exact: true }).waitFor()
  await page.getByText('Table', { exact: true }).click()
  const yesterday = page.getByRole('region', { name: 'Figures over time' }).getByRole('row').nth(2)
  expect(await yesterday.getByRole('cell').first().textContent()).toBe('60')
  await page.getByRole('button', { name: 'Remove filter: Google (Gmail)' }).click()
  await page.waitForURL((url) => !url.search.includes('provider'))
})

test('counts of providers have attempted recipients, and none accepted', async () => {
  const other = await dashboard.service.givenSender()
  await other.settled(await other.send({ to: `ann@${dashboard.service.givenDestination()}` }))
  const groups = async () => (await other.get('/emails/metrics?group_by=provider')).json.groups
  await vi.waitUntil(async () => (await groups()).length > 0, { timeout: 30_000 })
  expect(await groups()).toMatchObject([
    { key: 'other', counts: { accepted: 0, attempted: 1, delivered: 1 } },
  ])
})

test('results add up to the total, and each links to its list', async () => {
  const page = await dashboard.open('/metrics')
  const results = page.locator('.funnel > div')
  await results.filter({ hasText: 'Rejected' }).getByText('28', { exact: true }).waitFor()
  const counts = await results.evaluateAll((rows) =>
    rows.slice(0, 4).map((row) => Number(row.children[2]?.textContent?.replaceAll(',', ''))),
  )
  expect(counts).toEqual([1_311, 61, 0, 28])
  await page.getByText('1,400 recipients with a result').waitFor()
  await results.getByRole('link', { name: 'Rejected' }).click()
  await page.waitForURL(/emails\?status=rejected/)
})

test('causes of bounces are named, and add up to the bounced and rejected recipients', async () => {
  const page = await dashboard.open('/metrics')
  const table = page.getByRole('region', { name: 'Causes' })
  const cellsOf = (name: string) => table.getByRole('row', { name }).getByRole('cell').allTextContents()
  await table.getByRole('row', { name: 'Address does not exist' }).waitFor()
  expect(await cellsOf('Address does not exist')).toEqual(['53.9 %', '48', '0', '0'])
  expect(await cellsOf('Other causes')).toEqual(['46.1 %', '13', '28', '0'])
  await page.getByRole('link', { name: 'Bounced emails' }).click()
  await page.waitForURL(/emails\?status=bounced/)
})

test('each number on Home links to its list', async () => {
  const page = await dashboard.open('/')
  await page.getByRole('link', { name: 'Complaints', exact: true }).click()
  await page.waitForURL(/suppressions\?reason=complaint/)
})

test('the breakdown shows all its rows, without a box that scrolls', async () => {
  for (let index = 1; index <= 20; index++)
    await insertCounts('tag', `kind:tag-${index}`, new Date(Date.now() - DAY_MS), { sent: 10, bounced: 0 })
  const page = await dashboard.open('/metrics?by=tag')
  const table = page.getByRole('region', { name: 'Breakdown' })
  await table.getByRole('row').nth(20).waitFor()
  expect(await table.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0)
})

test('the metrics can be exported as CSV', async () => {
  const page = await dashboard.open('/metrics')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^metrics-\d{4}-\d\d-\d\d\.csv$/)
})

test('no axe violations, and the page fits', { timeout: MANY_PAGES_MS }, async () => {
  const paths = ['/metrics', '/metrics?by=hours', '/metrics?view=table&by=tag']
  const looks = [...WIDE_OR_PHONE, { width: 360, scheme: 'light' as const }]
  expect(await faultsOf(dashboard, paths, looks)).toEqual([])
})
