import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, visit } from './support/dashboard.ts'
import { ofToday } from './support/faults.ts'
import { overflowOf } from './support/fit.ts'
import { PAGES } from './support/pages.ts'
import { fillTemplates, type TemplateSample } from './support/sample-templates.ts'

const dashboard = givenDashboard({ SENDWRIGHT_DELIVERY: 'capture' })
let sample: TemplateSample
beforeAll(async () => {
  sample = await fillTemplates(dashboard)
})

const inTeam = (path: string) => `/app/${dashboard.sender.id}${path}`
const sidebarOf = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true })

describe('the sidebar', () => {
  test('has the places of the team, with the pages of a place as its tabs', async () => {
    const page = await dashboard.open('/contacts')
    const places = sidebarOf(page).getByRole('listitem')
    expect(await places.allTextContents()).toEqual([
      ...[
        'Home',
        'Emails',
        'Metrics',
        'Mailbox',
        'Templates',
        'Audience',
        'Campaigns',
        'Automations',
        'Domains',
        'Developers',
        'Settings',
      ],
    ])
    const tabs = page.getByRole('navigation', { name: 'Audience' })
    await tabs.getByRole('link', { name: 'Segments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor()
    await sidebarOf(page).getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  })

  test('opens the first tab that a viewer may see', async () => {
    const page = await dashboard.open('/emails', { role: 'viewer' })
    await sidebarOf(page).getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('heading', { level: 1, name: 'SMTP' }).waitFor()
    const tabs = page.getByRole('navigation', { name: 'Developers' })
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['SMTP', 'Webhooks'])
  })

  test('has a switch to the installation for operators', async () => {
    const page = await dashboard.open('/emails', { isOperator: true })
    await page.getByRole('link', { name: 'System' }).click()
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
    await sidebarOf(page).getByRole('link', { name: 'Queue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
    expect(await sidebarOf(page).getByRole('link', { name: 'Emails' }).count()).toBe(0)
    await page.getByRole('link', { name: /^Back to / }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })

  test('marks one link of each page as the current page', async () => {
    const page = await dashboard.open('/')
    const paths = [
      ...['', '/emails', '/lists', '/senders', '/settings', '/captured'],
      ...[`/templates?folder=${sample.folderId}`, `/templates/${sample.templateId}/versions`],
    ]
    for (const path of paths) {
      await visit(page, inTeam(path))
      expect(await page.locator('[aria-current="page"]').count(), path).toBeLessThanOrEqual(1)
      expect(await sidebarOf(page).locator('[aria-current]').count(), path).toBe(1)
    }
  })

  test('on a phone, opens over the page and closes with the next one', async () => {
    const page = await dashboard.open('/emails', { width: 390 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    expect(await violationsOf(page)).toEqual([])
    await sidebarOf(page).getByRole('link', { name: 'Audience' }).click()
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Menu', exact: true }).getAttribute('aria-expanded'))
      .toBe('false')
    expect(await overflowOf(page)).toBe(0)
  })
})

test('every page fits the narrowest phones in use, half of them each day', async () => {
  const page = await dashboard.open('/', { width: 360, isOperator: true })
  const paths = PAGES.flatMap(({ path, look }) =>
    typeof path === 'string' && look?.role === undefined ? [path] : [],
  )
  const tooWide: Record<string, number> = {}
  for (const path of ofToday(paths, 2)) {
    await visit(page, path.startsWith('/app') ? path : inTeam(path))
    const overflow = await overflowOf(page)
    if (overflow > 0) tooWide[path] = overflow
  }
  expect(tooWide).toEqual({})
}, 180_000)

describe('in capture mode', () => {
  test('every page says that nothing leaves this machine', async () => {
    const page = await dashboard.open('/domains')
    const strip = page.getByRole('complementary', { name: 'Capture mode' })
    await strip.getByText('Capture mode: nothing leaves this machine').waitFor()
    await strip.getByRole('link', { name: 'Open mailbox' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mailbox' }).waitFor()
    await strip.waitFor()
  })

  test('an email is called captured, not delivered', async () => {
    const id = await dashboard.sender.send({ to: 'ann@there.test', subject: 'Never sent' })
    await dashboard.sender.settled(id)
    const page = await dashboard.open('/emails')
    const row = page.getByRole('row', { name: /Never sent/ })
    await row.getByText('Captured', { exact: true }).waitFor()
    await row.getByRole('link').click()
    await page.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Never sent' }).waitFor()
    await page.getByText('Captured, not sent: this server is in capture mode.').waitFor()
    expect(await page.getByText('Delivered', { exact: true }).count()).toBe(0)
  })
})

test('Home works if the locale of the browser is not a valid language tag', async () => {
  const context = await dashboard.context()
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })
    Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['en-US@posix'] })
  })
  const token = await (await dashboard.person('owner')).logIn()
  await context.addCookies([{ name: 'sendwright_session', value: token, url: dashboard.url }])
  const page = await context.newPage()
  await page.goto(inTeam(''))
  await page
    .getByRole('figure', { name: /^Bar chart/ })
    .locator('svg')
    .waitFor()
})

test('an error in one part of a page does not hide the other parts', async () => {
  dashboard.allow(/./)
  await dashboard.sender.send({ to: 'ann@there.test' })
  const page = await dashboard.open('/emails')
  await page.route('**/emails/metrics*', (route) => route.fulfill({ json: { series: [], interval: 'day' } }))
  await page.goto(inTeam(''))
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('heading', { name: 'Quota' }).waitFor()
})

describe('keyboard shortcuts', () => {
  test('`g` and a letter open a place, `j` and `k` move in a list, `?` lists them', async () => {
    const page = await dashboard.open('/')
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
    const rows = page.getByRole('table', { name: 'Emails' }).getByRole('link')
    await rows.first().waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => rows.first().evaluate((row) => row === document.activeElement)).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Audience').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('belong to the field that has the focus', async () => {
    const page = await dashboard.open('/emails')
    await page.getByLabel('Search emails').pressSequentially('gt?')
    expect(await page.getByLabel('Search emails').inputValue()).toBe('gt?')
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

test('in forced colours, what is chosen differs from the rest', async () => {
  const page = await dashboard.open('/')
  await page.emulateMedia({ forcedColors: 'active' })
  const groundOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await groundOf('.place[aria-current]')).not.toBe(await groundOf('.place:not([aria-current])'))
  const segment = '.mantine-SegmentedControl-label'
  expect(await groundOf(`${segment}[data-active]`)).not.toBe(await groundOf(`${segment}:not([data-active])`))
})

test('a comparison names both versions, with the older one on the left', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}/versions?version=1&against=3`)
  await page.locator('.cm-merge-b').waitFor()
  expect(await page.locator('.diff-heads > span').allTextContents()).toEqual(['Version 1', 'Version 3'])
  await page.locator('.cm-merge-b .cm-changedText').first().waitFor()
})

test('a viewer sees values, not fields that look editable', async () => {
  const page = await dashboard.open('/settings', { role: 'viewer' })
  await page.getByText('Content of emails').waitFor()
  // Which alerts a viewer receives is the viewer's own choice.
  await page.getByRole('heading', { name: 'Alert emails' }).waitFor()
  const own = page.locator('section', { hasText: 'Alert emails' }).locator('input')
  expect(await page.locator('#main input').count()).toBe(await own.count())
})
