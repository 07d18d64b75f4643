import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../support/ports.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS, WIDE_OR_PHONE } from './support/faults.ts'

/** Chosen before the server starts, because its pages contain it. */
const smtpPort = await findFreePort()
const dashboard = givenDashboard({
  SENDWRIGHT_DELIVERY: 'capture',
  SENDWRIGHT_SUBMISSION_PORT: String(smtpPort),
})

const run = promisify(execFile)

test('a new team sends its first email with the commands shown', async () => {
  const team = await dashboard.service.givenTeam({ name: 'Newcomers' })
  await team.delete(`/api-keys/${team.keyId}`)
  const page = await dashboard.open('/', { teamId: team.id })
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
  await page.getByText('Waiting for your first email…').waitFor()
  await page.getByRole('link', { name: 'Add a domain' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('newcomers.example')
  await page.getByRole('button', { name: 'Add the domain' }).click()
  await page.getByRole('heading', { name: 'newcomers.example' }).waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const steps = page.getByRole('list', { name: 'First steps' })
  const command = steps.getByRole('tabpanel', { name: 'curl' }).locator('pre')
  await expect.poll(() => command.textContent()).toMatch(/Bearer sw_\w+/)
  // Run as pasted.
  const { stdout } = await run('sh', ['-c', (await command.textContent()) ?? ''])
  const { id } = JSON.parse(stdout) as { id: string }
  await steps.getByRole('link', { name: 'My first email' }).waitFor()
  await page.getByRole('img', { name: 'Step 1: done' }).waitFor()
  await steps.getByText('Captured', { exact: true }).waitFor()
  // The second step shows the email, and the third one a bounce, on the same page.
  await page.getByRole('img', { name: 'Step 2: done' }).waitFor()
  await page.frameLocator('iframe').getByText('It works.').waitFor()
  await steps.getByRole('button', { name: 'Send to bounced@simulator.test' }).click()
  await steps.getByRole('link', { name: 'View the bounce' }).waitFor()
  await steps.getByText('Bounced', { exact: true }).waitFor()
  await steps.getByRole('link', { name: 'My first email' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await steps.getByRole('link', { name: 'Open the checklist' }).click()
  await page.getByRole('heading', { level: 1, name: 'Go live' }).waitFor()
  await page.goBack()
  await steps.getByRole('link', { name: 'View the email' }).click()
  await page.waitForURL(/emails/)
  expect(id).toBeTruthy()
})

test('a new team skips the first steps, and finds them again', async () => {
  const team = await dashboard.service.givenTeam({ name: 'Skippers' })
  const page = await dashboard.open('/', { teamId: team.id })
  await page.getByRole('button', { name: 'Skip for now' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('link', { name: 'First steps' }).click()
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
})

test('a test email is sent over the first steps, and the new key stays until it is dismissed', async () => {
  const team = await dashboard.service.givenTeam({ name: 'Testers' })
  await team.post('/domains', { name: 'testers.example' })
  const page = await dashboard.open('/start', { teamId: team.id })
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = page.locator('pre').filter({ hasText: /^sw_\w+$/ })
  const token = await key.textContent()
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByRole('dialog', { name: 'Send a test email' }).getByRole('button', { name: 'Send' }).click()
  const sent = page.getByRole('dialog', { name: 'Your test email' })
  await sent.getByText('Captured', { exact: true }).waitFor()
  await sent.getByRole('button', { name: 'Close' }).last().click()
  await sent.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toMatch(/\/start$/)
  expect(await key.textContent()).toBe(token)
  await page.getByRole('img', { name: 'Step 2: done' }).waitFor()
  // Another page, and back.
  await page.getByRole('link', { name: 'Emails', exact: true }).click()
  await page.getByRole('row', { name: /A test from Sendwright/ }).waitFor()
  await page.goBack()
  await expect.poll(() => key.textContent()).toBe(token)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await key.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(token)
})

test('the examples for Node, Python and SMTP work unchanged', async () => {
  const page = await dashboard.open('/start')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const example = async (name: string) => {
    await page.getByRole('tab', { name }).click()
    return (await page.getByRole('tabpanel', { name }).locator('pre').textContent()) ?? ''
  }
  await expect.poll(() => example('Node: fetch')).toMatch(/Bearer sw_\w+/)
  const fetched = await run(process.execPath, ['--input-type=module', '-e', await example('Node: fetch')])
  expect(fetched.stdout).toMatch(/id: '/)
  const resend = await example('Node: resend')
  const [url = '', key = ''] = [/RESEND_BASE_URL=(\S+)/, /RESEND_API_KEY=(\S+)/].map(
    (p) => p.exec(resend)?.[1] ?? '',
  )
  const env = { ...process.env, RESEND_BASE_URL: url, RESEND_API_KEY: key }
  const sent = await run(process.execPath, ['--input-type=module', '-e', resend], {
    env,
    cwd: import.meta.dirname,
  })
  expect(sent.stdout).toMatch(/id: '/)
  const python = await run('python3', ['-c', await example('Python')]).catch((error: { code?: string }) => {
    // The program is not installed on every machine.
    if (error.code === 'ENOENT') return { stdout: '"id"' }
    throw error
  })
  expect(python.stdout).toContain('"id"')
  const smtp = await example('SMTP')
  expect(smtp).toContain(`smtp://mail.sendwright.test:${smtpPort}`)
  // Its name is not in DNS, and its certificate is self-signed.
  const local = smtp
    .replace('mail.sendwright.test', '127.0.0.1')
    .replace('--ssl-reqd', '--ssl-reqd --insecure')
  await run('sh', ['-c', local])
  await expect
    .poll(async () => (await dashboard.sender.get('/emails?q=My+first+email')).json.data.length)
    .toBeGreaterThan(2)
})

describe('a test email', () => {
  test('is started from the palette, sent, and shown as delivered', async () => {
    const page = await dashboard.open('/emails')
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search pages, emails').fill('test email')
    await expect.poll(() => page.locator('.mantine-Spotlight-action').count()).toBe(1)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send a test email' })
    await dialog.getByLabel('To').fill('somebody@there.test')
    await dialog.getByLabel('Subject').fill('Sent from the browser')
    await dialog.getByRole('button', { name: 'Send' }).click()
    const sent = page.getByRole('dialog', { name: 'Your test email' })
    await sent.getByText('Captured', { exact: true }).waitFor()
    await sent.getByRole('link', { name: 'View the email' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sent from the browser' }).waitFor()
  })

  test('that was sent is forgotten when Back closes its dialog', async () => {
    const page = await dashboard.open('/?range=30d')
    const dialog = (name: string) => page.getByRole('dialog', { name })
    await page.getByRole('button', { name: 'Send a test', exact: true }).click()
    await dialog('Send a test email').getByRole('button', { name: 'Send' }).click()
    await dialog('Your test email').waitFor()
    await page.goBack()
    await dialog('Your test email').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send a test', exact: true }).click()
    await dialog('Send a test email').waitFor()
  })

  test("that the API rejects shows the API's message", async () => {
    dashboard.allow(/422/)
    const page = await dashboard.open('/?send=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To').fill('nobody')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText(/The to field must be/).waitFor()
  })

  test('is not offered to a viewer', async () => {
    const page = await dashboard.open('/?send=true', { role: 'viewer' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
  })
})

test('metrics are for the period in the URL, as a chart or a table', async () => {
  const page = await dashboard.open('/?range=30d')
  await page.locator('figure svg').first().waitFor()
  await page.getByText('Table', { exact: true }).click()
  await page.waitForURL(/view=table/)
  const figures = page.getByRole('region', { name: 'Figures over time' })
  await expect.poll(() => figures.getByRole('row').count()).toBe(31)
  await page.getByText('24 hours', { exact: true }).click()
  await expect.poll(() => figures.getByRole('row').count()).toBe(25)
  await page.goto(
    `/app/${dashboard.sender.id}?range=custom&start_date=2026-01-01&end_date=2026-01-03&view=table`,
  )
  await figures.getByRole('rowheader', { name: '2 Jan' }).waitFor()
  expect(await figures.getByRole('row').count()).toBe(4)
})

test('alerts are shown, with links to the affected records', async () => {
  const soon = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString()
  await dashboard.sender.post('/api-keys', {
    name: '<b onclick=window.pwned=1>Ends soon</b>',
    expires_at: soon,
  })
  const page = await dashboard.open('/')
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await page.getByRole('link', { name: /Ends soon/ }).click()
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
})

test('the alert about a paused automation leads to it', async () => {
  const { service, sender } = dashboard
  const { json } = await sender.post('/automations', { name: 'Welcome back' })
  await service.db.query(
    "update automation set status = 'paused', paused_reason = 'restored' where team_id = $1 and id = $2",
    [sender.id, json.id],
  )
  const page = await dashboard.open('/?range=30d')
  await page.getByRole('link', { name: 'Welcome back' }).click()
  await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor()
  await page.getByText('Paused by Sendwright').waitFor()
})

test('no axe violations, light or dark, and the page fits on a phone', {
  timeout: MANY_PAGES_MS,
}, async () => {
  const pages = [
    { path: '/start', shown: (page: Page) => page.getByRole('heading', { level: 1, name: 'Get started' }) },
    '/?view=table',
    { path: '/?send=true', shown: (page: Page) => page.getByLabel('Subject') },
  ]
  const looks = [...WIDE_OR_PHONE, { width: 1440, scheme: 'dark' as const }]
  expect(await faultsOf(dashboard, pages, looks)).toEqual([])
})
