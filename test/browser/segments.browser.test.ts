import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { chooseByKeys } from './support/choose-by-keys.ts'
import { givenDashboard, visit } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS } from './support/faults.ts'
import { NASTY } from './support/nasty.ts'
import { type AudienceSample, fillAudience } from './support/sample-audience.ts'

const dashboard = givenDashboard()
let sample: AudienceSample
beforeAll(async () => {
  sample = await fillAudience(dashboard)
})

const get = async (path: string) => (await dashboard.sender.get(path)).json
const count = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('is built with a live count and a description, saved, and shows its contacts', async () => {
  const page = await dashboard.open('/segments/new')
  await page.getByText('Complete all conditions to see the count.').waitFor()
  await page.getByLabel('Name').fill('Small or large')
  await pick(page, 'Field of condition 1 of group 1', 'seats')
  await pick(page, 'Comparison of condition 1 of group 1', 'is at least')
  await page.getByLabel('Value of condition 1 of group 1').fill('31')
  await count(page, '2 contacts')
  await page.getByRole('link', { name: /greta/ }).waitFor()

  await page.getByRole('button', { name: 'Add condition' }).click()
  await pick(page, 'Field of condition 2 of group 1', 'First name')
  await pick(page, 'Comparison of condition 2 of group 1', 'is')
  await page.getByLabel('Value of condition 2 of group 1').fill('EVE')
  await count(page, '0 contacts')
  await page.getByRole('radiogroup', { name: 'Conditions of group 1' }).getByText('Match any').click()
  await count(page, '3 contacts')
  await page.getByRole('button', { name: 'Add group' }).click()
  await pick(page, 'Field of condition 1 of group 2', 'Unsubscribed')
  await pick(page, 'Value of condition 1 of group 2', 'false')
  await count(page, '2 contacts')
  await page
    .getByText('Contacts (whose seats is at least 31 or whose first name is “EVE”) and who are subscribed.')
    .waitFor()
  expect(await violationsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { name: 'Small or large' }).waitFor()
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(3)
  const id = page.url().split('/').at(-1)
  expect(await get(`/segments/${id}`)).toMatchObject({
    match_type: 'all',
    filters: {
      groups: [
        { match_type: 'any', conditions: [{ operator: 'greater_than_or_equals' }, { operator: 'equals' }] },
        { conditions: [{ field: 'unsubscribed', value: false }] },
      ],
    },
  })
})

test('an error of the API is shown next to its condition', async () => {
  const page = await dashboard.open(`/segments/${sample.segmentId}/edit`)
  await count(page, '5 contacts')
  await page.getByRole('button', { name: 'Remove group 2' }).click()
  await pick(page, 'Field of condition 1 of group 1', 'seats')
  await page.getByLabel('Value of condition 1 of group 1').fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The value field must be a number.', { exact: true }).waitFor()
  await page.getByLabel('Value of condition 1 of group 1').fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Pro customers of this year' }).waitFor()
  expect((await get(`/segments/${sample.segmentId}`)).filters.groups).toHaveLength(1)
})

test('unsaved changes of a segment are not lost without a question', async () => {
  const page = await dashboard.open('/segments/new')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByLabel('Name').fill('Saved on leaving')
  await page.getByLabel('Value of condition 1 of group 1').fill('left')
  await page.getByRole('link', { name: 'Emails', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save and leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  const { data } = await get('/segments')
  const saved = data.filter(({ name }: { name: string }) => name === 'Saved on leaving')
  expect(saved).toHaveLength(1)

  await visit(page, `/app/${dashboard.sender.id}/segments/${saved[0].id}/edit`)
  await page.getByLabel('Name').fill('Never')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { level: 1, name: 'Saved on leaving' }).waitFor()
})

test('what someone else saved is overwritten only by a user who chose that', async () => {
  const first = await get(`/segments/${sample.segmentId}`)
  const { json } = await dashboard.sender.post('/segments', { name: 'Shared', filters: first.filters })
  const path = `/segments/${json.id}`
  const conditions = (value: string) => ({
    groups: [{ match_type: 'all', conditions: [{ field: 'email', operator: 'contains', value }] }],
  })
  const page = await dashboard.open(`${path}/edit`)
  const name = page.getByRole('textbox', { name: 'Name' })
  const save = page.getByRole('button', { name: 'Save' })
  await name.fill('Renamed')
  await dashboard.sender.put(path, { filters: conditions('theirs') })
  await save.click()
  // A new name says nothing about the conditions.
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
  expect(await get(path)).toMatchObject({ name: 'Renamed', filters: conditions('theirs') })

  await page.goto(`/app/${dashboard.sender.id}${path}/edit`)
  const value = page.getByLabel('Value of condition 1 of group 1')
  await value.fill('mine')
  await dashboard.sender.put(path, { filters: conditions('theirs again') })
  await save.click()
  await page.getByText('Someone else saved this segment').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Discard my changes' }).click()
  expect(await value.inputValue()).toBe('theirs again')
  await value.fill('mine')
  await dashboard.sender.put(path, { filters: conditions('theirs at last') })
  await save.click()
  await page.getByText('Someone else saved this segment').waitFor()
  // Also when they are what the user began with.
  await value.fill('theirs again')
  await page.getByRole('button', { name: 'Overwrite their changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
  expect(await get(path)).toMatchObject({ filters: conditions('theirs again') })
})

test('a segment in use is not deleted, with the reason of the API; an unused one is', async () => {
  const page = await dashboard.open(`/segments/${sample.segmentId}`)
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete segment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  }
  await remove()
  await page.getByRole('alert').filter({ hasText: 'automation' }).waitFor()
  const { json } = await dashboard.sender.post('/segments', { name: 'Short-lived' })
  await visit(page, `/app/${dashboard.sender.id}/segments/${json.id}`)
  await remove()
  await page.getByRole('heading', { name: 'Segments' }).waitFor()
  expect((await dashboard.sender.get(`/segments/${json.id}`)).status).toBe(404)
})

test('a segment is built with the keyboard alone', async () => {
  const page = await dashboard.open('/segments/new')
  await page.getByLabel('Name').focus()
  await page.keyboard.type('By keys')
  const field = page.getByRole('combobox', { name: 'Field of condition 1 of group 1' })
  await chooseByKeys(page, field, 'Last name')
  await page.getByLabel('Value of condition 1 of group 1').focus()
  await page.keyboard.type('costa')
  await count(page, '1 contact')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
})

test('a viewer can only read', async () => {
  const page = await dashboard.open(`/segments/${sample.segmentId}`, { role: 'viewer' })
  await page.getByRole('button', { name: 'Export' }).waitFor()
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Delete segment' }).count()).toBe(0)
})

test('names and values with markup are shown as text', async () => {
  const list = (await dashboard.sender.post('/lists', { name: NASTY })).json
  const conditions = [
    { field: 'first_name', operator: 'equals', value: NASTY },
    { field: 'list', operator: 'in', value: list.id },
  ]
  await dashboard.sender.post('/contacts', { email: 'n@x.example', first_name: NASTY, list_ids: [list.id] })
  const { json } = await dashboard.sender.post('/segments', {
    name: NASTY,
    filters: { groups: [{ conditions }] },
  })
  const page = await dashboard.open('/lists')
  for (const path of ['/segments', `/segments/${json.id}`, `/segments/${json.id}/edit`]) {
    await visit(page, `/app/${dashboard.sender.id}${path}`)
    await page.getByText('<img src=https://evil.test').first().waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  }
})

test('no axe violations, and every page fits on a phone', { timeout: MANY_PAGES_MS }, async () => {
  const segment = `/segments/${sample.segmentId}`
  const paths = ['/segments', segment, `${segment}/edit`]
  expect(await faultsOf(dashboard, paths, [{ width: 390, scheme: 'dark' }])).toEqual([])
})
