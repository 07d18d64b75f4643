import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { updateTeamName } from '../../src/teams/teams-queries.ts'
import { givenDashboard } from './support/dashboard.ts'

/** What people and programs change while a form is open stays, unless the user changed the same field. */

const dashboard = givenDashboard()
const ask = () => dashboard.sender

async function create(path: string, body: object): Promise<string> {
  const { status, json } = await ask().post(path, body)
  expect(status).toBeLessThan(300)
  return json.id
}
async function change(path: string, body: object): Promise<void> {
  expect((await ask().patch(path, body)).status).toBe(200)
}
const read = async (path: string) => (await ask().get(path)).json
const readById = async (path: string, id: string) =>
  (await read(path)).data.find((each: { id: string }) => each.id === id)
async function save(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('an edit of a contact keeps what the application wrote meanwhile', async () => {
  await create('/properties', { key: 'plan', type: 'string' })
  await create('/properties', { key: 'city', type: 'string' })
  const email = 'edited@people.example'
  const values = { plan: 'free', city: 'Bonn' }
  const path = `/contacts/${await create('/contacts', { email, first_name: 'Ann', properties: values })}`
  const page = await dashboard.open(path)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contact' })
  await dialog.getByLabel('Last name').fill('Quist')
  await dialog.getByLabel('city').fill('Köln')
  await change(path, { first_name: 'Anna', properties: { plan: 'pro' } })
  // The page behind the form shows it.
  await page.getByText('pro', { exact: true }).waitFor()
  await save(dialog)
  expect(await read(path)).toMatchObject({
    first_name: 'Anna',
    last_name: 'Quist',
    properties: { PLAN: 'pro', CITY: 'Köln' },
  })
})

test('an edit of an API key keeps its rights and the exact time of its end, also when that is past', async () => {
  const ends = new Date(Date.now() + 3_600_000 + 12_345).toISOString()
  const id = await create('/api-keys', { name: 'Shop', permission: 'full', expires_at: ends })
  const { expires_at } = await readById('/api-keys', id)
  const page = await dashboard.open(`/api-keys?edit=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit API key' })
  await dialog.getByLabel('Name').fill('Store')
  await change(`/api-keys/${id}`, { permission: 'send' })
  await save(dialog)
  expect(await readById('/api-keys', id)).toMatchObject({ name: 'Store', permission: 'send', expires_at })

  const { db } = dashboard.service
  await db.query("update api_key set expires_at = now() - interval '1 hour' where id = $1", [id])
  await page.getByRole('button', { name: 'Actions for Store' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByLabel('Name').fill('Old store')
  await save(dialog)
  expect(await readById('/api-keys', id)).toMatchObject({ name: 'Old store' })
})

test('a change of the retention keeps the periods that others lengthened, and asks before data is lost', async () => {
  await change('/retention', { content: '7d', events: '30d' })
  const page = await dashboard.open('/settings')
  await page.getByRole('combobox', { name: 'Content of emails' }).click()
  await page.getByRole('option', { name: '14 days' }).click()
  await change('/retention', { content: '30d', events: '60d' })
  await page.getByRole('button', { name: 'Save periods' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Shorten' }).click()
  await page.getByText('Retention periods changed.').waitFor()
  expect(await read('/retention')).toMatchObject({ content: '14d', events: '60d' })
})

test('an edit of a webhook keeps its events', async () => {
  const path = `/webhooks/${await create('/webhooks', { url: 'http://127.0.0.1:9/hooks' })}`
  const page = await dashboard.open(`${path}?edit=true`)
  const dialog = page.getByRole('dialog', { name: 'Edit endpoint' })
  await dialog.getByLabel('Description').fill('For the shop')
  await change(path, { events: ['email.sent'] })
  await save(dialog)
  expect(await read(path)).toMatchObject({ events: ['email.sent'], description: 'For the shop' })
})

test('an edit of a sender keeps its name', async () => {
  const id = await create('/senders', { name: 'Shop', username: 'shop', domain_id: ask().domainId })
  const page = await dashboard.open(`/senders?edit=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit sender' })
  await dialog.getByLabel('Reply-To').fill('help@people.example')
  await change(`/senders/${id}`, { name: 'Store' })
  await save(dialog)
  expect(await readById('/senders', id)).toMatchObject({ name: 'Store', reply_to: 'help@people.example' })
})

test('an edit of a property keeps its fallback', async () => {
  const id = await create('/properties', { key: 'town', type: 'string' })
  const page = await dashboard.open(`/properties?edit=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit property' })
  await dialog.getByLabel('Key').fill('village')
  expect((await ask().put(`/properties/${id}`, { fallback_value: 'somewhere' })).status).toBe(200)
  await save(dialog)
  expect(await readById('/properties', id)).toMatchObject({ key: 'village', fallback_value: 'somewhere' })
})

test('an edit of a team keeps its name', async () => {
  const team = await dashboard.service.givenTeam({ name: 'Before' })
  const page = await dashboard.open(`/app/operator/teams?edit=${team.id}`, { isOperator: true })
  const dialog = page.getByRole('dialog', { name: 'Edit team' })
  await dialog.getByRole('combobox', { name: 'Plan' }).click()
  await page.getByRole('option', { name: /^50K/ }).click()
  const { db } = dashboard.service
  await db.transaction((tx) => updateTeamName(tx, team.id, 'Theirs', new Date()))
  await save(dialog)
  const rows = await db.query('select name, plan from team where id = $1', [team.id])
  expect(rows).toEqual([{ name: 'Theirs', plan: '50k' }])
})
