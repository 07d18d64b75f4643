import { beforeAll, describe, expect, test } from 'vitest'
import { updateTeamName } from '../../src/teams/teams-queries.ts'
import { PASSWORD } from '../support/people.ts'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'

const dashboard = givenDashboard()
const EVIL = '<img src=https://elsewhere.test/x onerror=alert(1)>'

beforeAll(async () => {
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) await dashboard.person(role)
})

describe('an owner', () => {
  test('renames the team, and the name is shown as text everywhere', async () => {
    const page = await dashboard.open('/settings')
    expect(await violationsOf(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill(EVIL)
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: /^Team: <img/ }).waitFor()
    const { db } = dashboard.service
    await db.transaction((tx) => updateTeamName(tx, dashboard.sender.id, 'Acme', new Date()))
  })

  test('changes the role of a member, effective immediately', async () => {
    const member = await dashboard.open('/settings', { role: 'member' })
    expect(await member.getByRole('button', { name: 'Invite member' }).count()).toBe(0)
    const page = await dashboard.open('/settings')
    await page.getByRole('combobox', { name: 'Role of Mia Tanaka' }).click()
    await page.getByRole('option', { name: 'Admin' }).click()
    await page.getByText('Mia Tanaka is now an admin.').waitFor()
    await member.reload()
    // The button is above the table, and in the empty state.
    await member.getByRole('button', { name: 'Invite member' }).first().waitFor()
  })

  test('invites a person, who joins in another browser, is removed, and has no team left', async () => {
    const page = await dashboard.open('/settings')
    await page.getByRole('button', { name: 'Invite member' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('no address')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect.poll(() => dialog.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Email').fill('nora@people.test')
    await dialog.getByLabel('Viewer').check()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = (await dialog.locator('pre').textContent()) ?? ''
    expect(link).toContain(`${dashboard.url}/app/invitation#token=`)
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'Pending invitations' }).getByText('nora@people.test').waitFor()

    const joining = await dashboard.page()
    await joining.goto(link)
    await joining.getByLabel('Your name').fill('Nora')
    await joining.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await joining.getByRole('button', { name: 'Create my account and join' }).click()
    await joining.getByRole('button', { name: 'You: Nora' }).waitFor()

    await page.reload()
    await page.getByRole('button', { name: 'Remove Nora from the team' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from the team' }).click()
    await page.getByText('Nora removed from the team.').waitFor()
    await joining.reload()
    await joining.getByText('Page not found').waitFor()
  })

  test('no longer sees the link of an invitation whose dialog Back closed', async () => {
    const page = await dashboard.open('/settings')
    const invite = page.getByRole('button', { name: 'Invite member' }).first()
    await invite.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('pia@people.test')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = (await dialog.locator('pre').textContent()) ?? ''
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await invite.click()
    await dialog.getByLabel('Email').waitFor()
    expect(link).toContain('#token=')
    expect(await page.content()).not.toContain(link)
  })

  test('resends an invitation with a new link, and withdraws it', async () => {
    const page = await dashboard.open('/settings?invite=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('jonas@people.test')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    const first = await dialog.locator('pre').textContent()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const actions = page.getByRole('button', {
      name: 'Actions for the invitation of jonas@people.test',
    })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Send again with a new link' }).click()
    expect(await dialog.locator('pre').textContent()).not.toBe(first)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Withdraw' }).click()
    await page.getByText('Invitation of jonas@people.test withdrawn.').waitFor()

    const late = await dashboard.page()
    await late.goto(first ?? '')
    await late.getByText('This link is no longer valid').waitFor()
  })

  test('shortens retention after confirmation', async () => {
    const page = await dashboard.open('/settings')
    await page.getByRole('combobox', { name: 'Content of emails' }).click()
    await page.getByRole('option', { name: '7 days' }).click()
    await page.getByRole('button', { name: 'Save periods' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Shorten' }).click()
    await page.getByText('Retention periods changed.').waitFor()
    const { json } = await dashboard.sender.get('/retention')
    expect(json.content).toBe('7d')
  })

  test('the last owner cannot leave', async () => {
    const page = await dashboard.open('/settings')
    await page.getByText('You are the only owner.').waitFor()
    expect(await page.getByRole('button', { name: 'Leave team' }).count()).toBe(0)
  })
})

test('an admin can neither create nor change owners', async () => {
  const page = await dashboard.open('/settings', { role: 'admin' })
  expect(await page.getByRole('combobox', { name: 'Role of Olivia Berg' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Remove Olivia Berg from the team' }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Role of Victor Lind' }).click()
  expect(await page.getByRole('option').allTextContents()).toEqual(
    expect.not.arrayContaining([expect.stringContaining('Owner')]),
  )
})

test('a viewer sees the members and changes nothing, in the API too', async () => {
  const page = await dashboard.open('/settings', { role: 'viewer' })
  await page.getByRole('table', { name: 'Members' }).getByText('Olivia Berg').waitFor()
  expect(await page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0)
  for (const name of ['Invite member', 'Save name', 'Save periods'])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.getByRole('button', { name: 'Permissions by area' }).click()
  await page.getByRole('table', { name: 'Permissions of each role by area' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  const refused = await page.evaluate(async (team) => {
    const headers = { 'content-type': 'application/json', 'x-sendwright-team': team }
    const body = JSON.stringify({ name: 'Mine now' })
    const response = await fetch('/team', { method: 'PATCH', headers, body })
    return [response.status, (await response.json()).name]
  }, dashboard.sender.id)
  expect(refused).toEqual([403, 'forbidden_role'])
})

test('the page fits on a phone, in both color schemes', async () => {
  const page = await dashboard.open('/settings', { width: 390, scheme: 'dark' })
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Permissions by area' }).click()
  expect(await overflowOf(page)).toBe(0)
  await ready(page)
})

describe('alerts', () => {
  test('a viewer turns on own emails and sends a test; an owner sets the webhook, which the viewer does not see', async () => {
    const viewer = await dashboard.open('/settings', { role: 'viewer', width: 390 })
    await viewer.getByRole('switch', { name: 'Email me alerts of this team' }).check()
    await viewer.getByRole('checkbox', { name: 'Delivery to a site on hold' }).check()
    await viewer.getByRole('button', { name: 'Save alert emails' }).click()
    await viewer.getByText('Alert emails saved.').waitFor()
    await viewer.getByRole('button', { name: 'Send a test to me' }).click()
    const recent = viewer.getByRole('table', { name: 'Recent alert messages' })
    await recent.getByText('Test by email: 1 alert').waitFor()
    await viewer.reload()
    await ready(viewer)
    expect(await viewer.getByRole('checkbox', { name: 'Delivery to a site on hold' }).isChecked()).toBe(true)
    expect(await viewer.getByLabel('Webhook URL').count()).toBe(0)
    expect(await violationsOf(viewer)).toEqual([])
    expect(await overflowOf(viewer)).toBe(0)

    const owner = await dashboard.open('/settings')
    await owner.getByLabel('Webhook URL').fill('ftp://example.com')
    await owner.getByRole('button', { name: 'Save webhook' }).click()
    await owner.getByText('The url field must be an https URL.').waitFor()
    await owner.getByLabel('Webhook URL').fill('https://hooks.example.com/alerts')
    await owner.getByRole('button', { name: 'Save webhook' }).click()
    await owner.getByText(/^whsec_/).waitFor()
    expect(await violationsOf(owner)).toEqual([])
    await owner.getByRole('button', { name: 'Delete webhook' }).click()
    await expect.poll(() => owner.getByLabel('Webhook URL').inputValue()).toBe('')
  })
})
