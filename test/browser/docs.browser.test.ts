import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { API_ROUTES } from '../../src/app/routes.ts'
import { docsRoutes } from '../../src/http/docs/docs-routes.ts'
import { createSiteReader, docsSiteRoutes } from '../../src/http/docs/site.ts'
import { type Api, startApi } from '../support/api.ts'
import { violationsOf } from './support/axe.ts'
import { useBrowser } from './support/browser.ts'
import { inLooks, ofToday } from './support/faults.ts'
import { overflowOf } from './support/fit.ts'

const ROOT = join(import.meta.dirname, '../..')
const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The folder of the built site, in a folder that exists only for it. */
let site: string
let browser: Browser
let api: Api

beforeAll(async () => {
  // Not site/dist, which the journey of the package builds at the same time.
  site = join(mkdtempSync(join(tmpdir(), 'site-')), 'dist')
  await promisify(execFile)(process.execPath, [join(ROOT, 'bin/build-docs.mjs'), site], { cwd: ROOT })
  const readSite = createSiteReader(site)
  api = await startApi({
    routes: [...docsRoutes(API_ROUTES, 'https://api.test'), ...docsSiteRoutes(readSite)],
  })
  browser = await useBrowser()
})
afterAll(async () => {
  await api?.stop()
  rmSync(dirname(site), { recursive: true, force: true })
})

interface Look {
  size: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
}

/** Opens a page. The test fails if it breaks its policy, has an error, or asks another host. */
async function open(path: string, { size, colorScheme = 'light' }: Look): Promise<Page> {
  const context = await browser.newContext({ viewport: size, colorScheme })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(api.url)) problems.push(request.url())
  })
  onTestFinished(async () => {
    await context.close()
    expect(problems).toEqual([])
  })
  await page.goto(`${api.url}/docs/${path}`)
  return page
}

test('the search finds a section by the keyboard, and opens it', async () => {
  const page = await open('', { size: DESKTOP })
  await page.keyboard.press('/')
  await page.keyboard.type('idempot')
  await page.locator('dialog li a').first().waitFor()
  expect(await page.locator('dialog mark').first().textContent()).toMatch(/^idempot/i)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/.+\.html/)
  expect(await page.locator('dialog[open]').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('xyzzyxyzzy')
  await page.getByText('Nothing found').waitFor()
})

test('the theme follows the system until a reader switches it, and then stays', async () => {
  const page = await open('install.html', { size: DESKTOP, colorScheme: 'dark' })
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await ground()).toBe('rgb(19, 20, 23)')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  expect(await ground()).toBe('rgb(255, 255, 255)')
  await page.goto(`${api.url}/docs/guides/sending.html`)
  expect(await ground()).toBe('rgb(255, 255, 255)')
})

test('on a phone, the menu opens over the page and leads to another', async () => {
  const page = await open('install.html', { size: PHONE })
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' })
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.waitForURL(/webhooks\.html$/)
  expect(await page.locator('h1').textContent()).toBe('Webhooks')
})

describe('examples in several languages', () => {
  const shown = (page: Page) =>
    page
      .locator('.example')
      .evaluateAll((all) =>
        all.map((example) =>
          [...example.querySelectorAll<HTMLElement>('[role=tabpanel]')]
            .filter((panel) => panel.checkVisibility())
            .map(
              (panel) => document.getElementById(panel.getAttribute('aria-labelledby') ?? '')?.textContent,
            ),
        ),
      )

  test('all of a page show the selected language, and so do other pages and later visits', async () => {
    const page = await open('guides/sending.html', { size: DESKTOP })
    expect((await shown(page)).slice(0, 2)).toEqual([['Node'], ['curl']])
    const tab = page.getByRole('tab', { name: 'PHP' }).nth(3)
    await tab.scrollIntoViewIfNeeded()
    const before = (await tab.boundingBox())?.y ?? 0
    await tab.click()
    expect(new Set((await shown(page)).flat())).toEqual(new Set(['PHP']))
    expect(Math.abs(((await tab.boundingBox())?.y ?? 0) - before)).toBeLessThan(1)
    await page.goto(`${api.url}/docs/guides/webhooks.html`)
    expect(new Set((await shown(page)).flat())).toEqual(new Set(['PHP']))
  })

  test('arrow keys, Home and End move between the tabs, and Tab moves into the code', async () => {
    const page = await open('guides/contacts.html', { size: PHONE })
    const example = page.locator('.example').first()
    const selected = () => example.getByRole('tab', { selected: true }).textContent()
    await example.getByRole('tab', { name: 'curl' }).focus()
    for (const [key, language] of [
      ['ArrowRight', 'Node'],
      ['End', 'PHP'],
      ['ArrowRight', 'curl'],
      ['ArrowLeft', 'PHP'],
      ['ArrowLeft', 'Python'],
      ['Home', 'curl'],
    ]) {
      await page.keyboard.press(key ?? '')
      expect(await selected()).toBe(language)
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(language)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=tabpanel]')?.id)).toBe(
      'example-0-curl-panel',
    )
  })

  test('every language is visible below its name without scripts', async () => {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${api.url}/docs/guides/contacts.html`)
    const example = page.locator('.example').first()
    expect(await page.getByRole('tab').count()).toBe(0)
    for (const language of ['curl', 'Node', 'Python', 'PHP']) {
      const block = example.locator('.code', { has: page.getByText(language, { exact: true }) })
      expect(await block.locator('pre').isVisible(), language).toBe(true)
      expect(await block.locator('.language').isVisible(), language).toBe(true)
    }
  })
})

test('every page fits on a phone, a quarter of them each day', async () => {
  const page = await open('', { size: PHONE })
  const wide: string[] = []
  for (const path of ofToday(globSync('**/*.html', { cwd: site }).sort(), 4)) {
    await page.goto(`${api.url}/docs/${path}`)
    if ((await overflowOf(page)) > 0) wide.push(path)
  }
  expect(wide).toEqual([])
})

const LOOKS: readonly Look[] = [DESKTOP, PHONE].flatMap((size) => [
  { size, colorScheme: 'light' },
  { size, colorScheme: 'dark' },
])

test.each(inLooks(['', 'guides/sending.html', 'api/emails.html', 'operations.html'], LOOKS))(
  'the page "$page" is accessible: $look.size.width pixels, $look.colorScheme',
  async ({ page, look }) => {
    expect(await violationsOf(await open(page, look))).toEqual([])
  },
)
