import type { Page } from 'playwright-core'
import type { Role } from '../../../src/access/memberships-queries.ts'
import { makeFirstOwnerLink } from '../../../src/accounts/people/first-owner.ts'
import { openBrowser, PASSWORD, tokenOf } from '../../support/people.ts'
import type { Dashboard } from './dashboard.ts'
import { ready } from './dashboard.ts'

export const OWNER = { email: 'olivia@people.test', name: 'Olivia Berg', password: PASSWORD }

/** Returns the link that the first start prints. */
export async function firstOwnerLink({ service, url }: Dashboard): Promise<string> {
  const link = await makeFirstOwnerLink(service.db, url, new Date())
  if (link === null) throw new Error('There are already users.')
  return link
}

/** Creates the first owner with a password through the API. Returns the id of the first team. */
export async function givenOwner(dashboard: Dashboard): Promise<string> {
  const browser = openBrowser(() => dashboard.url)
  const token = tokenOf(await firstOwnerLink(dashboard))
  const reply = await browser.ask('POST /first-owner', { token, ...OWNER })
  if (reply.status !== 201) throw new Error(`POST /first-owner answered ${reply.text}`)
  return reply.json.teams[0].id
}

/** Returns the link of an invitation that its sender sees. */
export async function invitationLink(
  dashboard: Dashboard,
  { email, role }: { email: string; role: Role },
): Promise<string> {
  const inviter = openBrowser(() => dashboard.url)
  const { json } = await inviter.ask('POST /session', { email: OWNER.email, password: OWNER.password })
  const reply = await inviter.inTeam(json.teams[0].id)('POST /team/invitations', { email, role })
  if (reply.status !== 201) throw new Error(`POST /team/invitations answered ${reply.text}`)
  return reply.json.link
}

/** Fills in and submits the login form. */
export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Logs a user in with the form, and waits for the start page of the team. */
export async function logInAs(
  page: Page,
  who: { email: string; password: string },
  at = '/app',
): Promise<void> {
  await page.goto(at)
  await logIn(page, who)
  await page.getByRole('button', { name: /^You: / }).waitFor()
  await ready(page)
}

/** Chooses “Log out” in the menu. */
export async function chooseLogOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^You: / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

/** Logs out with the menu. */
export async function logOut(page: Page): Promise<void> {
  await chooseLogOut(page)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
}

/** Returns the button that shows the current team. */
export const teamButton = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^Team: ${name}`) })
