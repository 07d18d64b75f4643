import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { givenOwner, logIn, logInAs, OWNER } from './support/signing-in.ts'

const dashboard = givenDashboard({ SENDWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })

interface Started {
  device_code: string
  user_code: string
  verification_uri_complete: string
}

/** Starts a login as the command line does. */
async function start(headers: Record<string, string> = {}): Promise<Started> {
  const reply = await post('/device-logins', { client_name: 'laptop <b>of Ann</b>' }, headers)
  expect(reply.status).toBe(201)
  return reply.json as unknown as Started
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(dashboard.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Record<string, string> }
}

const redeem = (device_code: string) => post('/device-logins/token', { device_code })
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

test('the link opens the confirmation after the login, and the program gets a key with the chosen name', async () => {
  const { device_code, user_code, verification_uri_complete } = await start()
  await givenOwner(dashboard)
  const page = await dashboard.page()
  await page.goto(verification_uri_complete)
  await heading(page, 'Log in')
  await logIn(page, OWNER)
  await heading(page, 'Confirm this login')
  await page.getByText(user_code, { exact: true }).waitFor()
  expect(await page.getByText('on a different network').count()).toBe(0)
  await page.getByText('laptop <b>of Ann</b>', { exact: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])

  await page.getByLabel('Name of the API key').fill('')
  await page.getByRole('button', { name: 'Confirm login' }).click()
  await page.getByText(/^The name field/).waitFor()
  await page.getByLabel('Name of the API key').fill('Laptop of Ann')
  expect(await page.getByLabel('Send only').isChecked()).toBe(true)
  await page.getByLabel('Everything').click()
  await page.getByRole('button', { name: 'Confirm login' }).click()
  await heading(page, 'Login confirmed')
  expect(await violationsOf(page)).toEqual([])
  const { json } = await redeem(device_code)
  expect(json).toMatchObject({ name: 'Laptop of Ann', permission: 'full', token: device_code })
  const days = (Date.parse(`${json.expires_at}Z`) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(89)
  expect(days).toBeLessThanOrEqual(90)

  await page.getByRole('link', { name: 'Go to the API keys' }).click()
  await page.getByText('Laptop of Ann').first().waitFor()
})

test('a person types the code, in any case, and rejects a login from another network', async () => {
  const { device_code, user_code } = await start({ 'x-forwarded-for': '9.9.9.9' })
  const page = await dashboard.open('/app/device', { width: 390 })
  expect(await violationsOf(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await page.getByLabel('Code').fill('BBBB-BBBB')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No pending login has this code.').waitFor()
  await page.getByLabel('Code').fill(user_code.toLowerCase().replace('-', ' '))
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Confirm this login')
  await page.getByText('on a different network from your browser').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Reject login' }).click()
  await heading(page, 'Login rejected')
  expect((await redeem(device_code)).json).toMatchObject({ name: 'access_denied' })
})

test('a member is told who can confirm, and only an admin of the chosen team can confirm', async () => {
  const { device_code, user_code } = await start()
  const page = await dashboard.open(`/app/device#code=${user_code}`, { role: 'member' })
  await page.getByText('cannot create API keys').waitFor()
  expect(await page.getByRole('button', { name: 'Confirm login' }).count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  const admin = await dashboard.open(`/app/device#code=${user_code}`, { role: 'admin', scheme: 'dark' })
  await admin.getByRole('combobox', { name: 'Access ends' }).click()
  await admin.getByRole('option', { name: 'Never' }).click()
  await admin.getByRole('button', { name: 'Confirm login' }).click()
  await heading(admin, 'Login confirmed')
  expect((await redeem(device_code)).json).toMatchObject({ permission: 'send', expires_at: null })
})

test('after the end of the session, the page asks for the login and keeps the choices', async () => {
  const { device_code, user_code } = await start()
  const page = await dashboard.page()
  await logInAs(page, OWNER)
  await page.goto(`/app/device#code=${user_code}`)
  await page.getByLabel('Name of the API key').fill('Chosen before')
  await dashboard.service.db.query('delete from session')
  const read = () => page.evaluate(() => fetch('/session').then(({ status }) => status))
  await expect.poll(read).toBe(401)
  await page.getByRole('button', { name: 'Confirm login' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel(/^Password of /).fill(OWNER.password)
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Confirm login' }).click()
  await heading(page, 'Login confirmed')
  expect((await redeem(device_code)).json).toMatchObject({ name: 'Chosen before' })
})
