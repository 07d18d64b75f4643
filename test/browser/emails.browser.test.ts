import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenDashboard, visit } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS, WIDE_OR_PHONE } from './support/faults.ts'
import { fillEmails, type SampleEmails } from './support/sample-emails.ts'
import { setTrap, type Trap } from './support/trap.ts'

const dashboard = givenDashboard()
let sample: SampleEmails
let trap: Trap
beforeAll(async () => {
  trap = await setTrap()
  sample = await fillEmails(dashboard)
})
afterAll(() => trap.close())

describe('the list', () => {
  test('a newly accepted email appears without a reload, and links to its page', async () => {
    const page = await dashboard.open('/emails')
    await page.evaluate('window.isSame = true')
    await dashboard.sender.send({ subject: 'Appears by itself' })
    const row = page.getByRole('row', { name: /Appears by itself/ })
    await row.getByText('Delivered', { exact: true }).waitFor()
    expect(await page.evaluate('window.isSame')).toBe(true)
    await row.getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Appears by itself' }).waitFor()
  })

  test('filters are in the URL: a link shows the same emails, and one click clears them', async () => {
    const page = await dashboard.open('/emails')
    await page.getByLabel('Search emails').fill('week at')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Recipient').fill('delivered+finn@simulator.test')
    await page.waitForURL(/q=week.*to=delivered/)
    const again = await dashboard.open(page.url().slice(dashboard.url.length))
    expect(await again.getByRole('row').count()).toBe(2)
    expect(await again.getByLabel('Recipient').inputValue()).toBe('delivered+finn@simulator.test')
    await again.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => again.getByRole('row').count()).toBeGreaterThan(2)
  })

  test('the search box finds a pasted recipient, and a tag', async () => {
    const page = await dashboard.open('/emails')
    for (const typed of ['Ann Archer <delivered+ann@simulator.test>', 'kind:order']) {
      await page.getByLabel('Search emails').fill(typed)
      await expect.poll(() => page.getByRole('row').count(), { message: typed }).toBe(2)
      await page.getByRole('row', { name: /Your order/ }).waitFor()
    }
  })

  test('the search box finds the start of an address, a sender, an id and a Message-ID, each by one request', async () => {
    const { db } = dashboard.service
    const { id } = dashboard.sender
    const [email] = await db.query<{ messageId: string }>(
      'select message_id from email where team_id = $1 and id = $2',
      [id, sample.mixedId],
    )
    const page = await dashboard.open('/emails', { isLoaded: true })
    const requests: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/emails') requests.push(request.url())
    })
    for (const typed of [
      'delivered+an',
      'bounced+bob@sim',
      'orders@',
      sample.mixedId,
      `<${email?.messageId}>`,
    ]) {
      requests.length = 0
      await page.getByLabel('Search emails').fill(typed)
      await expect.poll(() => page.getByRole('row').count(), { message: typed }).toBe(2)
      await page.getByRole('row', { name: /Your order/ }).waitFor()
      expect(requests, typed).toHaveLength(1)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(2)
    }
  })

  test('mail that only the simulator received is marked', async () => {
    const page = await dashboard.open('/emails?status=scheduled')
    await page
      .getByRole('row', { name: /Your week/ })
      .getByText('Simulated', { exact: true })
      .waitFor()
    const id = await dashboard.sender.send({ to: 'ann@there.test', subject: 'To a person' })
    await visit(page, `/app/${dashboard.sender.id}/emails/${id}`)
    await page.getByRole('heading', { level: 1, name: 'To a person' }).waitFor()
    expect(await page.getByText('Simulated', { exact: true }).count()).toBe(0)
  })

  test('each filter of the API finds matching emails', async () => {
    const { domainId, domain } = dashboard.sender
    const today = new Date().toISOString().slice(0, 10)
    const found = {
      'status=scheduled': 1,
      'tag=kind:order': 1,
      [`from=orders@${domain}`]: 1,
      [`domain_id=${domainId}&q=order`]: 1,
      [`start_date=${today}&q=order`]: 1,
      'end_date=2026-01-01': 0,
    }
    const page = await dashboard.open('/emails')
    for (const [search, count] of Object.entries(found)) {
      await visit(page, `/app/${dashboard.sender.id}/emails?${search}`)
      if (count === 0) await page.getByRole('heading', { name: 'No matching emails' }).waitFor()
      else await expect.poll(() => page.getByRole('row').count(), { message: search }).toBe(count + 1)
    }
  })
})

describe('one email', () => {
  test('shows the result and reason for each recipient; the URL contains the recipient', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}`)
    await page.getByRole('heading', { level: 3, name: 'bounced+bob@simulator.test' }).waitFor()
    await page.getByText('Remove the address from your lists.').waitFor()
    await page.getByText('550 5.1.1 No such user (simulated)').first().waitFor()
    await page
      .getByRole('navigation', { name: 'Recipients' })
      .getByRole('link', { name: /deferred\+cleo/ })
      .click()
    await page.waitForURL(/recipient=deferred/)
    await page.getByText(/The next attempt is at/).waitFor()
    const again = await dashboard.open(page.url().slice(dashboard.url.length))
    await again.getByRole('heading', { level: 3, name: 'deferred+cleo@simulator.test' }).waitFor()
  })

  test('shows the cause first, with the reply, the stages and the next step; recipients and tags are links', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}`)
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('The address does not exist.', { exact: true }).waitFor()
    await result.getByText('550 5.1.1 No such user (simulated)').waitFor()
    const stages = page.getByRole('list', { name: 'Progress' }).getByRole('listitem')
    await stages.filter({ hasText: 'Bounced' }).waitFor()
    expect(await stages.first().textContent()).toMatch(/^Accepted.*\d:\d\d:\d\d/)
    await page.getByText('Details', { exact: true }).click()
    await page.getByText(sample.mixedId, { exact: true }).waitFor()
    await result.getByRole('link', { name: 'View suppression' }).click()
    await page.waitForURL(/suppressions\?q=bounced/)
    await page.goBack()
    await page.getByRole('link', { name: 'kind: order' }).click()
    await page.waitForURL(/emails\?tag=kind/)
    await page.goBack()
    await page.getByRole('link', { name: 'delivered+ann@simulator.test', exact: true }).click()
    await page.waitForURL(/emails\?to=delivered/)
    await page
      .getByRole('row', { name: /Your order/ })
      .first()
      .waitFor()
  })

  test('joins equal attempts, and equal events, into one row', async () => {
    const id = await dashboard.sender.send({ to: 'deferred+gus@simulator.test', subject: 'Often' })
    await dashboard.sender.seen(id, ({ status }) => status === 'delivery_delayed')
    const page = await dashboard.open('/emails')
    const repeat = <T extends object>(each: T, change: (index: number) => Partial<T>) =>
      Array.from({ length: 128 }, (_, index) => ({ ...each, ...change(index) }))
    const { json: email } = await dashboard.sender.get(`/emails/${id}`)
    const { json: attempts } = await dashboard.sender.get(`/emails/${id}/attempts`)
    const deferral = email.events.find(({ type }: { type: string }) => type === 'email.delivery_delayed')
    const events = repeat(deferral, (index) => ({ id: String(index) }))
    const data = repeat(attempts.data[0], (index) => ({ attempt: index + 1 }))
    await page.route(`**/emails/${id}`, (route) => route.fulfill({ json: { ...email, events } }))
    await page.route(`**/emails/${id}/attempts`, (route) => route.fulfill({ json: { ...attempts, data } }))
    await visit(page, `/app/${dashboard.sender.id}/emails/${id}`)
    await page.getByRole('button', { name: 'Attempts 1 to 128' }).waitFor()
    await page.getByRole('region', { name: 'Timeline' }).getByText('Deferred 128×').waitFor()
    expect(await page.getByRole('button', { name: /^Attempts? / }).count()).toBe(1)
  })

  test('shows the transcript with a server that defers', async () => {
    const destination = dashboard.service.givenDestination()
    dashboard.service.mx.recipients[`busy@${destination}`] = '452 4.2.2 Mailbox full, try later'
    const id = await dashboard.sender.send({ to: `busy@${destination}`, subject: 'Waits' })
    await dashboard.sender.seen(id, ({ status }) => status === 'delivery_delayed')
    const page = await dashboard.open(`/emails/${id}`)
    const conversation = page.getByRole('region', { name: 'SMTP transcript' })
    await conversation.getByText(`RCPT TO:<busy@${destination}>`).waitFor()
    await conversation.getByText('452 4.2.2 Mailbox full, try later').waitFor()
  })

  test('shows its content: preview, text, html, headers, source, files; each with a link', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}`)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Thank you, Ann.').waitFor()
    await page.getByText('1 remote image blocked').waitFor()
    await expect
      .poll(() => frame.getByAltText('Harbour Coffee').getAttribute('src'))
      .toMatch(/^data:image\/png/)
    await page.getByText('Phone', { exact: true }).first().click()
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(375)
    await page.getByText('Dark', { exact: true }).first().click()
    await page.getByText('The email sets colours but does not declare dark mode support').waitFor()
    await page.getByRole('tab', { name: 'Source' }).click()
    await page.waitForURL(/tab=source/)
    await page.getByText(/DKIM-Signature: v=1/).waitFor()
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.getByRole('row', { name: /Subject.*Your order/ }).waitFor()
    await page.getByRole('tab', { name: 'Attachments' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Invoice 2026-0117.pdf' }).click()
    expect((await download).suggestedFilename()).toBe('Invoice 2026-0117.pdf')
  })

  test('is shown on a dark background with its dark colors', async () => {
    const id = await dashboard.sender.send({
      html: '<style>@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }</style><p>Words</p>',
    })
    const page = await dashboard.open(`/emails/${id}`)
    const color = () =>
      page
        .frameLocator('iframe')
        .getByText('Words')
        .evaluate((words) => getComputedStyle(words).color)
    expect(await color()).toBe('rgb(0, 0, 0)')
    await page.getByText('Dark', { exact: true }).first().click()
    await expect.poll(color).toBe('rgb(1, 2, 3)')
  })

  test('is resent to recipients that it did not reach', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}?dialog=resend`)
    await page.getByRole('radio', { name: 'Only failed recipients (1)' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(sample.mixedId))
    await page.getByRole('link', { name: 'bounced+bob@simulator.test' }).waitFor()
  })

  test('is resent once, even if the first response is lost', async () => {
    dashboard.allow(/ERR_FAILED/)
    const id = await dashboard.sender.send({ subject: 'Again but once' })
    const page = await dashboard.open(`/emails/${id}?dialog=resend`)
    await page.route(
      '**/resend',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const again = page.getByRole('dialog').getByRole('button', { name: 'Send again' })
    await again.click()
    await page.getByRole('dialog').getByText('The server cannot be reached.').waitFor()
    await again.click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    const found = async () => (await dashboard.sender.get('/emails?search=Again%20but%20once')).json.data
    expect(await found()).toHaveLength(2)
  })

  test('is rescheduled, and canceled', async () => {
    const id = await dashboard.sender.send({
      subject: 'Later',
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const page = await dashboard.open(`/emails/${id}`)
    await page.getByRole('button', { name: 'Reschedule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Time').fill('2020-01-01T10:00')
    dashboard.allow(/422/)
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await dialog.getByText(/scheduled_at field/).waitFor()
    const next = `${new Date().getFullYear() + 1}-01-15T10:30`
    await dialog.getByLabel('Time').fill(next)
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await dialog.waitFor({ state: 'detached' })
    // Berlin is an hour ahead of UTC in January.
    expect((await dashboard.sender.get(`/emails/${id}`)).json.scheduled_at).toBe(
      `${next.slice(0, 10)} 09:30:00`,
    )
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel email' }).click()
    await page.getByText('Canceled').first().waitFor()
    expect((await dashboard.sender.get(`/emails/${id}`)).json.status).toBe('canceled')
  })

  test('can be shared by a public link that expires, and the audit log has an entry for it', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Share email' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('The link expires after').click()
    await page.getByRole('option', { name: '7 days' }).click()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('The link expires').waitFor()
    const expiresAt = await dialog.locator('time').getAttribute('datetime')
    const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    const url = await page.evaluate(() => navigator.clipboard.readText())
    const shared = await fetch(`${dashboard.url}${new URL(url).pathname}`)
    expect([shared.status, await shared.text()]).toEqual([200, expect.stringContaining('Thank you, Ann.')])
    const { json } = await dashboard.sender.get('/audit?limit=20')
    expect(json.data).toContainEqual(expect.objectContaining({ action: 'emails.share' }))
  })

  test('suppresses its recipients, and restores them by undo', async () => {
    const page = await dashboard.open(`/emails/${sample.delayedId}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'deferred+eve@simulator.test' }).click()
    const listed = async () =>
      (await dashboard.sender.get('/suppressions/deferred%2Beve@simulator.test')).status
    await expect.poll(listed).toBe(200)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(listed).toBe(404)
  })

  test('shows when its content is no longer stored', async () => {
    const id = await dashboard.sender.send({ subject: 'Erased' })
    await dashboard.sender.settled(id)
    const { db } = dashboard.service
    await db.query('delete from email_content where team_id = $1 and email_id = $2', [
      dashboard.sender.id,
      id,
    ])
    const page = await dashboard.open(`/emails/${id}`)
    await page.getByText('The content is no longer available').waitFor()
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  })

  test('offers a viewer no changes', async () => {
    const page = await dashboard.open(`/emails/${sample.mixedId}`, { role: 'viewer' })
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor()
    expect(await page.getByRole('menuitem').count()).toBe(1)
  })
})

test('third-party content runs no code and fetches nothing', async () => {
  // The frame and its policy stop what reaches the browser, which reports it.
  dashboard.allow(/Content Security Policy|frame is sandboxed/)
  const { sender, service } = dashboard
  const destination = service.givenDestination()
  service.mx.recipients[`evil@${destination}`] = `550 5.1.1 ${trap.text}`
  const id = await sender.send({
    // A display name cannot contain angle brackets (docs/validation.md); all other fields can.
    from: `"${trap.text.replace(/[<>"\\]/g, '')}" <evil@${sender.domain}>`,
    to: `evil@${destination}`,
    subject: trap.text,
    html: trap.html,
    text: trap.text,
    headers: { 'X-Evil': trap.text },
    attachments: [
      {
        filename: `${trap.text.replaceAll('/', '')}.html`,
        content: Buffer.from(trap.html).toString('base64'),
      },
      {
        filename: 'x.svg',
        content: Buffer.from('<svg onload="top.pwned=1"/>').toString('base64'),
        content_id: 'x',
      },
    ],
  })
  await sender.settled(id)
  const page = await dashboard.open('/emails')
  page.on('dialog', () => expect.unreachable('A dialog was opened.'))
  await page.getByRole('row', { name: /pwned/ }).first().waitFor()
  for (const tab of ['preview', 'text', 'html', 'headers', 'source', 'attachments']) {
    const path = `/app/${sender.id}/emails/${id}?tab=${tab}`
    await (tab === 'preview' ? page.goto(path) : visit(page, path))
    await page.getByRole('heading', { level: 1, name: /pwned/ }).waitFor()
    await page.getByRole('tabpanel').waitFor()
    await page.getByRole('region', { name: 'SMTP transcript' }).waitFor()
    if (tab !== 'preview') continue
    const frame = page.frameLocator('iframe')
    await frame.getByText('The end of this text is here.').waitFor()
    await frame.getByText('A link').click()
    await frame.getByText('Another').click()
    await page.getByText(/remote images blocked/).waitFor()
  }
  await trap.expectUnsprung(page)
})

test('no axe violations, light or dark, and the pages fit on a phone', {
  timeout: MANY_PAGES_MS,
}, async () => {
  const email = `/emails/${sample.mixedId}`
  const paths = [
    ...['/emails', '/emails?to=nobody@x.test', email],
    ...[`${email}?tab=headers&dialog=resend`, `${email}?dialog=share`],
  ]
  const looks = [...WIDE_OR_PHONE, { width: 1440, scheme: 'dark' as const }]
  expect(await faultsOf(dashboard, paths, looks)).toEqual([])
})
