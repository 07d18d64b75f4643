import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'

const dashboard = givenDashboard()
/** More than a page of the list holds. */
const COUNT = 60

test('a list that is scrolled stays as it is while emails are accepted, says so, and begins anew when asked', async () => {
  await Promise.all(
    Array.from({ length: COUNT }, (_, index) => dashboard.sender.send({ subject: `Old ${index}` })),
  )
  const page = await dashboard.open('/emails')
  await page.mouse.wheel(0, 20_000)
  // With the row of headings.
  await expect.poll(() => page.getByRole('row').count(), { timeout: 10_000 }).toBe(COUNT + 1)
  await dashboard.sender.send({ subject: 'Came meanwhile' })
  const button = page.getByRole('button', { name: 'Show what is new' })
  await button.waitFor()
  expect(await page.getByRole('row', { name: /Came meanwhile/ }).count()).toBe(0)
  // In sight of whoever is at the end of the list.
  expect(await page.evaluate('window.scrollY')).toBeGreaterThan(0)
  expect((await button.boundingBox())?.y).toBeGreaterThan(0)
  expect(await violationsOf(page)).toEqual([])
  await button.click()
  await page.getByRole('row', { name: /Came meanwhile/ }).waitFor()
  await button.waitFor({ state: 'detached' })
  expect(await page.evaluate('window.scrollY')).toBe(0)
})

test('however much happens, a page asks a few times and not at every event', async () => {
  const page = await dashboard.open('/emails')
  let asked = 0
  page.on('request', (request) => {
    if (/\/emails\?/.test(request.url())) asked += 1
  })
  for (let round = 0; round < 5; round++) {
    const sent = Array.from({ length: 20 }, () => dashboard.sender.send({ subject: `Round ${round}` }))
    await Promise.all(sent)
  }
  await dashboard.sender.send({ subject: 'The last of them' })
  await page.getByRole('row', { name: /The last of them/ }).waitFor()
  // One second, then two, four and eight between them; each event would be two hundred.
  expect(asked).toBeLessThan(12)
})
