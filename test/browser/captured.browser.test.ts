import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { setTrap, type Trap } from './support/trap.ts'

const dashboard = givenDashboard({ SENDWRIGHT_DELIVERY: 'capture' })
let trap: Trap
beforeAll(async () => {
  trap = await setTrap()
})
afterAll(() => trap.close())

test('messages appear when they are captured, and open next to the list', async () => {
  const page = await dashboard.open('/captured')
  await page.getByRole('heading', { name: 'The mailbox is empty' }).waitFor()
  await dashboard.sender.send({ to: 'ann@there.test', subject: 'For Ann', html: '<p>Dear <b>Ann</b></p>' })
  await dashboard.sender.send({
    to: 'bob@there.test',
    subject: 'For Bob',
    attachments: [{ filename: 'list.txt', content: Buffer.from('one').toString('base64') }],
  })
  await page.getByRole('link', { name: /For Ann/ }).click()
  await page.frameLocator('iframe').getByText('Dear Ann').waitFor()
  await page.getByRole('link', { name: /For Bob/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Text of the message' }).getByText('It works.').waitFor()
  await page.getByRole('tab', { name: 'Attachments' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download list.txt' }).click()
  expect((await download).suggestedFilename()).toBe('list.txt')
  const again = await dashboard.open(page.url().slice(dashboard.url.length))
  await again.getByRole('heading', { level: 2, name: 'For Bob' }).waitFor()
  await again.getByRole('link', { name: 'View email' }).click()
  await again.getByRole('heading', { level: 1, name: 'For Bob' }).waitFor()
})

test('a message of three megabytes does not hold its page, and says that it is cut', async () => {
  const row =
    '<tr><td style="padding:4px"><a href="https://shop.example/x">Item</a></td><td><b>12.00</b></td></tr>'
  const html = `<table>${row.repeat(30_000)}</table><p>The end</p>`
  const id = await dashboard.sender.send({ to: 'large@there.test', subject: 'Large', html, text: 'x' })
  await dashboard.sender.settled(id)
  const page = await dashboard.open('/captured')
  await page.getByRole('link', { name: /Large/ }).click()
  await page.getByText('The preview shows the first 256 KB of its HTML.').waitFor()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Item').first().waitFor()
  expect(await frame.locator('tr').count()).toBeLessThan(3000)
  expect(await frame.getByText('The end').count()).toBe(0)
})

test('a message runs no code and fetches nothing', async () => {
  dashboard.allow(/Content Security Policy|frame is sandboxed/)
  await dashboard.sender.send({
    // A display name cannot contain angle brackets (docs/validation.md); all other fields can.
    from: `"${trap.text.replace(/[<>"\\]/g, '')}" <evil@${dashboard.sender.domain}>`,
    to: 'evil@there.test',
    subject: trap.text,
    html: trap.html,
    text: trap.text,
    headers: { 'X-Evil': trap.text },
    attachments: [{ filename: 'x"><img src=x onerror=top.pwned=1>.svg', content: 'PHN2Zy8+' }],
  })
  const page = await dashboard.open('/captured')
  await page.getByRole('link', { name: /pwned/ }).click()
  await page.frameLocator('iframe').getByText('The end of this text is here.').waitFor()
  for (const tab of ['Text', 'Headers', 'Source', 'Attachments']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  }
  await trap.expectUnsprung(page)
})

test('a phone shows either the list or the open message', async () => {
  const page = await dashboard.open('/captured', { width: 390 })
  const messages = page.getByRole('navigation', { name: 'Messages' })
  await messages.getByRole('link', { name: /For Bob/ }).click()
  await page.getByRole('heading', { level: 2, name: 'For Bob' }).waitFor()
  expect(await messages.isVisible()).toBe(false)
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'All messages' }).click()
  await messages.waitFor()
  expect(await overflowOf(page)).toBe(0)
})

test.each(['light', 'dark'] as const)('no axe violations (%s)', async (scheme) => {
  const page = await dashboard.open('/captured', { scheme })
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: /For Ann/ }).click()
  await page.getByRole('heading', { level: 2, name: 'For Ann' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('a viewer can read the mailbox but not empty it; a member can empty it', async () => {
  const viewer = await dashboard.open('/captured', { role: 'viewer' })
  await viewer.getByRole('link', { name: /For Bob/ }).waitFor()
  expect(await viewer.getByRole('button', { name: 'Empty mailbox' }).count()).toBe(0)
  const member = await dashboard.open('/captured', { role: 'member' })
  await member.getByRole('button', { name: 'Empty mailbox' }).click()
  await member.getByRole('dialog').getByRole('button', { name: 'Empty mailbox' }).click()
  await member.getByRole('heading', { name: 'The mailbox is empty' }).waitFor()
  expect((await dashboard.sender.get('/captured')).json.data).toEqual([])
})

test('html that hides properties of its document (DOM clobbering) is shown', async () => {
  const html = '<form><p>Words.</p><input name="attributes"><input name="parentNode"></form><img name="body">'
  await dashboard.sender.settled(
    await dashboard.sender.send({ to: 'ann@there.test', subject: 'Hides', html }),
  )
  const page = await dashboard.open('/captured')
  await page.getByRole('link', { name: /Hides/ }).click()
  await page.frameLocator('iframe').getByText('Words.').waitFor()
})

describe('account mail is not captured, and the dashboard shows where its link is', () => {
  const PRINTED = /This server captures mail, .* It printed the link in its terminal and log\./

  test('for an invitation', async () => {
    const page = await dashboard.open('/settings?invite=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('nora@people.test')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByRole('status').getByText(PRINTED).waitFor()
    expect((await dashboard.sender.get('/captured')).text).not.toContain('nora@people.test')
  })

  test('for a password reset', async () => {
    const page = await dashboard.page()
    await page.goto('/app/forgot')
    await page.getByText('it prints the reset link in its terminal and log').waitFor()
    await page.getByLabel('Email').fill('nobody@people.test')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('status').getByText('the server printed a link in its terminal and log').waitFor()
  })
})
