import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard } from './support/dashboard.ts'
import { faultsOf } from './support/faults.ts'
import { type AudienceSample, fillAudience } from './support/sample-audience.ts'

const dashboard = givenDashboard()
let sample: AudienceSample
beforeAll(async () => {
  sample = await fillAudience(dashboard)
})

const idOf = (page: Page) => /\/automations\/([^/?]+)/.exec(page.url())?.[1]
/** A step in the graph, by words of its accessible name, which has its key. */
const stepIn = (page: Page, words: string) => page.getByRole('button', { name: new RegExp(`\\b${words}\\b`) })
const isFocused = (box: Locator) => box.evaluate((element) => element === element.ownerDocument.activeElement)

const DEFINITION = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'plan.chosen' } },
    {
      key: 'is_pro',
      type: 'condition',
      config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
    },
    { key: 'thanks', type: 'delay', config: {} },
    { key: 'free', type: 'exit', config: { reason: 'On a free plan' } },
  ],
  connections: [
    { from: 'start', to: 'is_pro' },
    { from: 'is_pro', to: 'thanks', type: 'condition_met' },
    { from: 'is_pro', to: 'free', type: 'condition_not_met' },
  ],
}

test('created, defined as JSON, activated once its errors are mended, tested for a contact, and run', async () => {
  const page = await dashboard.open('/automations?new=true')
  await page.getByRole('dialog').getByLabel('Name').fill('Plans')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
  await page.getByText('JSON', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Definition' }).fill(JSON.stringify(DEFINITION))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('textbox', { name: 'Definition' }).fill('{"steps": [')
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Below the text, and as a notification.
  await page.getByRole('alert').filter({ hasText: 'This is not JSON' }).nth(1).waitFor()
  await page.getByRole('textbox', { name: 'Definition' }).fill(JSON.stringify(DEFINITION))
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Wait (thanks): The duration field is required.').waitFor()
  await page.getByText('Graph', { exact: true }).click()
  await stepIn(page, 'thanks.*has errors').press('Enter')
  await page
    .getByRole('region', { name: 'Step' })
    .getByText('The duration field is required.', { exact: true })
    .waitFor()
  await page.getByLabel('Duration').fill('2 days')
  await stepIn(page, 'thanks.*has errors').waitFor({ state: 'detached' })
  // Saves what the editor shows first.
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Active', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Test' }).click()
  await page.getByRole('combobox', { name: 'Contact' }).fill('delivered+ann')
  await page.getByRole('option', { name: 'delivered+ann@simulator.test' }).click()
  await page.getByLabel('Payload (optional)').fill('{"plan": "pro"}')
  await page.getByRole('button', { name: 'Run test' }).click()
  const decisions = page.getByRole('list', { name: 'Decisions' })
  await decisions.getByText(/^Met: /).waitFor()
  const path = page.getByRole('region', { name: 'Path through the graph' })
  await path.getByText('(thanks), end of the path').waitFor()
  await path.getByText('(free), not on the path').waitFor()
  expect(await violationsOf(page)).toEqual([])

  const report = { event: 'plan.chosen', email: 'delivered+ann@simulator.test', payload: { plan: 'pro' } }
  expect((await dashboard.sender.post('/events/send', report)).status).toBe(202)
  await page.getByRole('tab', { name: 'Steps' }).click()
  await page.getByRole('link', { name: /\(thanks\).*\b1 entered 1 waiting 0 done\b/ }).click()
  await page.getByRole('combobox', { name: 'Contact' }).fill('delivered+bruno')
  await page.getByRole('option', { name: 'delivered+bruno@simulator.test' }).click()
  await page.getByText('No matching runs').waitFor()
  await page.getByRole('combobox', { name: 'Contact' }).fill('delivered+ann')
  await page.getByRole('option', { name: 'delivered+ann@simulator.test' }).click()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ step: 'thanks' })
  await page.getByRole('row', { name: 'delivered+ann' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'delivered+ann' }).waitFor()
  const trail = page.getByRole('list', { name: 'Steps of the run' })
  await trail.getByText('thanks', { exact: true }).waitFor()
  await trail.getByText('Waits until').waitFor()
  await path.getByText('(thanks), end of the path').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByText('Canceled', { exact: true }).waitFor()
})

test('the problem of an automation is not shown on another', async () => {
  const { json } = await dashboard.sender.post('/automations', { name: 'With a problem', ...DEFINITION })
  const page = await dashboard.open(`/automations/${json.id}`)
  const problem = page.getByText('Wait (thanks): The duration field is required.')
  await page.getByRole('button', { name: 'Activate' }).click()
  await problem.waitFor()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(json.id))
  await page.getByRole('heading', { level: 1, name: /copy/i }).waitFor()
  expect(await problem.count()).toBe(0)
  await page.goBack()
  await page.waitForURL(`**/automations/${json.id}`)
  await problem.waitFor()
})

test('what someone else saved is overwritten only by a user who chose that', async () => {
  const { json } = await dashboard.sender.post('/automations', { name: 'Shared', ...DEFINITION })
  const path = `/automations/${json.id}`
  const steps = DEFINITION.steps.map((step) =>
    step.key === 'free' ? { ...step, config: { reason: 'Theirs' } } : step,
  )
  const read = async () => (await dashboard.sender.get(path)).json
  const page = await dashboard.open(`${path}?view=edit`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const note = page.getByText('Someone else saved this automation')

  await name.fill('Mine')
  expect((await dashboard.sender.patch(path, { ...DEFINITION, steps })).status).toBe(200)
  await save.click()
  await note.waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await read()).toMatchObject({ name: 'Shared', steps })
  await page.getByRole('button', { name: 'Overwrite their changes' }).click()
  await note.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ name: 'Mine', steps: DEFINITION.steps })

  await name.fill('Mine again')
  await dashboard.sender.patch(path, { name: 'Theirs' })
  await save.click()
  await page.getByRole('button', { name: 'Discard my changes' }).click()
  expect(await name.inputValue()).toBe('Theirs')

  // Without own changes, theirs are shown, and stay.
  await dashboard.sender.patch(path, { name: 'Theirs again' })
  await save.click()
  await expect.poll(() => name.inputValue()).toBe('Theirs again')
  expect(await note.count()).toBe(0)
  expect(await read()).toMatchObject({ name: 'Theirs again' })
})

test('a recipe becomes an active automation in the graph editor, with the keyboard', async () => {
  const page = await dashboard.open('/automations?new=true')
  await page.getByRole('radio', { name: 'Welcome series' }).check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Welcome series' }).waitFor()
  const step = (key: string) => stepIn(page, key)
  const pick = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await step('start').press('Enter')
  await pick('List', 'Newsletter')
  await step('start').press('ArrowDown')
  expect(await isFocused(step('welcome'))).toBe(true)
  await step('welcome').press('Enter')
  await pick('Template', 'Welcome series, first letter')
  await step('tips').press('Delete')
  expect(await isFocused(step('pause'))).toBe(true)
  await step('pause').click()
  await page.getByLabel('Duration').fill('two days')
  await page.getByRole('button', { name: 'Add step', exact: true }).click()
  await page.getByRole('menuitem', { name: 'End', exact: true }).click()
  await page.getByLabel('Reason (optional)').fill('Welcomed')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await step('pause.*has errors').press('Enter')
  await page.getByLabel('Duration').fill('2 days')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Close step' }).click()
  const exits = page.getByLabel('Ends every run')
  await exits.fill('[{')
  await exits.blur()
  await page.getByText('This is not valid JSON.').waitFor()
  for (const button of ['Save', 'Activate']) {
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => isFocused(exits)).toBe(true)
    await exits.blur()
  }
  await exits.fill('[{"event_name": "order.paid"}]')
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const { json } = await dashboard.sender.get(`/automations/${idOf(page)}`)
  expect(json.settings.exits).toEqual([{ event_name: 'order.paid' }])
  expect(json.steps.map(({ key, config }: { key: string; config: object }) => [key, config])).toEqual([
    ['start', { type: 'list_joined', list_id: sample.listId }],
    ['welcome', { template: { id: expect.any(String) } }],
    ['pause', { duration: '2 days' }],
    ['exit', { reason: 'Welcomed' }],
  ])
})

test('days, variables and changes of the contact are chosen in forms; a version has figures of its own', async () => {
  const { json } = await dashboard.sender.post('/automations', {
    name: 'Forms',
    status: 'active',
    steps: [
      { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'plan.chosen' } },
      { key: 'hours', type: 'wait_until', config: { time: '09:00' } },
      { key: 'letter', type: 'send_email', config: { template: { id: sample.templateId } } },
      { key: 'mark', type: 'contact_update', config: { unsubscribed: false } },
    ],
    connections: [
      { from: 'start', to: 'hours' },
      { from: 'hours', to: 'letter' },
      { from: 'letter', to: 'mark' },
    ],
  })
  const page = await dashboard.open(`/automations/${json.id}?view=edit`)
  const pick = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await stepIn(page, 'hours').click()
  for (const day of ['Sat', 'Mon']) await page.getByRole('checkbox', { name: day }).check()
  await pick('Time zone (optional)', 'Contact’s time zone')
  await stepIn(page, 'letter').click()
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByLabel('Name of row 1').fill('PLAN')
  await pick('Kind of row 1', 'Variable')
  await page.getByLabel('Value of row 1').fill('event.plan')
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByLabel('Name of row 2').fill('PLAN')
  await page.getByText('Another row has this name.').nth(1).waitFor()
  await page.getByRole('button', { name: 'Remove row 2' }).click()
  await pick('Class', 'Transactional')
  await page.getByText('Transactional: no unsubscribe link').waitFor()
  await stepIn(page, 'mark').click()
  await pick('First name', 'Set to')
  const firstName = page.getByLabel('New value of First name')
  for (const name of ['Ann', '', 'Anna']) await firstName.fill(name)
  await pick('Unsubscribed', 'Keep')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('tab', { name: 'Steps' }).click()
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await page.getByRole('link', { name: /\(hours\)/ }).waitFor()
  const saved = await dashboard.sender.get(`/automations/${json.id}`)
  expect(saved.json.steps.slice(1).map(({ config }: { config: object }) => config)).toEqual([
    { time: '09:00', weekdays: [1, 6], time_zone: 'contact' },
    {
      template: { id: sample.templateId, variables: { PLAN: { var: 'event.plan' } } },
      class: 'transactional',
    },
    { first_name: 'Anna' },
  ])
  await page.route('**/versions', (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
  await pick('Version', 'Version 1')
  await page.getByText('Not now.').waitFor()
  await page.unroute('**/versions')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Table', { exact: true }).click()
  await page.getByRole('rowheader', { name: '2. Wait until a time 09:00' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('an automation has no axe violations, and fits on a phone', async () => {
  const path = `/automations/${sample.automationId}`
  const paths = [
    '/automations',
    path,
    `${path}?as=graph`,
    `${path}?view=edit`,
    `${path}?view=runs`,
    `${path}?view=test`,
    `${path}?view=versions`,
  ]
  expect(await faultsOf(dashboard, paths, [{ width: 390, scheme: 'dark' }])).toEqual([])
})
