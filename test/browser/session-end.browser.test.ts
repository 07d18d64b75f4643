import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createPasswords } from '../../src/accounts/passwords/password-hash.ts'
import { PASSWORD } from '../support/people.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'
import { fillTemplates, type TemplateSample } from './support/sample-templates.ts'
import { chooseLogOut, logIn, logOut } from './support/signing-in.ts'

const dashboard = givenDashboard()
let sample: TemplateSample
beforeAll(async () => {
  sample = await fillTemplates(dashboard)
  const hash = await createPasswords().hash(PASSWORD)
  for (const role of ['owner', 'admin'] as const) {
    const { user } = await dashboard.person(role)
    await dashboard.service.db.query('update user_account set password_hash = $2 where id = $1', [
      user.id,
      hash,
    ])
  }
})

const sessionStatus = (page: Page) => page.evaluate(() => fetch('/session').then(({ status }) => status))

/** Ends the owner's sessions, and waits until the server knows: it remembers a session for less than a second. */
async function endSessions(page: Page): Promise<void> {
  const { user } = await dashboard.person('owner')
  await dashboard.service.db.query('delete from session where user_id = $1', [user.id])
  await expect.poll(() => sessionStatus(page)).toBe(401)
}
const loginOf = async (role: 'owner' | 'admin') => {
  const { user } = await dashboard.person(role)
  return { email: user.email, password: PASSWORD }
}
const subjectOf = (page: Page) => page.getByRole('textbox', { name: /^Subject/ })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })
const leaveDialogOf = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const keptIn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('sendwright-draft')))
const offer = (page: Page) => page.getByText('You have changes that were not saved')
const templatePath = () => `/templates/${sample.templateId}`

test('the password is asked for over the page, which keeps what is being written', async () => {
  const page = await dashboard.open(templatePath())
  await subjectOf(page).fill('Written before the session ended')
  await endSessions(page)
  await page.keyboard.press('ControlOrMeta+S')
  const dialog = dialogOf(page)
  await dialog.waitFor()
  expect(await violationsOf(page)).toEqual([])
  // The dialog alone says it, and offers no way around it.
  expect(await page.getByText(/API key/).count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.getByLabel(/^Password of /).fill('wrong password')
  await page.keyboard.press('Enter')
  await dialog.getByText('The email address or the password is wrong.').waitFor()
  await dialog.getByLabel(/^Password of /).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await subjectOf(page).inputValue()).toBe('Written before the session ended')
  await page.keyboard.press('ControlOrMeta+S')
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor()
  await expect.poll(() => keptIn(page)).toEqual([])
})

test('changes that were not saved are offered to the same user alone, and go with the logout', async () => {
  const page = await dashboard.open(templatePath())
  await subjectOf(page).fill('Lost with its window')
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  await endSessions(page)
  await page.keyboard.press('ControlOrMeta+S')
  await dialogOf(page).getByRole('link', { name: 'Log in another way' }).click()

  await logIn(page, await loginOf('admin'))
  await page.waitForURL(/templates/)
  await ready(page)
  expect(await offer(page).count()).toBe(0)
  await logOut(page)
  expect(await keptIn(page)).toHaveLength(1)

  await logIn(page, await loginOf('owner'))
  await page.getByRole('button', { name: /^You: / }).waitFor()
  await page.goto(`/app/${dashboard.sender.id}${templatePath()}`)
  await offer(page).waitFor()
  expect(await page.getByText('Since then, someone saved').count()).toBe(0)
  await dashboard.sender.put(templatePath(), { name: 'Of someone else' })
  await page.reload()
  await page.getByText('Since then, someone saved this template.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  expect(await subjectOf(page).inputValue()).toBe('Lost with its window')
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  // A second question, of the browser, would hold the page.
  page.on('dialog', (dialog) => void dialog.dismiss())
  await chooseLogOut(page)
  await leaveDialogOf(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByText('You are logged out.').waitFor()
  expect(await keptIn(page)).toEqual([])
})

test('a logout asks about changes that were not saved before the session ends', async () => {
  const page = await dashboard.open(templatePath())
  await subjectOf(page).fill('Saved with the logout')
  await chooseLogOut(page)
  await leaveDialogOf(page).getByRole('button', { name: 'Stay' }).click()
  await leaveDialogOf(page).waitFor({ state: 'detached' })
  expect(await sessionStatus(page)).toBe(200)
  expect(await subjectOf(page).inputValue()).toBe('Saved with the logout')
  await expect.poll(() => keptIn(page)).toHaveLength(1)

  await chooseLogOut(page)
  await leaveDialogOf(page).getByRole('button', { name: 'Save and leave' }).click()
  await page.getByText('You are logged out.').waitFor()
  expect(await sessionStatus(page)).toBe(401)
  expect(await keptIn(page)).toEqual([])
  const { json: draft } = await dashboard.sender.get(`${templatePath()}/draft`)
  expect(draft.subject).toBe('Saved with the logout')
})

test('a logout in another tab closes the page at once, also with changes that were not saved', async () => {
  const page = await dashboard.open(templatePath())
  await subjectOf(page).fill('Not for the next user')
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  const other = await page.context().newPage()
  await other.goto(`/app/${dashboard.sender.id}/emails`)
  await ready(other)
  await logOut(other)
  await page.getByText('Your session has ended. Log in to continue where you left off.').waitFor()
  expect(await subjectOf(page).count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('next')).toContain(templatePath())
  expect(await keptIn(page)).toEqual([])
})

test('a page of one user is not shown to the next one', async () => {
  const page = await dashboard.open('/lists?new=true')
  await page.getByRole('dialog').getByLabel('Name').fill('Written by the owner')
  const { user, logIn: logInAdmin } = await dashboard.person('admin')
  const cookie = { name: 'sendwright_session', value: await logInAdmin(), url: dashboard.url }
  await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  // The session is read again when the window is looked at after a while.
  await page.clock.install()
  await page.clock.fastForward('01:00')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('button', { name: `You: ${user.name}` }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.url()).not.toContain('lists')
})

test('after the end of the session, “Log out” leads to the login', async () => {
  const page = await dashboard.open('/emails')
  await endSessions(page)
  await logOut(page)
  await page.getByText('You are logged out.').waitFor()
})

test('a download asks for the login after the end of the session', async () => {
  const page = await dashboard.open('/contacts')
  await endSessions(page)
  await page.getByRole('button', { name: 'Export' }).click()
  await dialogOf(page).waitFor()
})

test('an action on several rows asks once for the login, and the rows stay chosen', async () => {
  const emails = Array.from({ length: 6 }, (_, no) => `several${no}@session.test`)
  for (const email of emails) await dashboard.sender.post('/contacts', { email })
  const page = await dashboard.open('/contacts?q=several')
  for (const email of emails) await page.getByRole('checkbox', { name: `Choose ${email}` }).check()
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete 6' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contacts' }).click()
  }
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
  await endSessions(page)
  await remove()
  const dialog = dialogOf(page)
  await dialog.getByLabel(/^Password of /).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByText(/failed/).count()).toBe(0)
  // Four are sent at a time, and none after the first response.
  expect(sent).toHaveLength(4)
  await remove()
  await page.getByText('6 contacts deleted.').waitFor()
})

test('changes that were not saved are forgotten after a day', async () => {
  const page = await dashboard.open(templatePath())
  await subjectOf(page).fill('A day old')
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith('sendwright-draft')) continue
      const kept = JSON.parse(localStorage.getItem(name) ?? '') as { keptAt: number }
      localStorage.setItem(name, JSON.stringify({ ...kept, keptAt: kept.keptAt - 86_400_000 }))
    }
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  await page.goto(`/app/${dashboard.sender.id}/emails`)
  await ready(page)
  expect(await keptIn(page)).toEqual([])
})
