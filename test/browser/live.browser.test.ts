import { expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'

const dashboard = givenDashboard()
/** More than a page of the list. */
const COUNT = 60

test('a scrolled list stays unchanged while emails are accepted, shows their number, and reloads on request', async () => {
  await Promise.all(
    Array.from({ length: COUNT }, (_, index) => dashboard.sender.send({ subject: `Old ${index}` })),
  )
  const page = await dashboard.open('/emails')
  await page.mouse.wheel(0, 20_000)
  // Includes the header row.
  await expect.poll(() => page.getByRole('row').count(), { timeout: 10_000 }).toBe(COUNT + 1)
  await dashboard.sender.send({ subject: 'Came meanwhile' })
  const button = page.getByRole('button', { name: 'Show new rows' })
  await button.waitFor()
  expect(await page.getByRole('row', { name: /Came meanwhile/ }).count()).toBe(0)
  // The button is visible at the end of the list.
  expect(await page.evaluate('window.scrollY')).toBeGreaterThan(0)
  expect((await button.boundingBox())?.y).toBeGreaterThan(0)
  // Of a row that is half below the header row, the checkbox counts as too small.
  await page.evaluate('document.querySelectorAll("tbody tr[data-index]")[9].scrollIntoView()')
  expect(await violationsOf(page)).toEqual([])
  await button.click()
  await page.getByRole('row', { name: /Came meanwhile/ }).waitFor()
  await button.waitFor({ state: 'detached' })
  expect(await page.evaluate('window.scrollY')).toBe(0)
})

test('a page sends few requests, not one for every event', async () => {
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
  // The intervals are one, two, four and eight seconds; a request for each event would make two hundred.
  expect(asked).toBeLessThan(12)
})
