import type { Page } from 'playwright-core'
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
  const define = async (definition: object) => {
    await page.getByRole('textbox', { name: 'Definition' }).fill(JSON.stringify(definition))
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await saved).status()).toBe(200)
  }
  await page.getByText('JSON', { exact: true }).click()
  await define(DEFINITION)
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Wait (thanks): The duration field is required.').waitFor()
  const mended = DEFINITION.steps.map((step) =>
    step.key === 'thanks' ? { ...step, config: { duration: '2 days' } } : step,
  )
  await define({ ...DEFINITION, steps: mended })
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Active', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Test' }).click()
  await page.getByRole('combobox', { name: 'Contact' }).fill('delivered+ann')
  await page.getByRole('option', { name: 'delivered+ann@simulator.test' }).click()
  await page.getByLabel('Payload (optional)').fill('{"plan": "pro"}')
  await page.getByRole('button', { name: 'Run test' }).click()
  const decisions = page.getByRole('list', { name: 'Decisions' })
  await decisions.getByText(/^Met: /).waitFor()
  expect(await violationsOf(page)).toEqual([])

  const report = { event: 'plan.chosen', email: 'delivered+ann@simulator.test', payload: { plan: 'pro' } }
  expect((await dashboard.sender.post('/events/send', report)).status).toBe(202)
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('row', { name: 'delivered+ann' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'delivered+ann' }).waitFor()
  const trail = page.getByRole('list', { name: 'Steps of the run' })
  await trail.getByText('thanks', { exact: true }).waitFor()
  await trail.getByText('Waits until').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByText('Canceled', { exact: true }).waitFor()
})

test('a recipe becomes an active automation in the graph editor, with the keyboard', async () => {
  const page = await dashboard.open('/automations?new=true')
  await page.getByRole('radio', { name: 'Welcome series' }).check()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Welcome series' }).waitFor()
  const step = (key: string) => page.getByRole('button', { name: new RegExp(`\\b${key}\\b`) })
  const pick = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await step('start').press('Enter')
  await pick('List', 'Newsletter')
  await step('welcome').press('Enter')
  await pick('Template', 'Welcome series, first letter')
  await step('tips').press('Delete')
  await step('pause').click()
  await page.getByLabel('Duration').fill('two days')
  await page.getByRole('button', { name: 'Add step', exact: true }).click()
  await page.getByRole('menuitem', { name: 'End', exact: true }).click()
  await page.getByLabel('Reason (optional)').fill('Welcomed')
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await step('pause.*has errors').press('Enter')
  await page.getByLabel('Duration').fill('2 days')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const { json } = await dashboard.sender.get(`/automations/${idOf(page)}`)
  expect(json.steps.map(({ key, config }: { key: string; config: object }) => [key, config])).toEqual([
    ['start', { type: 'list_joined', list_id: sample.listId }],
    ['welcome', { template: { id: expect.any(String) } }],
    ['pause', { duration: '2 days' }],
    ['exit', { reason: 'Welcomed' }],
  ])
})

test('an automation has no axe violations, and fits on a phone', async () => {
  const path = `/automations/${sample.automationId}`
  const paths = [path, `${path}?view=edit`, `${path}?view=runs`, `${path}?view=test`, `${path}?view=versions`]
  expect(await faultsOf(dashboard, paths, [{ width: 390, scheme: 'dark' }])).toEqual([])
})
