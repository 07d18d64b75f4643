import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready, visit } from './support/dashboard.ts'

const dashboard = givenDashboard()
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()
/** More than the browser draws whole, twice over. */
const COUNT = 210

beforeAll(async () => {
  const { sender } = dashboard
  for (let index = 1; index <= COUNT; index++)
    await sender.send({ subject: `Number ${index}`, to: `delivered+${index}@simulator.test` })
  for (const name of ['one', 'two'])
    await sender.send({
      subject: `Scheduled ${name}`,
      to: 'ann@there.test',
      scheduled_at: TOMORROW,
      tags: [{ name: 'plan', value: name }],
    })
})

const rowOf = (page: Page, subject: string) => page.getByRole('row', { name: subject })
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Email' })

describe('the side panel', () => {
  test('a row opens beside the list; the arrow keys go on, Escape returns to the row, and the URL opens it again', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    await rowOf(page, 'Scheduled two').getByRole('link').click()
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: 'Scheduled two' }).waitFor()
    await panel.getByText('ann@there.test').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await panel.getByRole('heading', { name: 'Scheduled one' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    const url = page.url()
    await page.keyboard.press('ArrowUp')
    await panel.getByRole('heading', { name: 'Scheduled two' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.closest("tr").textContent')).toContain('Scheduled two')
    await page.goto(url)
    await panel.getByRole('heading', { name: 'Scheduled one' }).waitFor()
    await panel.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled one' }).waitFor()
  })

  test('on a phone, a row opens the page itself', async () => {
    const page = await dashboard.open('/emails?q=Scheduled', { width: 390 })
    await rowOf(page, 'Scheduled two').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled two' }).waitFor()
  })
})

describe('order and columns', () => {
  test('the time sorts the whole list, oldest first, also across pages', async () => {
    const page = await dashboard.open('/emails')
    await page.getByRole('columnheader', { name: 'Accepted' }).getByRole('button').click()
    const first = page.getByRole('row').nth(1)
    await expect.poll(() => first.textContent()).toMatch(/Number 1(?!\d)/)
    await page.waitForURL(/sort=accepted/)
    const last = rowOf(page, 'Scheduled two')
    const scrollDown = async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      return await last.count()
    }
    await expect.poll(scrollDown, { timeout: 15_000 }).toBe(1)
    // Only the rows near the window are drawn, and the header stays in view.
    expect(await page.getByRole('row').count()).toBeLessThan(100)
    const head = await page.getByRole('columnheader', { name: 'Recipients' }).boundingBox()
    expect(head?.y).toBeGreaterThanOrEqual(0)
    expect(head?.y).toBeLessThan(100)
    expect(head?.height).toBeGreaterThanOrEqual(36)
    expect(head?.height).toBeLessThanOrEqual(40)
  })

  test('chosen columns stay in this browser, and a saved view opens its filters and columns by name or link', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Sender' }).check()
    await page.getByRole('checkbox', { name: 'Subject' }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Sender' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Subject' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Name of the view').fill('Planned')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Copy link to this view' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')

    await page.goto(`/app/${dashboard.sender.id}/emails`)
    await ready(page)
    await page.getByRole('columnheader', { name: 'Sender' }).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Planned', exact: true }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    const other = await dashboard.open(link.slice(dashboard.url.length), { role: 'admin' })
    await other.getByRole('columnheader', { name: 'Sender' }).waitFor()
    expect(await other.getByRole('row').count()).toBe(3)
  })
})

describe('long lists', () => {
  const widthsOf = (page: Page) =>
    page.getByRole('columnheader').evaluateAll((cells) => cells.map((cell) => cell.clientWidth))

  /** Scrolls until the row is drawn, and the first rows are not. */
  async function scrollTo(page: Page, index: number): Promise<void> {
    const row = page.locator(`tbody tr[data-index="${index}"]`)
    const scrollDown = async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      return await row.count()
    }
    await expect.poll(scrollDown).toBe(1)
    expect(await page.locator('tbody tr[data-index="0"]').count()).toBe(0)
  }

  beforeAll(async () => {
    await dashboard.service.db.query(
      `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
       select $1, gen_random_uuid(), 'somebody' || n || '@long.test', false, now(), now()
       from generate_series(1, $2::int) as n`,
      [dashboard.sender.id, COUNT],
    )
  })
  afterAll(() => dashboard.service.db.query('delete from contact where team_id = $1', [dashboard.sender.id]))

  test.each([
    ['emails, with checkboxes', '/emails', 'owner'],
    ['emails, without checkboxes', '/emails', 'viewer'],
    ['contacts', '/contacts', 'owner'],
    ['requests', '/requests', 'owner'],
  ] as const)('columns keep their widths when 200 rows have been scrolled: %s', async (_, path, role) => {
    for (const width of [1440, 390]) {
      const page = await dashboard.open(path, { role, width })
      const before = await widthsOf(page)
      await scrollTo(page, COUNT - 1)
      expect(await widthsOf(page), `${width} pixels`).toEqual(before)
    }
  })
})

describe('several rows at once', () => {
  test('the CSV file has every matching email, not only the loaded ones', async () => {
    const page = await dashboard.open('/emails')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines[0]).toBe('id,created_at,from,to,cc,bcc,subject,status,last_event,tags')
    expect(lines).toHaveLength(COUNT + 3)
    expect(lines[1]).toContain('Scheduled two')
    expect(lines[1]).toContain('plan:two')
  })

  test('chosen emails are canceled together; a viewer cannot choose any', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    await page.getByRole('checkbox', { name: /Choose ann@there.test: Scheduled one/ }).check()
    await page.getByRole('checkbox', { name: 'Choose all loaded rows' }).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Cancel 2' }).click()
    await page.getByRole('button', { name: 'Cancel emails' }).click()
    await page.getByText('2 emails canceled.').waitFor()
    await expect.poll(() => page.getByRole('row', { name: /Canceled/ }).count()).toBe(2)
    await bar.waitFor({ state: 'detached' })
    const viewer = await dashboard.open('/emails', { role: 'viewer' })
    expect(await viewer.getByRole('checkbox').count()).toBe(0)
  })
})

test('emails that could not be sent again stay chosen, and the others are not sent twice', async () => {
  dashboard.allow(/500/)
  const { sender } = dashboard
  await sender.send({ subject: 'Lunch one' })
  const failingId = await sender.send({ subject: 'Lunch two' })
  const page = await dashboard.open('/emails?q=Lunch')
  const requests: { isFailing: boolean; key: string | undefined }[] = []
  await page.route('**/emails/*/resend', (route) => {
    const isFailing = route.request().url().includes(failingId)
    const isFirst = requests.every((each) => !each.isFailing)
    requests.push({ isFailing, key: route.request().headers()['idempotency-key'] })
    return isFailing && isFirst ? route.fulfill({ status: 500, json: { message: 'No.' } }) : route.continue()
  })
  await page.getByRole('checkbox', { name: 'Choose all loaded rows' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const sendAgain = async (count: number) => {
    await bar.getByRole('button', { name: `Send ${count} again` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  }
  await sendAgain(2)
  await bar.getByText('1 selected').waitFor()
  const keys = new Map(requests.map(({ isFailing, key }) => [isFailing, key]))
  expect(keys.get(true)).not.toBe(keys.get(false))
  await sendAgain(1)
  await bar.waitFor({ state: 'detached' })
  // With the same key, as the email may have been sent although no response says so.
  expect(requests.slice(2)).toEqual([{ isFailing: true, key: expect.any(String) }])
  expect(requests[2]?.key).toBe(keys.get(true))
  expect((await sender.get('/emails?search=Lunch')).json.data).toHaveLength(4)
})

describe('the times of rows', () => {
  const timeOf = (page: Page) => rowOf(page, 'Scheduled two').locator('time').last()

  test('relative ones change while the page is open', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    await page.clock.install()
    await page.reload()
    await ready(page)
    expect(await timeOf(page).textContent()).not.toBe('5 hours ago')
    await page.clock.fastForward('05:00:00')
    await expect.poll(() => timeOf(page).textContent()).toBe('5 hours ago')
  })

  test('the focused row shows them in UTC, until Escape or another page', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    const hint = page.getByText(`${await timeOf(page).getAttribute('data-at')} UTC`)
    await page.keyboard.press('j')
    await hint.waitFor()
    await page.keyboard.press('Escape')
    await hint.waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await hint.waitFor()
    await visit(page, `/app/${dashboard.sender.id}/lists`)
    await hint.waitFor({ state: 'detached' })
  })
})

describe('other lists', () => {
  test('contacts are added to a list and deleted together, and one opens beside the list', async () => {
    const { sender } = dashboard
    for (const name of ['ada', 'ben']) await sender.post('/contacts', { email: `${name}@people.test` })
    await sender.post('/lists', { name: 'Friends' })
    const page = await dashboard.open('/contacts')
    await page.getByRole('row', { name: /ada@/ }).getByRole('link').click()
    await page.getByRole('complementary', { name: 'Contact' }).getByText('ada@people.test').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Choose all loaded rows' }).check()
    await page.getByRole('button', { name: 'Add to list' }).click()
    await page.getByRole('menuitem', { name: 'Friends' }).click()
    await page.getByText('2 contacts added.').waitFor()
    await expect.poll(() => page.getByRole('row', { name: /Friends/ }).count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Choose ada@people.test' }).check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByRole('button', { name: 'Delete contacts' }).click()
    await page.getByText('1 contact deleted.').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  })

  test('changes stop at the rate limit, and the rows that are left stay chosen', async () => {
    for (let no = 0; no < 20; no++)
      await dashboard.sender.post('/contacts', { email: `limit${no}@limit.test` })
    const page = await dashboard.open('/contacts?q=limit')
    let count = 0
    const json = { statusCode: 429, name: 'rate_limit_exceeded', message: 'Rate limit exceeded.' }
    await page.route(/\/contacts\/[0-9a-f-]+$/, (route) =>
      ++count > 3 ? route.fulfill({ status: 429, json }) : route.continue(),
    )
    await page.getByRole('checkbox', { name: 'Choose all loaded rows' }).check()
    await page.getByRole('button', { name: 'Delete 20' }).click()
    await page.getByRole('button', { name: 'Delete contacts' }).click()
    await page.getByText('3 contacts deleted.').waitFor()
    await page.getByText('17 left unchanged: Rate limit exceeded. Try them again later.').waitFor()
    // Of each lane at most the request that was under way.
    expect(count).toBeLessThanOrEqual(3 + 4)
    await page.getByRole('button', { name: 'Delete 17' }).waitFor()
  })

  test('a list that is loaded whole is sorted by its columns, in both directions', async () => {
    for (const name of ['Zoo', 'Alpha']) await dashboard.sender.post('/lists', { name })
    const page = await dashboard.open('/lists')
    const header = page.getByRole('columnheader', { name: 'Name' })
    await header.getByRole('button').click()
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Alpha')
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    await header.getByRole('button').click()
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Zoo')
  })
})

describe('a list that cannot be read', () => {
  const failingOf = async (page: Page, url: RegExp) => {
    const failing = { isOn: true }
    const json = { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many requests.' }
    await page.route(url, (route) => (failing.isOn ? route.fulfill({ status: 429, json }) : route.continue()))
    return failing
  }
  const alertIn = (page: Page) => page.getByRole('alert').filter({ hasText: 'Too many requests.' })
  const retry = (page: Page) => alertIn(page).getByRole('button', { name: 'Try again' }).click()

  test('says at its end that further rows could not be read, and reads them on request', async () => {
    const page = await dashboard.open('/emails')
    const failing = await failingOf(page, /\/emails\?.*after=/)
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await alertIn(page).waitFor()
    expect(await violationsOf(page)).toEqual([])
    failing.isOn = false
    await retry(page)
    await alertIn(page).waitFor({ state: 'detached' })
    await page.locator('tbody tr[data-index="60"]').waitFor({ state: 'attached' })
  })

  test('is not requested again and again while a row near the end of its rows is open', async () => {
    const { json } = await dashboard.sender.get('/emails?limit=50')
    const page = await dashboard.open('/emails')
    await failingOf(page, /\/emails\?.*after=/)
    let count = 0
    page.on('request', (request) => {
      if (/\/emails\?.*after=/.test(request.url())) count++
    })
    await visit(page, `/app/${dashboard.sender.id}/emails?row=${json.data[44].id}`)
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: json.data[44].subject }).waitFor()
    await alertIn(page).waitFor({ state: 'attached' })
    for (const { subject } of json.data.slice(45, 48)) {
      await page.keyboard.press('ArrowDown')
      await panel.getByRole('heading', { name: subject }).waitFor()
    }
    expect(count).toBe(1)
  })

  test('says that its rows are out of date, and keeps them', async () => {
    const page = await dashboard.open('/emails?q=Scheduled')
    const failing = await failingOf(page, /\/emails\?/)
    await dashboard.sender.send({ subject: 'Not seen' })
    await alertIn(page).waitFor()
    expect(await rowOf(page, 'Scheduled two').count()).toBe(1)
    failing.isOn = false
    await retry(page)
    await alertIn(page).waitFor({ state: 'detached' })
  })
})
