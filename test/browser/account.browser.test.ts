import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, PASSWORD } from '../support/people.ts'
import { readBase32, totpCode } from '../support/totp.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { givenOwner, logIn, logInAs, logOut, OWNER } from './support/signing-in.ts'

const dashboard = givenDashboard({})
beforeAll(() => givenOwner(dashboard))

const STEP_MS = 30_000
const newPage = () => dashboard.page()

/** Opens the account page of the owner after a login. */
async function openAccount(): Promise<Page> {
  const page = await newPage()
  await logInAs(page, OWNER, '/app/login?next=/account')
  await page.getByRole('heading', { name: 'Profile and security' }).waitFor()
  await ready(page)
  return page
}

/** Adds a virtual authenticator that always confirms. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const section = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })

async function keepCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
  await dialog.waitFor()
  const codes = await dialog.getByRole('listitem').allTextContents()
  await dialog.getByLabel('I have saved them').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return codes
}

test('a changed name is shown as text everywhere', async () => {
  const page = await openAccount()
  const name = '"><img src=https://elsewhere.test/x onerror=alert(1)>'
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('button', { name: `You: ${name}` }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill(OWNER.name)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('button', { name: `You: ${OWNER.name}` }).waitFor()
})

test('a new password is validated next to its field, and logs out the other browsers', async () => {
  const other = await openAccount()
  const page = await openAccount()
  const change = async (from: string, to: string) => {
    await page.getByLabel('Current password').fill(from)
    await page.getByLabel('New password').fill(to)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not my password', `${PASSWORD}!`)
  await page.getByText('The current_password field is not your password.').waitFor()
  await change(PASSWORD, 'password12')
  await page.getByText('is one of the most common passwords').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await change(PASSWORD, `${PASSWORD}!`)
  await page.getByText('Password changed.').waitFor()
  await other.reload()
  await other.getByRole('heading', { name: 'Log in' }).waitFor()
  await change(`${PASSWORD}!`, PASSWORD)
  await expect.poll(() => page.getByText('Password changed.').count()).toBe(2)
})

test('an ended session is over in its browser, which returns to its page after a login', async () => {
  const page = await openAccount()
  const agent = { 'user-agent': '<img src=https://elsewhere.test/x onerror=alert(1)>' }
  await openBrowser(() => dashboard.url).ask(
    'POST /session',
    { email: OWNER.email, password: PASSWORD },
    agent,
  )
  const other = await openAccount()
  await page.reload()
  await ready(page)
  await page.getByText(agent['user-agent']).waitFor()
  const rows = section(page, 'Sessions').locator('tbody tr')
  const before = await rows.count()
  await rows.filter({ hasNotText: 'This browser' }).first().getByRole('button').click()
  await expect.poll(() => rows.count()).toBe(before - 1)

  await section(page, 'Sessions').getByRole('button', { name: 'Log out all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out others' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  // The other browser notices with its next request.
  await other.getByLabel('Name', { exact: true }).fill('Somebody')
  await other.getByRole('button', { name: 'Save name' }).click()
  const dialog = other.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel(/^Password of /).fill(OWNER.password)
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await other.getByLabel('Name', { exact: true }).inputValue()).toBe('Somebody')
})

describe('an authenticator app', () => {
  test('is set up, required at the login, replaced by a recovery code, and turned off', async () => {
    const page = await openAccount()
    await section(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    const secret = readBase32(
      ((await dialog.locator('.code').first().textContent()) ?? '').replaceAll(' ', ''),
    )
    await dialog.getByLabel(/Enter the code/).fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong.').waitFor()
    await dialog.getByLabel(/Enter the code/).fill(totpCode(secret, new Date()))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = await keepCodes(page)
    expect(codes).toHaveLength(10)
    await section(page, 'Recovery codes').getByText('10 are left.').waitFor()

    await logOut(page)
    await logIn(page, OWNER)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('This could not be confirmed.').waitFor()
    // The current code was used when the app was set up.
    await page.getByLabel('Code').fill(totpCode(secret, new Date(Date.now() + STEP_MS)))
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: /^You: / }).waitFor()

    await logOut(page)
    await logIn(page, OWNER)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: /^You: / }).waitFor()
    await page.goto('/app/account')
    await section(page, 'Recovery codes').getByText('9 are left.').waitFor()

    await section(page, 'Authenticator app').getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page
      .getByRole('dialog', { name: 'Confirm that it is you' })
      .getByLabel('Your password')
      .fill('wrong')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The password field is not your password.').waitFor()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await section(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).waitFor()
  })
})

describe('a passkey', () => {
  test('is added, renamed, used alone and after the password, and removed', async () => {
    const page = await openAccount()
    await addAuthenticator(page)
    await section(page, 'Passkeys').getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await keepCodes(page)
    await page.getByRole('button', { name: 'Actions for My laptop' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('<b>Laptop</b>')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await section(page, 'Passkeys').getByText('<b>Laptop</b>').waitFor()

    await logOut(page)
    await page.getByRole('button', { name: 'Log in with a passkey' }).click()
    await page.getByRole('button', { name: /^You: / }).waitFor()

    await logOut(page)
    await logIn(page, OWNER)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('button', { name: /^You: / }).waitFor()

    await page.goto('/app/account')
    await page.getByRole('button', { name: /^Actions for <b>/ }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await section(page, 'Passkeys').getByText('You have no passkeys yet.').waitFor()
  })
})

test('the page fits on a phone, in both color schemes', async () => {
  const page = await dashboard.open('/app/account', { width: 390, scheme: 'dark' })
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})
