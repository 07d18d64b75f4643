import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLoginLink } from '../../src/accounts/single-sign-on/login-links.ts'
import { givenUser, givenWhole } from '../support/browsing.ts'
import { CLIENT, startOidcProvider } from '../support/oidc-provider.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'

const provider = await startOidcProvider()
const dashboard = givenDashboard({
  SENDWRIGHT_OIDC_ISSUER: provider.issuer,
  SENDWRIGHT_OIDC_CLIENT_ID: CLIENT.id,
  SENDWRIGHT_OIDC_CLIENT_SECRET: CLIENT.secret,
  SENDWRIGHT_OIDC_SCOPES: 'openid email profile groups',
  SENDWRIGHT_OIDC_LABEL: 'Acme ID',
  SENDWRIGHT_OIDC_DOMAINS: 'people.test',
  SENDWRIGHT_OIDC_ROLES: 'staff=viewer',
  SENDWRIGHT_PASSWORD_LOGIN: 'off',
})

beforeAll(async () => {
  provider.register(`${dashboard.url}/oidc/callback`)
  provider.people.set('nora', {
    email: 'nora@people.test',
    email_verified: true,
    name: 'Nora Fox',
    groups: ['staff'],
  })
  // While there are no users, the login page is about the first of them.
  await dashboard.person('owner')
})
afterAll(() => provider.stop())

test('a login at the provider opens the requested page of the dashboard', async () => {
  dashboard.allow(/./)
  const page = await dashboard.page()
  await page.goto('/app/account')
  const button = page.getByRole('button', { name: 'Log in with Acme ID' })
  await button.waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await page.getByLabel('Password').count()).toBe(0)
  await button.click()
  await page.locator('input[name="login"]').fill('nora')
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(`${dashboard.url}/app/account`)
  await ready(page)
  await page.getByText('nora@people.test').first().waitFor()
})

test('a person without a group sees the reason, and can try again', async () => {
  const page = await dashboard.page()
  await page.goto('/app/login?notice=sso_no_access')
  await page.getByText('none of your groups has access here').waitFor()
  await page.getByRole('button', { name: 'Log in with Acme ID' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('a link of the command line logs in once', async () => {
  dashboard.allow(/410/)
  const user = await givenUser(givenWhole(dashboard.service))
  const link = await makeLoginLink(dashboard.service.db, user.id, dashboard.url, new Date())
  const page = await dashboard.page()
  await page.goto(link)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/enter'))
  const second = await dashboard.page()
  await second.goto(link)
  await second.getByRole('button', { name: 'Log in' }).click()
  await second.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
})
