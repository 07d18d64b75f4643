import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready, visit } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS } from './support/faults.ts'
import { NASTY } from './support/nasty.ts'
import { type AudienceSample, fillAudience } from './support/sample-audience.ts'

const dashboard = givenDashboard()
let sample: AudienceSample
beforeAll(async () => {
  sample = await fillAudience(dashboard)
})

const pathOf = (page: Page) => new URL(page.url()).pathname.replace(`/app/${dashboard.sender.id}`, '')
const get = async (path: string) => (await dashboard.sender.get(path)).json
const reading = (path: string, name: string) => expect.poll(async () => (await get(path))[name])

describe('a contact', () => {
  test('is added, with errors next to the fields, then edited', async () => {
    const page = await dashboard.open('/contacts?new=true')
    const form = page.getByRole('dialog', { name: 'Add contact' })
    await form.getByLabel('Address').fill('new@people.example')
    await form.getByLabel('First name').fill('Nora')
    await form.getByLabel('seats').fill('many')
    await form.getByRole('combobox', { name: 'Lists' }).click()
    await page.getByRole('option', { name: 'Newsletter' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Add contact' }).click()
    await form.getByText('field must be a number').waitFor()
    await form.getByLabel('seats').fill('7')
    await form.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('heading', { name: 'new@people.example' }).waitFor()
    expect(await get('/contacts/new@people.example')).toMatchObject({
      first_name: 'Nora',
      properties: { SEATS: 7 },
      lists: [{ name: 'Newsletter' }],
    })

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit contact' })
    await edit.getByLabel('seats').fill('')
    await edit.getByLabel('renews_at').fill('2027-03-01')
    await edit.getByLabel('Last name').fill('Quist')
    await edit.getByRole('combobox', { name: 'Time zone' }).fill('tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Nora Quist').waitFor()
    await page.getByText('Asia/Tokyo', { exact: true }).waitFor()
    expect(await get('/contacts/new@people.example')).toMatchObject({
      last_name: 'Quist',
      time_zone: 'Asia/Tokyo',
      properties: { RENEWS_AT: '2027-03-01 00:00:00' },
    })
  })

  test('an existing contact stays in its other lists', async () => {
    const email = 'delivered+bruno@simulator.test'
    const page = await dashboard.open('/contacts?new=true')
    const form = page.getByRole('dialog')
    await form.getByLabel('Address').fill(email)
    await form.getByRole('combobox', { name: 'Lists' }).click()
    await page.getByRole('option', { name: 'Beta testers' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('heading', { name: email }).waitFor()
    const { lists, first_name } = await get(`/contacts/${email}`)
    expect(first_name).toBe('Bruno')
    expect(lists.map(({ name }: { name: string }) => name).sort()).toEqual(['Beta testers', 'Newsletter'])
  })

  test('is removed from a list and restored by undo; unsubscribed; removed from the suppressions', async () => {
    const path = `/contacts/${sample.contactId}`
    const page = await dashboard.open(path)
    await page.getByRole('button', { name: 'Remove from Newsletter' }).click()
    await page.getByText('Removed from “Newsletter”.').waitFor()
    await expect.poll(async () => (await get(path)).lists.length).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await get(path)).lists.length).toBe(3)
    await page.getByRole('button', { name: 'Remove from Newsletter' }).waitFor()

    await page.getByRole('switch', { name: 'Subscribed' }).click()
    await reading(path, 'unsubscribed').toBe(true)
    await page.getByText('Unsubscribed', { exact: true }).waitFor()

    await page.getByText('The address is suppressed').waitFor()
    await page.getByRole('button', { name: 'Remove suppression' }).click()
    await page.getByText('The address is not suppressed.').waitFor()
    await page.getByRole('button', { name: 'Suppress address' }).click()
    await page.getByText('The address is suppressed').waitFor()

    await page.getByRole('link', { name: 'Welcome to Harbour Coffee' }).click()
    await page.getByRole('heading', { name: 'Welcome to Harbour Coffee' }).waitFor()
  })

  test('all data of the person is exported as a file', async () => {
    const page = await dashboard.open(`/contacts/${sample.contactId}`)
    await page.getByRole('button', { name: 'More' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export all data' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('person.json')
  })

  test('is deleted after confirmation', async () => {
    const { json } = await dashboard.sender.post('/contacts', { email: 'short@people.example' })
    const page = await dashboard.open(`/contacts/${json.id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete contact' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
    await expect.poll(() => pathOf(page)).toBe('/contacts')
    expect((await dashboard.sender.get(`/contacts/${json.id}`)).status).toBe(404)
  })

  test('is erased only after typing the address, until the erasure is complete', async () => {
    const email = 'forget@people.example'
    const { json } = await dashboard.sender.post('/contacts', { email })
    const page = await dashboard.open(`/contacts/${json.id}?erase=true`)
    const dialog = page.getByRole('dialog')
    const erase = dialog.getByRole('button', { name: 'Erase person' })
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('other@people.example')
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(email)
    await erase.click()
    await page.getByText('All data of the person is erased.').waitFor()
    expect(pathOf(page)).toMatch(/^\/erasures\//)
    expect(await violationsOf(page)).toEqual([])
    expect((await dashboard.sender.get(`/contacts/${email}`)).status).toBe(404)
  })
})

describe('the contacts', () => {
  test('are filtered by prefix, list and subscription; the URL contains the filter', async () => {
    const page = await dashboard.open('/contacts')
    await page.getByLabel('Address or name begins with').fill('gret')
    await page.getByRole('link', { name: /greta/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(page.url()).toContain('q=gret')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('combobox', { name: 'Subscription' }).click()
    await page.getByRole('option', { name: 'Unsubscribed' }).click()
    await page.getByRole('link', { name: /eve@/ }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export matches' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^contacts-.*\.csv$/)
  })

  test('a contact is removed from a list, and restored by undo', async () => {
    const page = await dashboard.open(`/lists/${sample.listId}`)
    const before = (await get(`/lists/${sample.listId}`)).contact_count
    await page.getByRole('button', { name: /^Remove delivered\+chloe@/ }).click()
    await reading(`/lists/${sample.listId}`, 'contact_count').toBe(before - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await reading(`/lists/${sample.listId}`, 'contact_count').toBe(before)
  })

  test('suppressions are added and removed in bulk, and restored by undo', async () => {
    const page = await dashboard.open('/suppressions?new=true')
    const form = page.getByRole('dialog')
    await form.getByLabel('Addresses').fill('a@bulk.example\nb@bulk.example; nobody')
    await form.getByRole('button', { name: 'Suppress addresses' }).click()
    await form.getByText('nobody:').waitFor()
    await form.getByLabel('Addresses').fill('a@bulk.example\nb@bulk.example; c@bulk.example')
    await form.getByRole('button', { name: 'Suppress addresses' }).click()
    await form.waitFor({ state: 'detached' })
    const isThere = async (email: string) =>
      (await dashboard.sender.get(`/suppressions/${email}`)).status === 200
    await dashboard.sender.put('/suppressions/b@bulk.example', { reason: 'bounce' })
    // No event tells the page of a changed reason.
    await page.reload()
    await page.getByRole('row', { name: /b@bulk.example Bounced/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Choose a@bulk.example' }).check()
    await page.getByRole('checkbox', { name: 'Choose b@bulk.example' }).check()
    await page.getByRole('button', { name: 'Remove 2' }).click()
    await expect.poll(() => isThere('a@bulk.example')).toBe(false)
    expect(await isThere('c@bulk.example')).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => isThere('b@bulk.example')).toBe(true)
    await reading('/suppressions/b@bulk.example', 'reason').toBe('bounce')
  })

  test('more suppressions than one request may name are removed in parts', async () => {
    const page = await dashboard.open('/suppressions')
    const row = { object: 'suppression', reason: 'manual', source_email_id: null }
    const created_at = '2026-03-01 09:00:00'
    const data = Array.from({ length: 1_200 }, (_, no) => ({
      ...row,
      id: `0198c0de-0000-7000-8000-${String(no).padStart(12, '0')}`,
      email: `no${no}@parts.example`,
      created_at,
      origin: 'api',
    }))
    const counts: number[] = []
    await page.route(/\/suppressions\?/, (route) =>
      route.fulfill({ json: { object: 'list', data, has_more: false } }),
    )
    await page.route(/\/suppressions\/batch\//, (route) => {
      counts.push(route.request().postDataJSON().emails.length)
      return route.fulfill({ json: { object: 'list', data: [] } })
    })
    await page.reload()
    await page.getByRole('checkbox', { name: 'Choose all loaded rows' }).check()
    await page.getByRole('button', { name: /^Remove 1,?200$/ }).click()
    await page.getByText('1200 suppressions removed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => counts).toEqual([1_000, 200, 1_000, 200])
  })

  test('a suppression is found whatever the order of the list', async () => {
    for (const email of ['sought@order.example', 'other@order.example'])
      await dashboard.sender.post('/suppressions', { email })
    const page = await dashboard.open('/suppressions')
    await page.getByRole('button', { name: /^Since/ }).click()
    await page.waitForURL(/sort=/)
    const other = page.getByRole('row', { name: /other@order.example/ })
    await other.waitFor()
    await page.getByLabel('Address', { exact: true }).fill('sought@')
    // The rows of the whole list stay until the answer is there.
    await other.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /sought@order.example/ }).waitFor()
  })
})

test('a viewer can read; a member can edit, but not erase', async () => {
  const path = `/contacts/${sample.contactId}`
  const seen = await dashboard.open(path, { role: 'viewer' })
  expect(await seen.getByRole('button', { name: 'Edit' }).count()).toBe(0)
  expect(await seen.getByRole('switch').count()).toBe(0)
  expect(await seen.getByRole('button', { name: /^(Remove|Suppress)/ }).count()).toBe(0)
  await seen.goto(`/app/${dashboard.sender.id}/contacts`)
  await ready(seen)
  expect(await seen.getByRole('button', { name: 'Add contact' }).count()).toBe(0)
  expect(await seen.getByRole('link', { name: 'Import' }).count()).toBe(0)

  const page = await dashboard.open(`${path}?erase=true`, { role: 'member' })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete contact' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Erase/ }).count()).toBe(0)
})

test('third-party content is shown as text', async () => {
  const list = (await dashboard.sender.post('/lists', { name: NASTY })).json
  await dashboard.sender.post('/properties', { key: 'nasty', type: 'string', fallback_value: NASTY })
  const { json } = await dashboard.sender.post('/contacts', {
    email: 'nasty@people.example',
    first_name: NASTY,
    last_name: NASTY,
    user_id: NASTY,
    list_ids: [list.id],
    properties: { nasty: NASTY, plan: NASTY },
  })
  await dashboard.sender.post('/unsubscriptions', {
    email: 'nasty@people.example',
    topic: NASTY.slice(0, 100),
  })
  const page = await dashboard.open('/imports/contacts')
  for (const path of [
    '/contacts',
    `/contacts/${json.id}`,
    `/contacts/${json.id}?edit=true`,
    '/properties',
    '/lists',
    `/lists/${list.id}`,
  ]) {
    await visit(page, `/app/${dashboard.sender.id}${path}`)
    // The content is shown as text.
    expect(await page.content(), path).toContain('&lt;img src=https://evil.test')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.locator('img[src*="evil"]').count()).toBe(0)
  }
})

describe('accessibility', () => {
  test('no axe violations, and every page fits on a phone', { timeout: MANY_PAGES_MS }, async () => {
    const contact = `/contacts/${sample.contactId}`
    const paths = [
      ...['/contacts', '/contacts?new=true', contact, `${contact}?edit=true`, `${contact}?erase=true`],
      ...['/lists', `/lists/${sample.listId}`, '/properties', '/suppressions'],
    ]
    expect(await faultsOf(dashboard, paths, [{ width: 390, scheme: 'dark' }])).toEqual([])
  })

  test('the keyboard alone opens a contact and edits it', async () => {
    const page = await dashboard.open('/contacts?q=ann')
    await page.getByRole('link', { name: /delivered\+ann/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open page' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'delivered+ann@simulator.test' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).focus()
    await page.keyboard.press('Enter')
    // The dialog takes the focus after it appears.
    await page.getByRole('dialog').locator(':focus').waitFor()
    await page.getByRole('dialog').getByLabel('First name').focus()
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await get('/contacts/delivered+ann@simulator.test')).first_name).toBe('Anna')
  })
})
