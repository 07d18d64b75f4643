import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { givenDashboard, visit } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS, WIDE_OR_PHONE } from './support/faults.ts'

const dashboard = givenDashboard()

/** Text that would run code or fetch something if it were treated as html. */
const HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>{{constructor}}'

const endpoint = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(request.url === '/gone' ? 410 : 200).end(HOSTILE))
}).listen(0, '127.0.0.1')
afterAll(() => endpoint.close())
const endpointUrl = () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks`

describe('API keys', () => {
  test('a key created in the browser sends an email with the request shown next to it', async () => {
    const page = await dashboard.open('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Shop backend')
    await dialog.getByRole('radio', { name: 'Send only' }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const token = (await dialog.locator('pre').first().textContent())?.trim() ?? ''
    const curl = (await dialog.locator('pre').nth(1).textContent()) ?? ''
    expect(token).toMatch(/^sw_[A-Za-z0-9]{40}$/)
    expect(curl).toContain(`curl ${dashboard.url}/emails`)
    expect(curl).toContain(`Authorization: Bearer ${token}`)
    // This installation does not accept email over SMTP.
    expect(await dialog.getByRole('tab').allTextContents()).toEqual(['HTTP'])
    const sent = await fetch(`${dashboard.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...dashboard.sender.email(), to: 'delivered@simulator.test' }),
    })
    expect(sent.status).toBe(202)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /Shop backend/ })
    await row.waitFor()
    expect(await page.content()).not.toContain(token)
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await row.getByText('Revoked').waitFor()
    const refused = await fetch(`${dashboard.url}/emails`, { headers: { authorization: `Bearer ${token}` } })
    expect(refused.status).toBe(401)
  })

  test('a new key is forgotten when Back closes its dialog', async () => {
    const page = await dashboard.open('/api-keys')
    const create = page.getByRole('button', { name: 'Create API key' }).first()
    await create.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Seen once')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const token = (await dialog.locator('pre').first().textContent()) ?? ''
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await create.click()
    await dialog.getByLabel('Name').waitFor()
    expect(token).toMatch(/^sw_/)
    expect(await page.content()).not.toContain(token)
  })

  test('the request shown next to a key of one domain sends from that domain', async () => {
    const { json: other } = await dashboard.sender.post('/domains', { name: 'news.browser.example' })
    const { domain } = dashboard.sender
    const page = await dashboard.open('/smtp')
    for (const [choice, from] of [
      ['news.browser.example', 'hello@news.browser.example'],
      [domain, `hello@${domain}`],
      ['Any domain of the team', `hello@${domain}`],
    ] as const) {
      await page.goto(`/app/${dashboard.sender.id}/api-keys?new=true`)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(`Key for ${choice}`)
      await dialog.getByRole('combobox', { name: 'Domain' }).click()
      await page.getByRole('option', { name: choice, exact: true }).click()
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const command = dialog.locator('pre').filter({ hasText: 'curl' })
      const curl = (await command.textContent()) ?? ''
      expect(curl, choice).toContain(`<${from}>`)
      if (!from.endsWith(`@${domain}`)) continue
      // Run as pasted.
      const { stdout } = await promisify(execFile)('sh', ['-c', curl])
      expect(JSON.parse(stdout), choice).toEqual({ id: expect.any(String) })
    }
    await dashboard.sender.delete(`/domains/${other.id}`)
  })

  test('half an expiry is not stored as none, and a year has four digits', async () => {
    const page = await dashboard.open('/api-keys?new=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ends in 2099')
    const expires = dialog.getByLabel('Expires')
    await expires.focus()
    await page.keyboard.type('0201')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect.poll(() => expires.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('020120991015AM')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const { json } = await dashboard.sender.get('/api-keys')
    const key = json.data.find(({ name }: { name: string }) => name === 'Ends in 2099')
    expect(key.expires_at).toMatch(/^2099-0[12]-/)
  })

  test("the API's error is shown next to its field", async () => {
    dashboard.allow(/422/)
    const page = await dashboard.open('/api-keys?new=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText(/The name field/).waitFor()
    expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  })

  test('a member sees neither the keys nor their page, and gets 403 from the API', async () => {
    dashboard.allow(/403/)
    const page = await dashboard.open('/emails', { role: 'member' })
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    await visit(page, `/app/${dashboard.sender.id}/api-keys`)
    await page.getByText('Your role in this team does not allow this.').waitFor()
  })
})

test('a domain is added, shows its records, and is checked', async () => {
  const page = await dashboard.open('/domains?new=true')
  await page.getByRole('dialog').getByLabel('Name').fill('mail.browser.example')
  await page.getByRole('button', { name: 'Add the domain' }).click()
  await page.getByRole('heading', { name: 'mail.browser.example' }).waitFor()
  await page.getByText('_dmarc.mail.browser.example').first().waitFor()
  // The policy is chosen at the one DMARC record.
  expect(await page.getByRole('heading', { name: 'Protect against forgery' }).count()).toBe(1)
  expect(await page.getByRole('heading', { name: 'DMARC', exact: true }).count()).toBe(0)
  await page.getByRole('region', { name: 'Sign your email' }).getByText('0 of 1 published').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download zone file' }).click()
  expect((await saved).suggestedFilename()).toBe('mail.browser.example.zone')
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Nothing is published at this name.').first().waitFor()
  const { json } = await dashboard.sender.get('/domains')
  const [dkim] = (await dashboard.sender.get(`/domains/${json.data[0].id}`)).json.records
  dashboard.service.dns.set({ [`${dkim.name}.mail.browser.example`]: { txt: [dkim.value] } })
  await page.getByRole('button', { name: 'Check now' }).click()
  await page
    .getByText(/because the provider appends mail\.browser\.example to the name\. Enter only/)
    .waitFor()
  await page.getByLabel('Track clicks').click()
  await expect
    .poll(async () => (await dashboard.sender.get(`/domains/${json.data[0].id}`)).json.click_tracking)
    .toBe(true)
})

test('a record has its name within the zone, if DNS knows the zone', async () => {
  const { sender, service } = dashboard
  service.dns.set({ 'shop.co.uk': { ns: ['ns1.provider.test'] } })
  const { json: zoned } = await sender.post('/domains', { name: 'mail.shop.co.uk' })
  const { json: unzoned } = await sender.post('/domains', { name: 'mail.unzoned.example' })
  const page = await dashboard.open(`/domains/${zoned.id}`)
  const short = zoned.records[0].name.replace(/\.shop\.co\.uk$/, '')
  expect(short).toMatch(/\._domainkey\.mail$/)
  const words = 'If your provider adds the zone itself, enter only: '
  await page.getByText(`${words}${short}`, { exact: true }).waitFor()
  const known = page.waitForResponse(`**/domains/${unzoned.id}/provider`)
  await visit(page, `/app/${sender.id}/domains/${unzoned.id}`)
  expect((await (await known).json()).zone).toBeNull()
  await page.getByText(unzoned.records[0].name, { exact: true }).first().waitFor()
  expect(await page.getByText(words).count()).toBe(0)
})

test('records that could not be loaded are requested again', async () => {
  const page = await dashboard.open('/domains')
  await page.route('**/records?*', (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
  await visit(page, `/app/${dashboard.sender.id}/domains/${dashboard.sender.domainId}`)
  await page.getByText('Not now.').waitFor()
  await page.unroute('**/records?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Download zone file' }).waitFor()
})

test('a new sender gets a verified domain, although a pending one is newer', async () => {
  const page = await dashboard.open('/senders?new=true')
  const dialog = page.getByRole('dialog')
  await expect
    .poll(() => dialog.getByRole('combobox', { name: 'Domain' }).inputValue())
    .toBe(dashboard.sender.domain)
})

test('a sender is added and removed', async () => {
  const page = await dashboard.open('/senders?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(HOSTILE)
  await dialog.getByLabel('Before the @').fill('hello')
  await dialog.getByRole('button', { name: 'Add sender' }).click()
  await dialog.getByText(/must not contain .*angle brackets/).waitFor()
  await dialog.getByLabel('Name').fill(HOSTILE.replace(/[<>]/g, ''))
  await dialog.getByRole('button', { name: 'Add sender' }).click()
  const row = page.getByRole('row', { name: /hello@/ })
  await row.waitFor()
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('button', { name: 'Delete sender' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await page.evaluate('window.pwned')).toBeUndefined()
})

describe('webhooks', () => {
  test('a test is sent, its request and response are shown as text, and it is sent again', async () => {
    const page = await dashboard.open('/webhooks?new=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill(endpointUrl())
    await dialog.getByLabel('Description').fill(HOSTILE)
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await drawer.getByText('Status 200').waitFor()
    await drawer.getByText(HOSTILE).waitFor()
    await drawer.getByText('"type": "email.delivered"').waitFor()
    await drawer.getByRole('button', { name: 'Send again' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('row', { name: /email\.delivered \(test\)/ }).count()).toBe(2)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
  })

  test('a call by an automation is not shown as a test', async () => {
    const { json } = await dashboard.sender.post('/webhooks', { url: `${endpointUrl()}/calls` })
    const { json: automation } = await dashboard.sender.post('/automations', {
      name: 'Call',
      status: 'active',
      steps: [
        { key: 'start', type: 'trigger', config: { type: 'api' } },
        { key: 'call', type: 'webhook', config: { webhook_id: json.id } },
      ],
      connections: [{ from: 'start', to: 'call' }],
    })
    const { json: contact } = await dashboard.sender.post('/contacts', { email: 'called@receiver.test' })
    await dashboard.sender.post(`/automations/${automation.id}/runs`, { contact_id: contact.id })
    const page = await dashboard.open(`/webhooks/${json.id}`)
    await page.getByRole('button', { name: 'automation.webhook', exact: true }).waitFor()
  })

  test('a replay without a time asks for it', async () => {
    const { json } = await dashboard.sender.post('/webhooks', { url: `${endpointUrl()}/replay` })
    const page = await dashboard.open(`/webhooks/${json.id}?replay=true`)
    const dialog = page.getByRole('dialog', { name: 'Replay events' })
    await dialog.getByLabel('Events since').fill('')
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await dialog.getByText('Choose a time.').waitFor()
  })

  test('half an end of a replay is not sent as the current time', async () => {
    const { json } = await dashboard.sender.post('/webhooks', { url: `${endpointUrl()}/half-replay` })
    const page = await dashboard.open(`/webhooks/${json.id}?replay=true`)
    const bodies: unknown[] = []
    await page.route('**/replay', (route) => {
      bodies.push(route.request().postDataJSON().until)
      return route.fulfill({
        json: { object: 'webhook_replay', webhook_id: json.id, count: 0, cursor: null },
      })
    })
    const dialog = page.getByRole('dialog', { name: 'Replay events' })
    const until = dialog.getByLabel('To', { exact: true })
    await until.focus()
    await page.keyboard.type('0201')
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await expect.poll(() => until.evaluate((field) => field === document.activeElement)).toBe(true)
    await until.fill('2099-02-01T10:15')
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(bodies).toEqual([expect.stringMatching(/^2099-0[12]-/)])
  })

  test('a long replay continues after an error, and ends when it is canceled', async () => {
    const { json } = await dashboard.sender.post('/webhooks', { url: `${endpointUrl()}/long-replay` })
    const page = await dashboard.open(`/webhooks/${json.id}?replay=true`)
    dashboard.allow(/503/)
    const cursors: unknown[] = []
    const answers = [
      { status: 200, count: 10_000, cursor: 'two' },
      { status: 503, count: 0, cursor: null },
      { status: 200, count: 10_000, cursor: 'three' },
      { status: 200, count: 10_000, cursor: 'four' },
      { status: 200, count: 1, cursor: null },
    ]
    const held = Promise.withResolvers<void>()
    await page.route('**/replay', async (route) => {
      const { status, ...body } = answers[cursors.length] ?? { status: 500 }
      cursors.push(route.request().postDataJSON().cursor)
      if (cursors.length === 4) await held.promise
      await route.fulfill({ status, json: { object: 'webhook_replay', webhook_id: json.id, ...body } })
    })
    const dialog = page.getByRole('dialog', { name: 'Replay events' })
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByText('10,000 so far').waitFor()
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()
    await dialog.getByText('20,000 so far').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    held.resolve()
    await page.getByText('30,000 deliveries queued again. The rest was canceled.').waitFor()
    expect(cursors).toEqual([undefined, 'two', 'two', 'three'])
  })

  test('a disabled webhook is reported on every page of the team until it is removed', async () => {
    const url = endpointUrl().replace('/hooks', '/gone')
    const { json } = await dashboard.sender.post('/webhooks', { url })
    const page = await dashboard.open('/emails', { role: 'viewer' })
    await dashboard.sender.post(`/webhooks/${json.id}/test`, {})
    const banner = page.getByRole('alert').filter({ hasText: url })
    await banner.waitFor()
    await banner.getByRole('link').click()
    await page.getByText('This endpoint is disabled').waitFor()
    await dashboard.sender.delete(`/webhooks/${json.id}`)
    await page.goto(`/app/${dashboard.sender.id}/emails`)
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
    await banner.waitFor({ state: 'detached' })
  })

  test('the secret is sent only to users who may change webhooks', async () => {
    const { json } = await dashboard.sender.post('/webhooks', { url: `${endpointUrl()}/secret` })
    const admin = await dashboard.open(`/webhooks/${json.id}`, { role: 'admin' })
    await admin.getByRole('button', { name: 'Show secret' }).click()
    await admin.getByText(/whsec_/).waitFor()
    const viewer = await dashboard.open(`/webhooks/${json.id}`, { role: 'viewer' })
    expect(await viewer.getByRole('button', { name: 'Show secret' }).count()).toBe(0)
    const told = await viewer.evaluate(
      async ([path, team]) =>
        (await fetch(path ?? '', { headers: { 'x-sendwright-team': team ?? '' } })).text(),
      [`/webhooks/${json.id}`, dashboard.sender.id],
    )
    expect(told).toContain('"signing_secret":null')
  })
})

describe('operators', () => {
  test('pause a team, whose members see the reason, and resume it', async () => {
    const page = await dashboard.open('/app/operator/teams', { isOperator: true })
    const row = page.getByRole('row', { name: new RegExp(dashboard.sender.id) })
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Pause sending' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Please answer our question.')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause sending' }).click()
    await row.getByText('Paused').waitFor()
    const member = await dashboard.open('/emails', { role: 'member' })
    await member.getByText('Please answer our question.').waitFor()
    // No change is missed that happens between the load of a page and the opening of its stream of events.
    const resumed = Promise.withResolvers<void>()
    await member.route('**/events?*', (route) => resumed.promise.then(() => route.continue()))
    await member.reload()
    await member.getByText('Please answer our question.').waitFor()
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Resume sending' }).click()
    await row.getByText('Active').waitFor()
    resumed.resolve()
    await member.getByText('Please answer our question.').waitFor({ state: 'detached' })
  })

  test('other users neither see the area nor have access to its API', async () => {
    dashboard.allow(/401|403|404/)
    const page = await dashboard.open('/app/operator/health')
    await page.getByText('Page not found').waitFor()
    const status = await page.evaluate(async () => (await fetch('/operator/health')).status)
    expect([401, 403]).toContain(status)
  })
})

const PAGES = [
  '/domains',
  '/senders?new=true',
  '/api-keys',
  '/api-keys?new=true',
  '/smtp',
  '/webhooks',
  '/requests',
  '/usage',
  '/audit',
  '/app/operator/health',
  '/app/operator/teams',
  '/app/operator/queue',
  '/app/operator/sites',
  '/app/operator/shaping',
  '/app/operator/nodes',
]

test('no axe violations, and no horizontal scrolling', { timeout: MANY_PAGES_MS }, async () => {
  const looks = WIDE_OR_PHONE.map((look) => ({ ...look, isOperator: true }))
  expect(await faultsOf(dashboard, PAGES, looks)).toEqual([])
})
