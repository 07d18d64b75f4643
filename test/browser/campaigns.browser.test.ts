import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { BROWSER } from '../support/personal-data.ts'
import { violationsOf } from './support/axe.ts'
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
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)

/** Returns a time as the value of a field of the page, in its time zone. */
const inputFor = (page: Page, at: Date) =>
  page.evaluate((ms) => {
    const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
    return local.toISOString().slice(0, 16)
  }, at.getTime())

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('a campaign', () => {
  test('is created, completed, scheduled when nothing is missing, and unscheduled', async () => {
    const page = await dashboard.open('/campaigns?new=true')
    await page.getByRole('dialog').getByLabel('Name').fill('Autumn')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Autumn' }).waitFor()

    await page.getByRole('button', { name: 'Schedule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'sender_id' }).waitFor()
    await dialog.getByRole('button', { name: 'Keep as draft' }).click()

    await pick(page, 'Sender', 'Harbour News')
    await pick(page, 'Send to', 'Newsletter')
    await page.getByText('Custom HTML').click()
    await page.getByLabel('Subject').fill('Autumn is here')
    await page.getByRole('textbox', { name: 'HTML' }).fill('<p>Leaves <script>parent.hacked=1</script></p>')
    await page.frameLocator('iframe').getByText('Leaves').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Campaign saved.').waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('Scheduled', { exact: true }).waitFor()
    const path = `/campaigns/${idOf(page)}`
    expect(await get(path)).toMatchObject({
      status: 'scheduled',
      subject: 'Autumn is here',
      list_id: sample.listId,
    })
    await page.getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('Canceled', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Return to draft' }).click()
    await page.getByText('Draft', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Delete campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete campaign' }).click()
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor()
    expect((await dashboard.sender.get(path)).status).toBe(404)
  })

  test('is sent now, shows its progress, and can then only be renamed', async () => {
    const { json: list } = await dashboard.sender.post('/lists', { name: 'Few' })
    for (const no of [1, 2, 3])
      await dashboard.sender.post('/contacts', { email: `few${no}@few.test`, list_ids: [list.id] })
    const { json: template } = await dashboard.sender.get(`/campaigns/${sample.campaignId}`)
    const { json } = await dashboard.sender.post('/campaigns', {
      name: 'To a few',
      sender_id: template.sender_id,
      list_id: list.id,
      subject: 'Hello',
      text: 'Dear {{{FIRST_NAME|friend}}}',
    })
    const page = await dashboard.open(`/campaigns/${json.id}`)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    await page.getByText('3 of 3 contacts').waitFor()
    await page.getByRole('progressbar', { name: 'Progress' }).waitFor()
    expect(await get(`/campaigns/${json.id}`)).toMatchObject({ recipients: { accepted: 3 } })
    await page.getByText('Sent', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(Pause|Send now|Return)/ }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

  test('is sent as it was edited, unless the edits have errors', async () => {
    const { json: list } = await dashboard.sender.post('/lists', { name: 'Who get the edits' })
    await dashboard.sender.post('/contacts', {
      email: 'delivered+edits@simulator.test',
      list_ids: [list.id],
    })
    const { sender_id } = await get(`/campaigns/${sample.campaignId}`)
    const content = { sender_id, list_id: list.id, subject: 'Before', text: 'Hello' }
    const { json } = await dashboard.sender.post('/campaigns', { name: 'Edited', ...content })
    const path = `/campaigns/${json.id}`
    const page = await dashboard.open(path)
    const sendNow = async () => {
      await page.getByRole('button', { name: 'Send now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
    }
    const replies = page.getByLabel('Replies go to')
    await page.getByLabel('Subject').fill('After')
    await replies.fill('nobody')
    await sendNow()
    await page.getByText('Your changes could not be saved.').waitFor()
    expect(await replies.getAttribute('aria-invalid')).toBe('true')
    expect(await get(path)).toMatchObject({ status: 'draft', subject: 'Before' })

    await replies.fill('')
    await sendNow()
    await page.getByText('Sent', { exact: true }).waitFor()
    expect((await get(path)).subject).toBe('After')
    const [recipient] = (await get(`${path}/recipients`)).data
    expect((await get(`/emails/${recipient.email_id}`)).subject).toBe('After')
  })

  test('is scheduled with its edits and its pace, and nothing is left to save', async () => {
    const { sender_id } = await get(`/campaigns/${sample.campaignId}`)
    const content = { sender_id, list_id: sample.listId, subject: 'Before', text: 'Hello' }
    const { json } = await dashboard.sender.post('/campaigns', { name: 'Scheduled with edits', ...content })
    const page = await dashboard.open(`/campaigns/${json.id}`)
    await page.getByLabel('Subject').fill('After')
    await page.getByLabel('Emails per hour, at most').fill('100')
    await page.getByRole('button', { name: 'Schedule' }).click()
    const dialog = page.getByRole('dialog')
    const time = dialog.getByLabel('Time')
    const tomorrow = await time.inputValue()
    await time.fill('')
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expect.poll(() => time.evaluate((field) => field === document.activeElement)).toBe(true)
    await time.fill(tomorrow)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('Scheduled', { exact: true }).waitFor()
    const scheduled = { status: 'scheduled', subject: 'After', rate_per_hour: 100 }
    expect(await get(`/campaigns/${json.id}`)).toMatchObject(scheduled)
    await page.getByRole('link', { name: 'Emails', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor()
  })

  test('is checked, sent as a test and given its pace before it is sent', async () => {
    const { json } = await dashboard.sender.post('/campaigns', { name: 'Checked', text: 'Hello' })
    const page = await dashboard.open(`/campaigns/${json.id}`)
    const checks = page.getByRole('list', { name: 'Checks' })
    await checks.getByText('Blocks sending').first().waitFor()

    await pick(page, 'Sender', 'Harbour News')
    await pick(page, 'Send to', 'Newsletter')
    await page.getByLabel('Subject').fill('Harbour news')
    await page.getByLabel('Preview text').fill('Boats and more')
    await page.getByLabel('Replies go to').fill('replies@harbour.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Campaign saved.').waitFor()
    await checks.getByText('Blocks sending').first().waitFor({ state: 'detached' })
    await checks.getByText('Preview text not used').waitFor()
    const path = `/campaigns/${json.id}`
    expect(await get(path)).toMatchObject({
      preview_text: 'Boats and more',
      reply_to: 'replies@harbour.example',
    })

    await page.getByRole('button', { name: 'Send test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To').fill('delivered+test@simulator.test')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    const results = dialog.getByRole('status', { name: 'Results' })
    await results.getByText('delivered+test@simulator.test: Accepted.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    const sent = await results.getByRole('link', { name: 'View the email' }).last().getAttribute('href')
    expect(await get(`/emails/${sent?.split('/').at(-1)}`)).toMatchObject({ subject: '[Test] Harbour news' })
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await page.getByLabel('Emails per hour, at most').fill('500')
    await page.getByLabel('Send only at certain hours').check()
    await page.getByLabel('From', { exact: true }).fill('10:00')
    await page.getByText('Sun', { exact: true }).click()
    await pick(page, 'Time zone', 'UTC')
    await page.getByRole('button', { name: 'Change pace' }).click()
    await page.getByText('Pace changed.').waitFor()
    await page.getByRole('button', { name: 'Schedule' }).click()
    const estimate = page.getByRole('dialog').getByRole('status', { name: 'Estimate' })
    const at = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 86_400_000)
    await page
      .getByRole('dialog')
      .getByLabel('Time')
      .fill(await inputFor(page, at))
    await estimate.getByText(/^To [\d,]+ contacts, as of now/).waitFor()
    const { ends_at: endsAt } = await get(`${path}/estimate?scheduled_at=${at.toISOString()}`)
    await estimate.locator(`[data-at="${endsAt}"]`).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Keep as draft' }).click()
    expect(await get(path)).toMatchObject({
      rate_per_hour: 500,
      send_window: { from: '10:00', to: '18:00', time_zone: 'UTC', days: [1, 2, 3, 4, 5, 6] },
    })
    expect(await violationsOf(page)).toEqual([])
  })

  test('can be sent by the clock of each contact, which cannot be turned on after its start', async () => {
    const { sender_id } = await get(`/campaigns/${sample.campaignId}`)
    const content = { sender_id, list_id: sample.listId, subject: 'Hello', text: 'Hello' }
    const { json } = await dashboard.sender.post('/campaigns', { name: 'By clocks', ...content })
    const page = await dashboard.open(`/campaigns/${json.id}`)
    await page.getByLabel('Send only at certain hours').check()
    await page.getByLabel('By the clock of each contact').check()
    await page.getByRole('button', { name: 'Change pace' }).click()
    await page.getByText('Pace changed.').waitFor()
    expect((await get(`/campaigns/${json.id}`)).send_window).toMatchObject({ by_contact: true })

    const pace = { send_window: { from: '00:00', to: '00:01', time_zone: 'UTC' }, rate_per_hour: 1 }
    const started = await dashboard.sender.post('/campaigns', { name: 'Begun', ...content, ...pace })
    for (const verb of ['send', 'pause'])
      await dashboard.sender.post(`/campaigns/${started.json.id}/${verb}`, {})
    await visit(page, `/app/${dashboard.sender.id}/campaigns/${started.json.id}`)
    await page.getByText('Paused', { exact: true }).first().waitFor()
    expect(await page.getByLabel('By the clock of each contact').isDisabled()).toBe(true)
  })

  test('lists its recipients by state, retries those that failed, and reports its results', async () => {
    const { json: list } = await dashboard.sender.post('/lists', { name: 'Some lack a name' })
    const give = async (user: string, values: object) => {
      const contact = { email: `delivered+${user}@simulator.test`, list_ids: [list.id], ...values }
      return (await dashboard.sender.post('/contacts', contact)).json
    }
    await give('named1', { first_name: 'Ann' })
    await give('named2', { first_name: 'Ben' })
    const nameless = await give('nameless', {})
    const { sender_id } = await get(`/campaigns/${sample.campaignId}`)
    const content = { subject: 'Hello', text: 'Dear {{{FIRST_NAME}}}' }
    const body = { name: 'By name', sender_id, list_id: list.id, ...content }
    const { json } = await dashboard.sender.post('/campaigns', body)
    await dashboard.sender.post(`/campaigns/${json.id}/send`, {})
    const page = await dashboard.open(`/campaigns/${json.id}`)
    const recipients = page.getByRole('table', { name: 'Recipients' })
    await recipients.getByText('delivered+named1@simulator.test').waitFor()
    await page.getByRole('button', { name: 'Retry 1 failed' }).waitFor()
    // The report appears above the filter, which it would move out of sight while its options are open.
    const providers = page.getByRole('region', { name: 'By mailbox provider' })
    const simulator = providers.getByRole('row').filter({ hasText: 'Simulator' })
    await simulator.getByRole('cell', { name: '2', exact: true }).first().waitFor()

    await pick(page, 'State', 'Failed')
    await recipients.getByText('delivered+named1@simulator.test').waitFor({ state: 'detached' })
    await recipients.getByText('delivered+nameless@simulator.test').waitFor()
    await recipients.getByText('The template variable FIRST_NAME is required.').waitFor()
    expect(await violationsOf(page)).toEqual([])

    await dashboard.sender.patch(`/contacts/${nameless.id}`, { first_name: 'Cleo' })
    await page.getByRole('button', { name: 'Retry 1 failed' }).click()
    await page.getByText('No matching recipients').waitFor()
    const reached = async () => (await get(`/campaigns/${json.id}`)).recipients
    await expect.poll(reached).toMatchObject({ accepted: 3, failed: 0 })

    await simulator.getByRole('cell', { name: '3', exact: true }).waitFor()
    await simulator.getByRole('cell', { name: '100 %' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('reports its funnel, clicked links and results by hour', async () => {
    const { service, sender } = dashboard
    await sender.patch(`/domains/${sender.domainId}`, { click_tracking: true })
    const { json: list } = await sender.post('/lists', { name: 'Who click' })
    for (const user of ['click1', 'click2'])
      await sender.post('/contacts', { email: `delivered+${user}@simulator.test`, list_ids: [list.id] })
    const { sender_id } = await get(`/campaigns/${sample.campaignId}`)
    const html = '<a href="https://shop.test/sale">Sale</a> <a href="https://shop.test/help">Help</a>'
    const body = { name: 'With links', sender_id, list_id: list.id, subject: 'Links', html }
    const { json } = await sender.post('/campaigns', body)
    await sender.post(`/campaigns/${json.id}/send`, {})
    const delivered = async () => (await get(`/campaigns/${json.id}/metrics`)).totals.delivered
    await expect.poll(delivered).toBe(2)
    // People need a moment to read.
    await service.db.query(
      "update delivery set updated_at = updated_at - interval '1 minute' where team_id = $1",
      [sender.id],
    )
    const page = await dashboard.open(`/campaigns/${json.id}`)
    await page.getByText('No clicks yet.').waitFor()
    for (const { email_id } of (await get(`/campaigns/${json.id}/recipients`)).data) {
      const raw = (await sender.get(`/emails/${email_id}/raw`)).text
      const [sale] = raw.replaceAll('=\r\n', '').match(/\/t\/c\/[\w.~-]+/) ?? []
      const headers = { 'user-agent': BROWSER }
      expect((await fetch(`${dashboard.url}${sale}`, { redirect: 'manual', headers })).status).toBe(302)
    }
    const links = page.getByRole('region', { name: 'Clicked links' })
    const row = links.getByRole('row').filter({ hasText: 'https://shop.test/sale' })
    await row.getByRole('cell', { name: '100 %' }).waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual(['2', '100 %', '2', '0'])
    expect(await links.getByText('https://shop.test/help').count()).toBe(0)
    const funnel = page.locator('dl.funnel > div')
    await expect.poll(() => funnel.filter({ hasText: 'Clicked' }).textContent()).toBe('Clicked2100 %')
    expect(await funnel.filter({ hasText: 'Recipients' }).textContent()).toBe('Recipients2100 %')

    await page.getByRole('figure').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByText('Opens and clicks', { exact: true }).click()
    await page.getByRole('figure').getByText('Clicked', { exact: true }).waitFor()
    await page.getByText('Table', { exact: true }).click()
    const hours = page.getByRole('region', { name: 'Over time' })
    await hours.getByRole('row').nth(1).getByRole('cell', { name: '2', exact: true }).first().waitFor()
    await page.waitForURL('**?view=table')
    expect(await violationsOf(page)).toEqual([])

    await visit(page, `/app/${sender.id}/campaigns`)
    const listed = page.getByRole('row').filter({ hasText: 'With links' })
    await listed.getByRole('progressbar', { name: 'Progress' }).last().waitFor()
    const [, ...shown] = await listed.getByRole('cell').allTextContents()
    expect(shown.slice(0, 3)).toEqual(['Sent', '2', '100 %'])
    expect(shown[4]).toBe('100 %')
    const onPhone = await dashboard.open('/campaigns', { width: 390 })
    await onPhone.getByText(/Delivered 100 % · Opened \d+ % · Clicked 100 %$/).waitFor()
  })

  test('is filtered by its status', async () => {
    const page = await dashboard.open('/campaigns?status=scheduled')
    await page.getByRole('link', { name: 'Newsletter of next month' }).waitFor()
    expect(await page.getByRole('link', { name: 'Spring offer' }).count()).toBe(0)
  })
})

test('a viewer can only read', async () => {
  const page = await dashboard.open(`/automations/${sample.automationId}`, { role: 'viewer' })
  await page.getByRole('tab', { name: 'Runs' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Save|Activate|Pause|Duplicate|Delete)/ }).count()).toBe(0)
  expect(await page.getByRole('tab', { name: 'Edit' }).count()).toBe(0)
  await visit(page, `/app/${dashboard.sender.id}/campaigns/${sample.campaignId}`)
  await page.getByRole('heading', { name: 'Spring offer' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Save|Schedule|Delete)/ }).count()).toBe(0)
  expect(await page.getByLabel('Subject').isDisabled()).toBe(true)
})

test('names and contents with markup are shown as text', async () => {
  const campaign = await dashboard.sender.post('/campaigns', {
    name: NASTY,
    subject: NASTY,
    text: NASTY,
    html: NASTY,
  })
  const automation = await dashboard.sender.post('/automations', { name: NASTY })
  const paths = [
    ...['/campaigns', `/campaigns/${campaign.json.id}`],
    ...['/automations', `/automations/${automation.json.id}`],
  ]
  const page = await dashboard.open('/lists')
  for (const path of paths) {
    await visit(page, `/app/${dashboard.sender.id}${path}`)
    await page.getByText('<img src=https://evil.test').first().waitFor()
    for (const frame of page.frames()) expect(await frame.evaluate('window.hacked')).toBeUndefined()
  }
})

test('no axe violations, and every page fits on a phone', { timeout: MANY_PAGES_MS }, async () => {
  const campaign = `/campaigns/${sample.campaignId}`
  const paths = [
    ...['/campaigns', campaign, `${campaign}?schedule=true`],
    ...['/automations', `/automations/${sample.automationId}`],
  ]
  expect(await faultsOf(dashboard, paths, [{ width: 390, scheme: 'dark' }])).toEqual([])
})
