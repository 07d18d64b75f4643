import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, visit } from './support/dashboard.ts'
import { fillAudience } from './support/sample-audience.ts'

const dashboard = givenDashboard()
beforeAll(() => fillAudience(dashboard))

const get = async (path: string) => (await dashboard.sender.get(path)).json

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Adds to a choice of several, which stays open until it is left. */
async function add(page: Page, label: string, option: string): Promise<void> {
  await pick(page, label, option)
  await page.keyboard.press('Escape')
}

test('the form names several lists and segments, counts who gets it, and keeps what the form does not change', async () => {
  const give = async (name: string) => (await dashboard.sender.post('/lists', { name })).json.id as string
  const [choir, band, away, gone] = await Promise.all(['Choir', 'Band', 'Away', 'Gone'].map(give))
  const lists = { ada: [choir], bea: [choir, band], cai: [band, away] }
  for (const [user, list_ids] of Object.entries(lists))
    await dashboard.sender.post('/contacts', { email: `${user}@audience.test`, list_ids })
  const audience = { include: [{ list_id: choir }, { list_id: gone }], exclude: [] }
  const { json } = await dashboard.sender.post('/campaigns', { name: 'Concert', audience })
  const page = await dashboard.open(`/campaigns/${json.id}`)
  const count = page.getByRole('status').filter({ hasText: 'it' })
  await count.getByText('2 contacts get it').waitFor()
  await add(page, 'Send to', 'Band')
  await count.getByText('3 contacts get it').waitFor()
  await page.getByRole('link', { name: 'cai@audience.test' }).waitFor()
  await add(page, 'Except', 'Away')
  await count.getByText('2 contacts get it').waitFor()
  await page.getByRole('link', { name: 'cai@audience.test' }).waitFor({ state: 'detached' })
  // A list on one side is not offered on the other.
  await page.getByRole('combobox', { name: 'Except' }).click()
  await page.getByRole('option', { name: 'Product news' }).waitFor()
  expect(await page.getByRole('option', { name: 'Choir' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign saved.').waitFor()
  const path = `/campaigns/${json.id}`
  const include = [{ list_id: choir }, { list_id: gone }, { list_id: band }]
  expect((await get(path)).audience).toEqual({ include, exclude: [{ list_id: away }] })
  expect(await violationsOf(page)).toEqual([])

  // What others deleted meanwhile is refused in its place, and in the way of no other change.
  await dashboard.sender.delete(`/lists/${gone}`)
  await add(page, 'Send to', 'Pro customers of this year')
  await page.getByText('audience.include.1').first().waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByText('audience.include.1').count()).toBe(2)
  await page.reload()
  await page.getByLabel('Name').fill('Concert in May')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Concert in May' }).waitFor()
})

test('the form leads a team without lists and segments to make one', async () => {
  const team = await dashboard.service.givenTeam({ name: 'Beginners' })
  const page = await dashboard.open('/campaigns?new=true', { teamId: team.id })
  await page.getByRole('dialog').getByLabel('Name').fill('First')
  await page.keyboard.press('Enter')
  await page.getByText('Your team has no lists or segments yet.').waitFor()
})

test('unsaved edits of a campaign, or of its pace, are not lost without a question', async () => {
  const { json } = await dashboard.sender.post('/campaigns', { name: 'Unsaved' })
  const path = `/campaigns/${json.id}`
  const page = await dashboard.open(path)
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  const leave = () => page.getByRole('link', { name: 'Emails', exact: true }).click()
  const emails = page.getByRole('heading', { level: 1, name: 'Emails' })
  await page.getByLabel('Name').fill('Kept')
  await leave()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Name').inputValue()).toBe('Kept')
  await leave()
  await dialog.getByRole('button', { name: 'Save and leave' }).click()
  await emails.waitFor()
  expect((await get(path)).name).toBe('Kept')

  await visit(page, `/app/${dashboard.sender.id}${path}`)
  const rate = page.getByLabel('Emails per hour, at most')
  await rate.fill('0')
  await rate.press('Enter')
  await page.locator('.mantine-NumberInput-error', { hasText: 'rate_per_hour' }).waitFor()
  await rate.fill('500')
  await leave()
  await dialog.getByText('This campaign’s pace has unsaved changes.').waitFor()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Change pace' }).click()
  await page.getByText('Pace changed.').waitFor()
  await leave()
  await emails.waitFor()
  expect((await get(path)).rate_per_hour).toBe(500)

  // With both unsaved, one answer is enough.
  await visit(page, `/app/${dashboard.sender.id}${path}`)
  await page.getByLabel('Name').fill('Kept with its pace')
  await rate.fill('600')
  await leave()
  await dialog.getByText('This campaign has unsaved changes.').waitFor()
  await dialog.getByRole('button', { name: 'Save and leave' }).click()
  await emails.waitFor()
  expect(await get(path)).toMatchObject({ name: 'Kept with its pace', rate_per_hour: 600 })
})

test('saving the form or the pace reverts nothing that somebody else saved meanwhile', async () => {
  const give = async (name: string) => (await dashboard.sender.post('/lists', { name })).json.id as string
  const [wrong, right] = await Promise.all(['Wrong people', 'Right people'].map(give))
  const given = { audience: { include: [{ list_id: wrong }], exclude: [] }, html: '<p>Old words</p>' }
  const { json } = await dashboard.sender.post('/campaigns', { name: 'Of two people', ...given })
  const path = `/campaigns/${json.id}`
  const page = await dashboard.open(path)
  await page.getByText('Wrong people').first().waitFor()
  const theirs = {
    audience: { include: [{ list_id: right }], exclude: [{ list_id: wrong }] },
    html: '<p>New words</p>',
    preview_text: 'Theirs',
    send_window: { from: '10:00', to: '11:00', time_zone: 'UTC' },
  }
  await dashboard.sender.patch(path, theirs)
  const refetched = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === path && answer.request().method() === 'GET',
  )
  await page.getByLabel('Emails per hour, at most').fill('500')
  await page.getByRole('button', { name: 'Change pace' }).click()
  await page.getByText('Pace changed.').waitFor()
  // The page now has the campaign as the other person saved it, and the form what it began with.
  expect(await (await refetched).json()).toMatchObject({ html: theirs.html })
  await page.getByLabel('Name').fill('Of both')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Of both' }).waitFor()
  expect(await get(path)).toMatchObject({ ...theirs, name: 'Of both', rate_per_hour: 500 })
  // The form begins anew with what is saved.
  expect(await page.getByRole('textbox', { name: 'HTML' }).inputValue()).toBe(theirs.html)
  // Without any change it saves nothing.
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign saved.').nth(1).waitFor()
  expect(await get(path)).toMatchObject({ ...theirs, name: 'Of both', rate_per_hour: 500 })
})

test('unsaved edits stay when the status changes', async () => {
  const { sender } = dashboard
  const at = new Date(Date.now() + 86_400_000).toISOString()
  const [first] = (await get('/senders')).data
  const { json: list } = await sender.post('/lists', { name: 'Of a changing status' })
  for (const user of ['stay1', 'stay2'])
    await sender.post('/contacts', { email: `delivered+${user}@simulator.test`, list_ids: [list.id] })
  const content = { sender_id: first.id, list_id: list.id, subject: 'Hello', html: '<p>Old</p>' }
  const { json } = await sender.post('/campaigns', { name: 'Changing', rate_per_hour: 1, ...content })
  const path = `/campaigns/${json.id}`
  const page = await dashboard.open(path)
  const html = page.getByRole('textbox', { name: 'HTML' })
  await html.fill('<p>Unsaved</p>')
  const { status } = await sender.patch(path, { status: 'scheduled', scheduled_at: at })
  expect(status).toBe(200)
  await page.getByLabel('Emails per hour, at most').fill('2')
  await page.getByRole('button', { name: 'Change pace' }).click()
  await page.getByText('Scheduled', { exact: true }).waitFor()
  expect(await html.inputValue()).toBe('<p>Unsaved</p>')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Campaign saved.').waitFor()
  expect((await get(path)).html).toBe('<p>Unsaved</p>')

  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Sending', { exact: true }).waitFor()
  const rate = page.getByLabel('Emails per hour, at most')
  await rate.fill('3')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Paused', { exact: true }).first().waitFor()
  expect(await rate.inputValue()).toBe('3')
  await page.getByRole('button', { name: 'Change pace' }).click()
  await expect.poll(async () => (await get(path)).rate_per_hour).toBe(3)
})

test('edits that were not saved when the campaign begins to be sent stay as long as they can be saved', async () => {
  const { sender } = dashboard
  const [first] = (await get('/senders')).data
  const { json: list } = await sender.post('/lists', { name: 'Of a beginning' })
  for (const user of ['begin1', 'begin2'])
    await sender.post('/contacts', { email: `delivered+${user}@simulator.test`, list_ids: [list.id] })
  const content = { sender_id: first.id, list_id: list.id, subject: 'Hello', html: '<p>Hello</p>' }
  const { json } = await sender.post('/campaigns', { name: 'Begins', rate_per_hour: 1, ...content })
  const path = `/campaigns/${json.id}`
  const page = await dashboard.open(path)
  const from = page.getByLabel('From', { exact: true })
  const clock = page.getByLabel('By the clock of each contact')
  const change = page.getByRole('button', { name: 'Change pace' })
  const note = page.getByRole('alert').filter({ hasText: 'The new hours are not saved' })
  await page.getByLabel('Subject').fill('Too late')
  await page.getByLabel('Send only at certain hours').check()
  await clock.check()
  await from.fill('10:00')
  const { status } = await sender.patch(path, { status: 'sending' })
  expect(status).toBe(200)
  await page.getByText('Your unsaved changes were discarded').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Hello')
  await note.waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await change.isDisabled()).toBe(true)
  await page.getByLabel('Emails per hour, at most').fill('2')
  await change.click()
  await page.getByText('Pace changed.').waitFor()
  expect(await get(path)).toMatchObject({ rate_per_hour: 2, send_window: null })
  expect(await from.inputValue()).toBe('10:00')
  await page.getByRole('link', { name: 'Emails', exact: true }).click()
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await page.getByText('Your changes could not be saved. The form shows why.').waitFor()
  expect(await from.inputValue()).toBe('10:00')

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await note.waitFor({ state: 'detached' })
  await clock.uncheck()
  await change.click()
  await expect.poll(async () => (await get(path)).send_window).toMatchObject({ from: '10:00' })
})

test('a campaign is previewed as a contact, whom one finds by address', async () => {
  const contact = async (email: string, values: object = {}) =>
    (await dashboard.sender.post('/contacts', { email, ...values })).json.id as string
  const dora = await contact('dora@preview.test', { first_name: 'Dora' })
  await contact('emil@preview.test')
  const content = { subject: 'For {{{FIRST_NAME}}}', html: '<p>Dear <b>{{{FIRST_NAME}}}</b></p>' }
  const given = { name: 'Previewed', preview_text: 'Good news', ...content }
  const { json } = await dashboard.sender.post('/campaigns', given)
  const page = await dashboard.open(`/campaigns/${json.id}`)
  const preview = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Preview' }) })
  await preview.getByText('Some contacts may lack a value').waitFor()
  await preview.getByText('Variables without a fallback: FIRST_NAME').waitFor()
  const choose = async (typed: string, email: string) => {
    await page.getByRole('combobox', { name: 'Preview as' }).fill(typed)
    await page.getByRole('option', { name: email }).click()
  }
  await choose('dora', 'dora@preview.test')
  await preview.getByText('For Dora', { exact: true }).waitFor()
  await preview.frameLocator('iframe').getByText('Dear Dora').waitFor()
  await preview.getByText('Good news', { exact: true }).waitFor()
  await page.waitForURL(`**/campaigns/${json.id}?contact=${dora}`)
  expect(await violationsOf(page)).toEqual([])
  await choose('emil', 'emil@preview.test')
  await preview.getByText('This contact gets no email').waitFor()

  // A link shows the same contact, and what is saved is previewed at once.
  await page.goto(`/app/${dashboard.sender.id}/campaigns/${json.id}?contact=${dora}`)
  await preview.getByText('For Dora', { exact: true }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Preview as' }).inputValue()).toBe('dora@preview.test')
  await page.getByLabel('Subject').fill('News for {{{FIRST_NAME}}}')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Plain words for {{{FIRST_NAME}}}')
  await page.getByRole('button', { name: 'Save' }).click()
  await preview.getByText('News for Dora', { exact: true }).waitFor()
  await preview.getByText('Text', { exact: true }).click()
  await preview.getByText('Plain words for Dora').waitFor()
})
