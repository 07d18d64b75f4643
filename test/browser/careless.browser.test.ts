import { expect, test } from 'vitest'
import { givenDashboard, ready } from './support/dashboard.ts'

const dashboard = givenDashboard()

test('eight tabs of one browser all load and update', async () => {
  const first = await dashboard.open('/emails')
  const tabs = [first]
  for (let count = 1; count < 8; count++) {
    const tab = await first.context().newPage()
    await tab.goto(first.url())
    await ready(tab)
    tabs.push(tab)
  }
  await dashboard.sender.send({ subject: 'Seen in all of them' })
  await Promise.all(tabs.map((tab) => tab.getByRole('row', { name: /Seen in all of them/ }).waitFor()))
  await first.close()
  await dashboard.sender.send({ subject: 'Seen without the first' })
  await Promise.all(
    tabs.slice(1).map((tab) => tab.getByRole('row', { name: /Seen without the first/ }).waitFor()),
  )
})

test('pressing Enter or clicking twice creates one record', async () => {
  const page = await dashboard.open('/lists?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Only once')
  await dialog.getByLabel('Name').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit()
    field.form?.requestSubmit()
  })
  await dialog.waitFor({ state: 'detached' })
  const { json } = await dashboard.sender.get('/lists')
  expect(json.data.filter(({ name }: { name: string }) => name === 'Only once')).toHaveLength(1)
})

test('logging out in one tab leads the other to the login at once', async () => {
  const page = await dashboard.open('/emails')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await ready(other)
  await page.getByRole('button', { name: /^You: / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.getByText('You are logged out.').waitFor()
  await other.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(other.url()).toContain('next=')
})

test('without a secure context, copying and live updates still work', async () => {
  const page = await dashboard.open('/lists?new=true')
  await page.context().addInitScript(() => {
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
    Reflect.deleteProperty(Navigator.prototype, 'clipboard')
    Reflect.deleteProperty(Navigator.prototype, 'locks')
  })
  await page.reload()
  await page.getByRole('dialog').getByLabel('Name').fill('By http')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`/app/${dashboard.sender.id}/settings`)
  await page.getByRole('button', { name: 'Copy ID' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false)
})
