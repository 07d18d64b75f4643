import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'

const dashboard = givenDashboard()
let emailId: string

beforeAll(async () => {
  const { sender } = dashboard
  emailId = await sender.send({ subject: 'Zebra order', to: 'delivered+zeta@simulator.test' })
  await sender.post('/contacts', { email: 'zeta@people.test', first_name: 'Zeta' })
  await sender.post('/templates', {
    name: 'Zeta welcome',
    subject: 'Hi',
    html: '<p>Hi</p>',
    from: `Zeta <z@${sender.domain}>`,
  })
})

test('the palette finds emails, contacts and templates as one types, by keys alone, and aborts what is out of date', async () => {
  const page = await dashboard.open('/emails')
  const searched: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/emails' && searchParams.has('search')) searched.push(searchParams.get('search') ?? '')
  })
  await page.keyboard.press('Control+k')
  const field = page.getByRole('textbox', { name: 'Search pages, emails, contacts and more' })
  await field.evaluate(typeWithin, 'zeta')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /zeta@people.test/ }).waitFor()
  await dialog.getByRole('button', { name: /Zeta welcome/ }).waitFor()
  // One search for the word, none for its letters.
  expect(searched).toEqual(['zeta'])
  expect(await violationsOf(page)).toEqual([])
  await field.fill('delivered+zeta@')
  await dialog.getByRole('button', { name: /Zebra order/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('status').filter({ hasText: 'Zebra order' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await page.waitForURL(`${dashboard.url}/app/${dashboard.sender.id}/emails/${emailId}`)
})

test('the palette finds domains and places, and shows the keys of the system', async () => {
  const page = await dashboard.open('/emails')
  expect(await page.getByRole('button', { name: /^Search/ }).textContent()).toContain('Ctrl K')
  await page.keyboard.press('/')
  await page.getByLabel('Search pages, emails').fill(dashboard.sender.domain.slice(0, 5))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(dashboard.sender.domain) })
    .waitFor()
  await page.getByLabel('Search pages, emails').fill('audit')
  await page.getByRole('dialog').getByRole('button', { name: 'Audit log' }).waitFor()
  await page.addInitScript("Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })")
  await page.reload()
  await expect.poll(() => page.getByRole('button', { name: /^Search/ }).textContent()).toContain('⌘K')
})

/**
 * Types a word within the page, with little time between the letters: on a busy machine, keys from outside take longer than the
 * pause after which a search starts.
 */
async function typeWithin(field: HTMLElement, word: string): Promise<void> {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (let length = 1; length <= word.length; length++) {
    setValue?.call(field, word.slice(0, length))
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
