import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { givenDashboard, ready } from './support/dashboard.ts'
import { fillTemplates, type TemplateSample } from './support/sample-templates.ts'

const dashboard = givenDashboard()
let sample: TemplateSample
beforeAll(async () => {
  sample = await fillTemplates(dashboard)
})

const htmlOf = (page: Page) => page.getByRole('textbox', { name: 'HTML of the template' })
const frameOf = (page: Page) => page.frameLocator('iframe[title="HTML preview"]')
const pathOf = (page: Page) => new URL(page.url()).pathname.replace(`/app/${dashboard.sender.id}`, '')

/** Replaces the content of the editor. */
async function write(page: Page, text: string): Promise<void> {
  await htmlOf(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}

test('created, edited, previewed with values, checked, saved, published, and sent over the API', async () => {
  const page = await dashboard.open('/templates/new')
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Order shipped')
  await form.getByLabel('Subject').fill('On its way, {{NAME}}')
  await form.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('heading', { name: 'Order shipped' }).waitFor()
  await page.getByText('Draft', { exact: true }).waitFor()

  await write(page, '<p>Parcel {{PARCEL}} for {{NAME}}</p>\n<a href="ftp//x">track</a>')
  await frameOf(page).getByText('Parcel {{PARCEL}} for there').waitFor()
  await page.getByLabel('Test value of PARCEL').fill('<b>4711</b>')
  await page.getByLabel('Test value of NAME').fill('Ann')
  await frameOf(page).getByText('Parcel <b>4711</b> for Ann').waitFor()
  await page.getByText('On its way, Ann').waitFor()

  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.getByText('PARCEL is used but not declared').waitFor()
  await findings.getByRole('button', { name: /ftp\/\/x is not an absolute URL/ }).click()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain('ftp//x')
  await page.getByRole('button', { name: 'Declare PARCEL' }).click()
  await findings.getByText('PARCEL is used but not declared').waitFor({ state: 'detached' })

  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Version 2').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Published', { exact: true }).waitFor()

  const template = {
    id: pathOf(page).split('/')[2],
    variables: { PARCEL: 'A&B', NAME: 'Ben', ACTION_URL: '' },
  }
  const id = await dashboard.sender.send({
    template,
    from: undefined,
    subject: undefined,
    html: undefined,
    text: undefined,
  })
  const { json: email } = await dashboard.sender.get(`/emails/${id}`)
  expect(email).toMatchObject({
    subject: 'On its way, Ben',
    html: expect.stringContaining('<p>Parcel A&amp;B for Ben</p>'),
  })
})

test('a test is sent with the content of the editor, and links to its email', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}`)
  await write(page, '<p>Not saved, {{NAME}}</p>')
  await page.getByLabel('Test value of NAME').fill('Cleo')
  await page.getByRole('button', { name: 'Send test' }).click()
  const dialog = page.getByRole('dialog')
  const { user } = await dashboard.person('owner')
  await dialog.getByText(user.email).waitFor()
  await dialog.getByLabel(/^To/).fill('delivered@simulator.test')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  const link = dialog.getByRole('link', { name: 'View email' })
  const { json: email } = await dashboard.sender.get(
    `/emails/${(await link.getAttribute('href'))?.split('/').at(-1)}`,
  )
  expect(email).toMatchObject({
    to: [user.email, 'delivered@simulator.test'],
    subject: 'Your receipt from Harbour Coffee, Cleo',
    html: expect.stringContaining('<p>Not saved, Cleo</p>'),
  })
})

test('versions are compared, and an older one is restored', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}/versions`)
  const { user } = await dashboard.person('owner')
  await page.getByText(user.name).first().waitFor()
  await page.locator('.cm-merge-b .cm-changedText', { hasText: 'Many thanks' }).waitFor()
  await page.getByRole('link', { name: /^Version 2/ }).click()
  await page.getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 2' }).click()
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
  await page.getByText('Unpublished changes').waitFor()
  await frameOf(page).getByText('Thank you for your order.').waitFor()
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Version 4').waitFor()
})

test('an older version replaces no draft that the user was not told of', async () => {
  const { sender } = dashboard
  const { json: copy } = await sender.post(`/templates/${sample.templateId}/duplicate`)
  const path = `/templates/${copy.id}`
  await sender.put(path, { subject: 'Second' })
  const page = await dashboard.open(`${path}/versions?version=1`)
  const restore = page.getByRole('button', { name: 'Restore version 1' })
  const dialog = page.getByRole('dialog')
  await restore.waitFor()
  // Meanwhile, someone else published it, and began a draft.
  await sender.post(`${path}/publish`)
  await sender.put(`${path}/draft`, { subject: 'Draft' })
  await restore.click()
  await dialog.getByText('become the draft').waitFor()
  await dialog.getByText('This replaces the current draft.').waitFor()
  await sender.put(`${path}/draft`, { subject: 'Later draft' })
  await dialog.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('alert').getByText('A draft was saved at').waitFor()
  expect((await sender.get(`${path}/draft`)).json.subject).toBe('Later draft')
  expect((await sender.get(path)).json).toMatchObject({ subject: 'Second', status: 'published' })
})

test('an older version neither goes live nor overwrites what others saved while the question was open', async () => {
  const { sender } = dashboard
  const { json: copy } = await sender.post(`/templates/${sample.templateId}/duplicate`)
  const path = `/templates/${copy.id}`
  await sender.put(path, { subject: 'Second' })
  const page = await dashboard.open(`${path}/versions?version=1`)
  const dialog = page.getByRole('dialog')
  const conflict = page.getByRole('alert').filter({ hasText: 'Someone else saved this template' })
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await dialog.getByText('become a new version').waitFor()
  await sender.put(path, { subject: 'Third' })
  await dialog.getByRole('button', { name: 'Restore version 1' }).click()
  await conflict.getByText('Version 3 was saved at').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect((await sender.get(path)).json).toMatchObject({ subject: 'Third', version: 3 })
  await conflict.getByRole('button', { name: 'Discard my changes' }).click()
  await conflict.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await dialog.getByText('become a new version').waitFor()
  await sender.post(`${path}/publish`)
  await dialog.getByRole('button', { name: 'Restore version 1' }).click()
  await conflict.getByText('Version 3, which is published, was saved at').waitFor()
  // Now it becomes the draft.
  await conflict.getByRole('button', { name: 'Overwrite their changes' }).click()
  await page.getByText('Version 1 is the draft now. It is not published yet.').waitFor()
  expect((await sender.get(path)).json).toMatchObject({ subject: 'Third', status: 'published' })
  expect((await sender.get(`${path}/draft`)).json.subject).toBe(copy.subject)
})

test('saving a published template makes a draft, which is compared, published or discarded', async () => {
  const { sender } = dashboard
  const { json: copy } = await sender.post(`/templates/${sample.templateId}/duplicate`)
  const path = `/templates/${copy.id}`
  await sender.post(`${path}/publish`)
  const subjectOf = async (of: string) => (await sender.get(of)).json.subject
  const before = await subjectOf(path)
  const page = await dashboard.open(path)
  const dialog = page.getByRole('dialog')
  await page.getByText('Live. What you save is a draft until you publish it.').waitFor()
  const publish = page.getByRole('button', { name: 'Publish changes' })
  expect(await publish.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Subject' }).fill('Reviewed {{NAME}}')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Unpublished changes').waitFor()
  expect(await subjectOf(path)).toBe(before)
  expect(await subjectOf(`${path}/draft`)).toBe('Reviewed {{NAME}}')

  await page.reload()
  await ready(page)
  expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Reviewed {{NAME}}')
  // Published meanwhile over the API: the draft is outdated, and publishing it says so.
  await sender.put(path, { subject: 'By the API' })
  await publish.click()
  await dialog.getByText('Version 2 was published after this draft was started.').waitFor()
  await dialog.getByRole('region', { name: 'Published version 2' }).getByText('By the API').waitFor()
  await dialog.getByRole('region', { name: 'Draft' }).getByText('Reviewed').waitFor()
  await dialog.getByText('Source', { exact: true }).click()
  await dialog.getByRole('tab', { name: 'Subject and more' }).click()
  await dialog.locator('.cm-merge-b .cm-changedText').first().waitFor()
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect.poll(() => subjectOf(path)).toBe('Reviewed {{NAME}}')
  await page.getByText('Version 3').waitFor()

  await page.getByRole('textbox', { name: 'Subject' }).fill('Never')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Unpublished changes').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Discard draft' }).click()
  await dialog.getByRole('button', { name: 'Discard draft' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue())
    .toBe('Reviewed {{NAME}}')
  expect((await sender.get(`${path}/draft`)).status).toBe(404)
})

test('unsaved changes are protected when leaving, and from changes by other users', async () => {
  const { json } = await dashboard.sender.post(`/templates/${sample.templateId}/duplicate`)
  const page = await dashboard.open(`/templates/${json.id}`)
  await page.getByRole('textbox', { name: 'Subject' }).fill('Mine')
  await page.getByRole('link', { name: 'Emails' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Mine')

  await dashboard.sender.put(`/templates/${json.id}`, { subject: 'Theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else saved this template').waitFor()
  expect((await dashboard.sender.get(`/templates/${json.id}`)).json.subject).toBe('Theirs')
  await page.getByRole('button', { name: 'Overwrite their changes' }).click()
  await expect
    .poll(async () => (await dashboard.sender.get(`/templates/${json.id}`)).json.subject)
    .toBe('Mine')

  await page.getByRole('textbox', { name: 'Subject' }).fill('Other')
  await page.getByRole('link', { name: 'Emails' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => pathOf(page)).toBe('/emails')
})

test('an error of the API is shown next to its field', async () => {
  const page = await dashboard.open(`/templates/${sample.templateId}`)
  await page.getByLabel('Alias').fill('no alias')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.locator('.mantine-TextInput-error', { hasText: 'The alias field must be' }).waitFor()
})

test('folders are created, filled, renamed and deleted; a template in use is not deleted', async () => {
  const page = await dashboard.open('/templates')
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Seasonal')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('No matching templates').waitFor()
  await page.getByRole('link', { name: 'All templates' }).click()
  await page.getByRole('button', { name: 'Actions for Spring offer' }).click()
  await page.getByRole('menuitem', { name: 'Move to folder' }).click()
  await page.getByRole('dialog').getByLabel('Folder').click()
  await page.getByRole('option', { name: 'Seasonal' }).click()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Template moved.').waitFor()
  await page.getByRole('link', { name: 'Seasonal' }).click()
  await page.getByRole('link', { name: /^Spring offer/ }).waitFor()
  await page.getByRole('button', { name: 'Actions for folder Seasonal' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete folder' }).click()
  await expect.poll(() => pathOf(page)).toBe('/templates')

  await useInAutomation(sample.templateId)
  await page.getByRole('button', { name: 'Actions for Receipt', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('This template is used by active automations and cannot be deleted.').waitFor()
})

async function useInAutomation(templateId: string): Promise<void> {
  const { sender } = dashboard
  const { json: list } = await sender.post('/lists', { name: 'Guests' })
  const steps = [{ type: 'send_email', template_id: templateId }]
  const { json } = await sender.post('/automations', {
    name: 'Welcome',
    trigger: { type: 'list_joined', list_id: list.id },
    steps,
  })
  const { status, text } = await sender.put(`/automations/${json.id}`, { status: 'active' })
  expect(status, text).toBe(200)
}
