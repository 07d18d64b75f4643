import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { givenDashboard, ready, visit } from './support/dashboard.ts'
import { faultsOf, MANY_PAGES_MS, WIDE_OR_PHONE } from './support/faults.ts'
import { fillTemplates, type TemplateSample } from './support/sample-templates.ts'

const dashboard = givenDashboard()
let sample: TemplateSample
beforeAll(async () => {
  sample = await fillTemplates(dashboard)
})

const htmlOf = (page: Page) => page.getByRole('textbox', { name: 'HTML of the template' })
const frameOf = (page: Page) => page.frameLocator('iframe[title="HTML preview"]')

const EVIL = `"><img src="https://elsewhere.test/x" onerror="alert(1)"><script>alert(2)</script>`

test('third-party content runs no code and fetches nothing', async () => {
  // The browser reports blocked content, which is expected.
  dashboard.allow(/Blocked script execution in 'about:srcdoc'|violates the following Content Security Policy/)
  const { json } = await dashboard.sender.post('/templates', {
    name: EVIL,
    subject: `${EVIL} {{A}}`,
    html_content: `${EVIL}<style>@import "https://elsewhere.test/y"; p { background: url(https://elsewhere.test/z) }</style><p>shown {{{A}}}</p><iframe src="https://elsewhere.test/"></iframe><form action="https://elsewhere.test/"></form>`,
    from: `Evil <evil@${dashboard.sender.domain}>`,
    variables: [{ key: 'A', type: 'string', fallback_value: EVIL }],
  })
  await dashboard.sender.put(`/templates/${json.id}`, { subject: `second ${EVIL}` })
  await dashboard.sender.post('/template-folders', { name: EVIL })
  const page = await dashboard.open('/templates')
  page.on('dialog', (dialog) => expect.unreachable(dialog.message()))
  await page.getByText(EVIL).first().waitFor()
  await page.goto(`/app/${dashboard.sender.id}/templates/${json.id}`)
  await ready(page)
  await page.getByLabel('Test value of A').fill(`${EVIL} mine`)
  await frameOf(page).getByText('shown').waitFor()
  await page.getByRole('tab', { name: 'Text' }).first().click()
  await visit(page, `/app/${dashboard.sender.id}/templates/${json.id}/versions`)
  await page.getByText(`second ${EVIL}`).first().waitFor()
  expect(
    await page.evaluate(
      () => document.querySelectorAll('script:not([src^="/assets/"]), img[src^="http"]').length,
    ),
  ).toBe(0)
  await dashboard.sender.delete(`/templates/${json.id}`)
})

test('a viewer can read and preview, but not change', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}`, { role: 'viewer' })
  await page.getByLabel('Test value of NAME').fill('Vic')
  await frameOf(page).getByText('Hello Vic').waitFor()
  for (const name of ['Save', 'Publish', 'Send test', 'More actions', 'Add'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  await htmlOf(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  const before = await htmlOf(page).textContent()
  await page.keyboard.insertText('changed')
  expect(await htmlOf(page).textContent()).toBe(before)
  await visit(page, `/app/${dashboard.sender.id}/templates`)
  expect(await page.getByRole('button', { name: /New template|Actions for/ }).count()).toBe(0)
})

test('a text with line ends of Windows is not changed by opening it', async () => {
  const html_content = '<p>One</p>\r\n<p>Two</p>\r\n'
  const { sender } = dashboard
  const { json } = await sender.post('/templates', {
    name: 'Lines',
    subject: 'Lines',
    html_content,
    from: `shop@${sender.domain}`,
  })
  const page = await dashboard.open(`/templates/${json.id}`)
  await htmlOf(page).getByText('Two').waitFor()
  expect(await page.getByText('Not saved', { exact: true }).count()).toBe(0)
  await visit(page, `/app/${sender.id}/templates`)
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  await sender.delete(`/templates/${json.id}`)
})

test('a member can edit and publish', async () => {
  const page = await dashboard.open(`/templates/${sample.faultyTemplateId}`, { role: 'member' })
  await page.getByRole('textbox', { name: 'Subject' }).fill('Short')
  await page.getByRole('button', { name: 'Save and publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByText('Published', { exact: true }).waitFor()
})

test('publishing asks first when something looks like a placeholder and is none', async () => {
  const { sender } = dashboard
  const { json: made } = await sender.post('/templates', {
    name: 'Faulty',
    subject: 'Hello',
    html_content: '<p>Hello</p>',
    from: `Shop <shop@${sender.domain}>`,
  })
  const path = `/templates/${made.id}`
  const htmlNow = async () => (await sender.get(path)).json.html_content
  const page = await dashboard.open(path)
  await htmlOf(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText('\n{{user.name}}')
  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.getByRole('button', { name: /\{\{user\.name\}\} is not a placeholder.*line 2/ }).click()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain('{{user.name}}')

  await page.getByRole('button', { name: 'Publish changes' }).click()
  const review = page.getByRole('dialog', { name: 'Publish changes?' })
  await review.getByRole('button', { name: 'Publish', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Publish with placeholders that are not filled in?' })
  await question.getByText(/HTML, line 2: \{\{user\.name\}\} is not a placeholder/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await htmlNow()).toBe('<p>Hello</p>')
  await review.getByRole('button', { name: 'Publish', exact: true }).click()
  await question.getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByText('Version 2').waitFor()
  expect(await htmlNow()).toContain('{{user.name}}')
})

test('the editor can be used and left with the keyboard alone', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}`)
  await htmlOf(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('{{NA')
  // While the editor looks up what was typed last, its list shows earlier names and takes no keys.
  const list = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)')
  await list.getByRole('option', { name: 'NAME' }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => htmlOf(page).locator('.cm-line').first().textContent())
    .toBe('{{NAME}}<!doctype html>')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await htmlOf(page).evaluate((element) => element === document.activeElement)).toBe(false)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Saved as a draft.').waitFor()
})

test('no axe violations, and no horizontal scrolling in any state', { timeout: MANY_PAGES_MS }, async () => {
  const template = `/templates/${sample.templateId}`
  const states = [
    ...['/templates', '/templates?new=true', template],
    ...[
      '?view=preview',
      '?view=text',
      '?send=true',
      '?review=true',
      '?review=true&part=rest',
      '/versions',
    ].map((state) => `${template}${state}`),
  ]
  expect(await faultsOf(dashboard, states, WIDE_OR_PHONE)).toEqual([])
})
