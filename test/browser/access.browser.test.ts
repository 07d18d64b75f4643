import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeResetLink } from '../../src/accounts/people/resets.ts'
import { findUserByEmail } from '../../src/accounts/users/users-queries.ts'
import { PASSWORD } from '../support/people.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import {
  firstOwnerLink,
  invitationLink,
  logIn,
  logInAs,
  logOut,
  OWNER,
  teamButton,
} from './support/signing-in.ts'

const dashboard = givenDashboard({})
/** The path of the first owner's team. */
let team: string
const newPage = () => dashboard.page()
/** The part of the address after /app. */
const placeOf = (page: Page) => new URL(page.url()).pathname.replace(/^\/app/, '')

describe('without any account', () => {
  test('every page redirects to the page about the one-time link', async () => {
    const page = await newPage()
    await page.goto('/')
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('an invalid link is reported', async () => {
    const page = await newPage()
    await page.goto('/app/welcome#token=AAAA')
    await page.getByLabel('Your name').fill('Eve')
    await page.getByLabel('Email').fill('eve@people.test')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  test('the one-time link creates the owner, and remains neither in the URL nor in the history', async () => {
    const link = await firstOwnerLink(dashboard)
    const page = await newPage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Welcome to Sendwright' }).waitFor()
    expect(page.url()).toBe(`${dashboard.url}/app/welcome`)
    expect(await violationsOf(page)).toEqual([])

    await page.getByLabel('Your name').fill(OWNER.name)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create my account' }).click()
    await page.getByText('must be at least 10 characters').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByLabel('Team (optional)').fill('Harbour Coffee')
    await page.getByRole('button', { name: 'Create my account' }).click()

    await teamButton(page, 'Harbour Coffee').waitFor()
    // A team without emails begins with its first one.
    await expect.poll(() => placeOf(page)).toMatch(/^\/[0-9a-f-]{36}\/start$/)
    team = placeOf(page).replace(/\/start$/, '')
    await page.goBack()
    expect(page.url()).not.toContain('token')

    const again = await newPage()
    await again.goto(link)
    await again.getByLabel('Your name').fill('Eve')
    await again.getByLabel('Email').fill('eve@people.test')
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.getByRole('button', { name: 'Create my account' }).click()
    await again.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  })
})

describe('the login', () => {
  test('a wrong password and an unknown address show the same error; many attempts have to wait', async () => {
    const page = await newPage()
    await page.goto('/app')
    await logIn(page, { email: OWNER.email, password: 'not the password' })
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe('The email address or the password is wrong.')
    expect(await violationsOf(page)).toEqual([])

    const told = new Set<string | null>()
    // From the sixth attempt on, the waits double from a second: on a slow machine, the first ones pass by themselves.
    for (let count = 0; told.size < 2 && count < 12; count++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/session'))
      await logIn(page, { email: 'nobody@people.test', password: 'not the password' })
      await (await answered).finished()
      await expect
        .poll(() => page.getByRole('button', { name: 'Log in', exact: true }).isEnabled())
        .toBe(true)
      told.add(await alert.textContent())
    }
    expect([...told]).toEqual([
      'The email address or the password is wrong.',
      expect.stringMatching(/^Too many attempts\. Please retry after \d+ seconds?\.$/),
    ])
  })

  test('the right password redirects to the requested page', async () => {
    const page = await newPage()
    await page.goto(`/app${team}/settings?invite=true`)
    await logIn(page, OWNER)
    await page.getByRole('dialog', { name: 'Invite member' }).waitFor()
    expect(placeOf(page)).toBe(`${team}/settings`)
  })

  test('a login redirects to the dashboard, whatever the URL requests', async () => {
    const page = await newPage()
    const elsewhere = [
      'https://elsewhere.test/',
      '//elsewhere.test/x',
      '/\\elsewhere.test',
      'javascript:alert(1)',
      '/login',
    ]
    await logInAs(page, OWNER, `/app/login?next=${encodeURIComponent(elsewhere[0] ?? '')}`)
    // A team without emails begins with its first one.
    await expect.poll(() => placeOf(page)).toBe(`${team}/start`)
    for (const next of elsewhere) {
      await page.goto(`/app/login?next=${encodeURIComponent(next)}`)
      await expect.poll(() => page.url()).toBe(`${dashboard.url}/app${team}/start`)
    }
  })

  test('the keyboard alone is sufficient', async () => {
    const page = await newPage()
    await page.goto('/app')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('email')
    await page.keyboard.type(OWNER.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(OWNER.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^You: / }).waitFor()
  })

  test('logging out ends the session, even for a copied cookie', async () => {
    const page = await newPage()
    await logInAs(page, OWNER)
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ name: 'sendwright_session', httpOnly: true, sameSite: 'Strict' }])
    await logOut(page)
    expect(await page.context().cookies()).toEqual([])
    await page.context().addCookies(cookies)
    await page.goto('/app')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
  })

  test('the page fits on a phone', async () => {
    const page = await dashboard.open('/app/login', { role: null, width: 390, scheme: 'dark' })
    expect(await overflowOf(page)).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })
})

describe('a forgotten password', () => {
  test('an unknown address gets the same response as a known one', async () => {
    const page = await newPage()
    await page.goto('/app/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('Email').fill('nobody@people.test')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('If this address has an account, a link is on its way.').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})

describe('the link for a new password', () => {
  test('sets the password once, and ends every session of the user', async () => {
    const other = await newPage()
    await logInAs(other, OWNER)
    const { service, url } = dashboard
    const user = await findUserByEmail(service.db, OWNER.email)
    const link = await makeResetLink(service.db, user?.id ?? '', url, new Date())
    const page = await newPage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set new password' }).waitFor()
    expect(page.url()).toBe(`${url}/app/reset`)
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('New password').fill('1234567890')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('is one of the most common passwords').waitFor()
    await page.getByLabel('New password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your new password is set. Log in with it.').waitFor()
    await logIn(page, OWNER)
    await page.getByRole('button', { name: /^You: / }).waitFor()

    await other.goto(`/app${team}/emails`)
    await other.getByRole('heading', { name: 'Log in' }).waitFor()
    await other.goto(link)
    await other.getByLabel('New password').fill('another good password')
    await other.getByRole('button', { name: 'Set password' }).click()
    await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Open your link again' }).waitFor()
  })
})

describe('an invitation', () => {
  let link: string
  beforeAll(async () => {
    link = await invitationLink(dashboard, { email: 'mia@people.test', role: 'member' })
  })

  test('a new user creates an account and joins', async () => {
    const page = await newPage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Harbour Coffee' }).waitFor()
    await page.getByText('invited you to this team as a member.').waitFor()
    expect(page.url()).toBe(`${dashboard.url}/app/invitation`)
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Your name').fill('<img src=x onerror=alert(1)>')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create my account and join' }).click()
    await page.getByRole('button', { name: 'You: <img src=x onerror=alert(1)>' }).waitFor()
    await page.goto(`/app${team}/settings`)
    await page.getByText('Sends emails; edits templates').waitFor()
    expect(await page.getByRole('button', { name: 'Invite member' }).count()).toBe(0)
  })

  test('the link works once', async () => {
    const page = await newPage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  })

  test('a user with an account must be logged in to it', async () => {
    const other = await dashboard.service.givenTeam({ name: 'Second team' })
    const page = await dashboard.open('/settings?invite=true', { teamId: other.id })
    await page.getByRole('dialog').getByLabel('Email').fill('mia@people.test')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const second = await page.getByRole('dialog').locator('pre').textContent()

    const known = await newPage()
    await known.goto(second ?? '')
    await known.getByText('has an account. Log in to it to join.').waitFor()
    await logIn(known, OWNER)
    await known.getByText('but you are logged in as').waitFor()
    await known.getByRole('button', { name: 'Log out and use the other account' }).click()
    await logIn(known, { email: 'mia@people.test', password: PASSWORD })
    await known.getByRole('button', { name: 'Join team' }).click()
    await teamButton(known, 'Second team').waitFor()
    await expect.poll(() => placeOf(known)).toBe(`/${other.id}/start`)
  })

  test('after a logout in another tab, the page asks for the login and keeps the link', async () => {
    const page = await newPage()
    await logInAs(page, OWNER)
    const other = await dashboard.service.givenTeam({ name: 'Third team' })
    const admin = await dashboard.open('/settings?invite=true', { teamId: other.id })
    await admin.getByRole('dialog').getByLabel('Email').fill(OWNER.email)
    await admin.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.goto((await admin.getByRole('dialog').locator('pre').textContent()) ?? '')
    await page.getByText('You are logged in as').waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${dashboard.url}/app`)
    await logOut(tab)
    await page.getByText('has an account. Log in to it to join.').waitFor()
    await logIn(page, OWNER)
    await page.getByRole('button', { name: 'Join team' }).click()
    await teamButton(page, 'Third team').waitFor()
  })
})
