import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from './support/axe.ts'
import { chooseByKeys } from './support/choose-by-keys.ts'
import { givenDashboard, visit } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { NASTY } from './support/nasty.ts'

const dashboard = givenDashboard()
let listId: string
beforeAll(async () => {
  const { sender } = dashboard
  await sender.post('/properties', { key: 'plan', type: 'string' })
  listId = (await sender.post('/lists', { name: 'Newsletter' })).json.id
})

const COUNT = 10_000
const WRONG = 12

const get = async (path: string) => (await dashboard.sender.get(path)).json
const columnOf = (page: Page, name: string) =>
  page.getByRole('combobox', { name: `Field for column ${name}` })

async function choose(page: Page, text: string | Buffer, name = 'people.csv'): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

async function map(page: Page, column: string, field: string): Promise<void> {
  await columnOf(page, column).click()
  await page.getByRole('option', { name: field, exact: true }).click()
}

/** Returns a file as other systems write it: with other column names, semicolons and quotes. */
function writePeople(): string {
  const rows = Array.from({ length: COUNT + WRONG }, (_, index) =>
    index % 800 === 799 && index < 800 * WRONG
      ? `nobody-${index};"Wrong, ""No""";1;x`
      : `person${index}@import.example;"Ann; ${index}";${index % 50};pro`,
  )
  return `\ufeffE-Mail Address;Given Name;Seats;Tier\r\n${rows.join('\r\n')}\r\n`
}

test('ten thousand contacts from a file of another system: columns are mapped, a property is created, errors are shown', async () => {
  const page = await dashboard.open('/imports/contacts')
  await choose(page, writePeople())
  await page.getByRole('heading', { name: 'people.csv' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await expect.poll(() => columnOf(page, 'E-Mail Address').inputValue()).toBe('Address')
  await expect.poll(() => columnOf(page, 'Given Name').inputValue()).toBe('First name')
  expect(await columnOf(page, 'Tier').inputValue()).toBe('')
  await map(page, 'Tier', 'plan (string)')
  await map(page, 'Seats', 'Create property…')
  const dialog = page.getByRole('dialog', { name: 'Create property' })
  expect(await dialog.getByLabel('Key').inputValue()).toBe('seats')
  expect(await dialog.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('Number')
  await dialog.getByRole('button', { name: 'Create property' }).click()
  await expect.poll(() => columnOf(page, 'Seats').inputValue()).toBe('seats (number)')
  // The dialog returns the focus, and the choice stays closed.
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('option').filter({ visible: true }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Add all contacts to lists' }).click()
  await page.getByRole('option', { name: 'Newsletter' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'The first rows' }).getByText('Ann; 0').waitFor()

  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText(`${WRONG} of 10,012 rows would be skipped.`).waitFor({ timeout: 40_000 })
  expect((await get('/contacts')).meta.total).toBe(0)
  await page.getByRole('button', { name: 'Import the other 10,000 rows' }).click()
  await page.waitForURL(/\/imports\/contacts\/[0-9a-f-]{36}$/)
  await page.getByText(`${WRONG} of 10,012 skipped`, { exact: true }).waitFor({ timeout: 40_000 })
  const id = page.url().split('/').at(-1)
  expect(await get(`/contacts/imports/${id}`)).toMatchObject({
    rows_read: COUNT + WRONG,
    rows_created: COUNT,
    rows_failed: WRONG,
  })
  expect((await get('/contacts')).meta.total).toBe(COUNT)
  expect((await get(`/lists/${listId}`)).contact_count).toBe(COUNT)
  expect(await get('/contacts/person7@import.example')).toMatchObject({
    first_name: 'Ann; 7',
    properties: { SEATS: 7, PLAN: 'pro' },
  })

  const errors = page.getByRole('table', { name: 'Skipped rows' })
  await errors.getByText('must be a valid email address').waitFor()
  expect(await errors.getByRole('row').count()).toBe(2)
  expect(await errors.getByRole('cell').allTextContents()).toEqual([
    'The email field must be a valid email address.',
    '“nobody-799”, “nobody-1599”, “nobody-2399”, …',
    String(WRONG),
    '801, 1,601, 2,401, …',
  ])
  expect(await violationsOf(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const lines = (await (await file.createReadStream()).toArray()).join('').trim().split('\r\n')
  expect(lines).toHaveLength(WRONG + 1)
  expect(lines[1]).toBe('801,The email field must be a valid email address.,nobody-799')
})

test('the type of a new property is guessed from thousands of rows: one late text makes it a string', async () => {
  const page = await dashboard.open('/imports/contacts')
  const rows = Array.from({ length: 3_000 }, (_, index) => `p${index}@late.example,${index}\n`)
  await choose(page, `email,Late\n${rows.join('')}last@late.example,n/a\n`)
  await map(page, 'Late', 'Create property…')
  const dialog = page.getByRole('dialog', { name: 'Create property' })
  expect(await dialog.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('String: any text')
})

test('a file whose rows would all be skipped is not imported, and its check is no success', async () => {
  const before = (await get('/contacts')).meta.total
  const page = await dashboard.open('/imports/contacts')
  await choose(page, 'email,unsubscribed\nann@all.example,perhaps\nben@all.example,later\n')
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByText('2 of 2 rows would be skipped.').waitFor()
  await page.getByRole('table', { name: 'Skipped rows' }).getByText('“perhaps”, “later”').waitFor()
  expect(await page.getByRole('button', { name: /^Import the other/ }).isDisabled()).toBe(true)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Choose another file' }).click()
  const imports = page.getByRole('table', { name: 'Imports' })
  await imports.getByRole('row').nth(1).getByText('Nothing imported').waitFor()
  expect((await get('/contacts')).meta.total).toBe(before)
})

test('yes and no in German, a new list, and contacts that exist stay unchanged', async () => {
  const { sender } = dashboard
  await sender.post('/contacts', { email: 'ann@german.example', first_name: 'Ann' })
  const page = await dashboard.open('/imports/contacts')
  await choose(page, 'E-Mail;Vorname;Abgemeldet\nann@german.example;Anna;ja\nben@german.example;Ben;nein\n')
  await expect.poll(() => columnOf(page, 'Abgemeldet').inputValue()).toMatch(/^Unsubscribed/)
  await page.getByRole('button', { name: 'Create list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create list' })
  await dialog.getByLabel('Name').fill('Germany')
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Contacts that exist' }).click()
  await page.getByRole('option', { name: 'Leave unchanged' }).click()
  await page.getByRole('button', { name: 'Start import' }).click()
  // Without faults, the import follows its check at once.
  await page.getByText('Completed', { exact: true }).waitFor()
  const ann = await get('/contacts/ann@german.example')
  expect(ann).toMatchObject({ first_name: 'Ann', unsubscribed: false, lists: [{ name: 'Germany' }] })
  expect(await get('/contacts/ben@german.example')).toMatchObject({ first_name: 'Ben', unsubscribed: false })
})

describe('a file', () => {
  test('in another encoding is shown for a check, and imported in the encoding that was chosen', async () => {
    const page = await dashboard.open('/imports/contacts')
    // Mac OS Roman, which is shown in Windows-1252 first.
    await choose(page, Buffer.from('email;first_name\r\njoerg@mac.example;J\x9arg\r\n', 'latin1'))
    const note = page.getByRole('status').filter({ hasText: 'The file is not in UTF-8' })
    await note.getByText('Jšrg').waitFor()
    expect(await violationsOf(page)).toEqual([])
    const encoding = page.getByRole('combobox', { name: 'Encoding' })
    expect(await encoding.inputValue()).toBe('Windows-1252')
    const existing = page.getByRole('combobox', { name: 'Contacts that exist' })
    await existing.click()
    await page.getByRole('option', { name: 'Leave unchanged' }).click()
    await encoding.click()
    await page.getByRole('option', { name: 'Mac OS Roman' }).click()
    await page.getByRole('region', { name: 'The first rows' }).getByText('Jörg').waitFor()
    await note.waitFor({ state: 'detached' })
    // What was chosen for the contacts stays.
    expect(await existing.inputValue()).toBe('Leave unchanged')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    expect((await get('/contacts/joerg@mac.example')).first_name).toBe('Jörg')
  })

  test('that does not fit the chosen encoding, or no known one, stays chosen until an encoding fits', async () => {
    const page = await dashboard.open('/imports/contacts')
    const encoding = page.getByRole('combobox', { name: 'Encoding' })
    const select = async (name: string) => {
      await encoding.click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await choose(page, Buffer.from('email;first_name\r\njoerg@fit.example;J\xf6rg\r\n', 'latin1'))
    await page.getByRole('region', { name: 'The first rows' }).getByText('Jörg').waitFor()
    await select('UTF-8')
    const fault = page.getByRole('alert')
    await fault.getByText('not valid in this encoding').waitFor()
    expect(await encoding.inputValue()).toBe('UTF-8')
    expect(await page.getByRole('button', { name: 'Start import' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await select('Windows-1252')
    await page.getByRole('region', { name: 'The first rows' }).getByText('Jörg').waitFor()
    expect(await fault.count()).toBe(0)

    await page.getByRole('button', { name: 'Choose another file' }).click()
    await choose(page, Buffer.from(`${'я'.repeat(600)}\temail\nИрина\tirina@fit.example\n`, 'utf16le'))
    await fault.getByText('This is not a text file.').waitFor()
    await select('UTF-16 LE')
    await page.getByRole('heading', { name: 'Columns' }).waitFor()
    // It was detected again, because nobody chose it.
    expect(await page.getByRole('combobox', { name: 'Delimiter' }).inputValue()).toBe('Tab')
    await expect.poll(() => columnOf(page, 'email').inputValue()).toBe('Address')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('Completed', { exact: true }).waitFor()
    expect((await get('/contacts/irina@fit.example')).email).toBe('irina@fit.example')
  })

  test('is rejected with a message before anything is sent', async () => {
    const page = await dashboard.open('/imports/contacts')
    await choose(page, 'PK\u0003\u0004\0')
    await page.getByText('This is not a text file.').waitFor()
    await choose(page, 'name,note\nAnn,x\n')
    await page.getByText('Choose the column that holds the address.').waitFor()
    expect(await page.getByRole('button', { name: 'Start import' }).isDisabled()).toBe(true)
    await map(page, 'name', 'Address')
    await map(page, 'note', 'Address')
    await page.getByText('Two columns are mapped to the same field.').waitFor()
  })

  test('that was corrected after the check of its rows is to be chosen again', async () => {
    dashboard.allow(/ERR_UPLOAD_FILE_CHANGED/)
    const folder = mkdtempSync(join(tmpdir(), 'import-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'people.csv')
    writeFileSync(file, 'email,unsubscribed\nann@again.example,perhaps\nben@again.example,no\n')
    const page = await dashboard.open('/imports/contacts')
    await page.locator('input[type="file"]').setInputFiles(file)
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('1 of 2 rows would be skipped.').waitFor()
    writeFileSync(file, 'email,unsubscribed\nann@again.example,yes\nben@again.example,no\n')
    utimesSync(file, new Date(), new Date(Date.now() + 60_000))
    await page.getByRole('button', { name: 'Import the other row' }).click()
    await page.getByRole('alert').filter({ hasText: 'Choose it again.' }).waitFor()
    expect(await page.getByText('Reconnecting…').count()).toBe(0)
  })

  test('is accepted when dropped on the page', async () => {
    const page = await dashboard.open('/imports/contacts')
    const files = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['email\tfirst_name\na@drop.example\tAda\n'], 'dropped.tsv'))
      return transfer
    })
    await page
      .getByRole('region', { name: 'Drop area for a file' })
      .dispatchEvent('drop', { dataTransfer: files })
    await page.getByRole('heading', { name: 'dropped.tsv' }).waitFor()
    await page.getByRole('region', { name: 'The first rows' }).getByText('Ada').waitFor()
  })

  test('with markup in headers and cells is shown as text, even in errors', async () => {
    const page = await dashboard.open('/imports/contacts')
    const cell = `"${NASTY.replaceAll('"', '""')}"`
    await choose(
      page,
      `email,${cell}\n${cell},${cell}\nx@nasty.example,${cell}\n`,
      `${NASTY.replaceAll('/', '')}.csv`,
    )
    await page.getByRole('region', { name: 'The first rows' }).waitFor()
    await columnOf(page, NASTY).click()
    await page.getByRole('option', { name: 'First name', exact: true }).click()
    expect(await page.content()).toContain('&lt;img src=https://evil.test')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('button', { name: /^Import the other/ }).click()
    await page.waitForURL(/\/imports\/contacts\/[0-9a-f-]{36}$/)
    await page.getByText('1 of 2 skipped', { exact: true }).waitFor()
    expect((await get('/contacts/x@nasty.example')).first_name).toBe(NASTY)
    await visit(page, `/app/${dashboard.sender.id}/contacts?q=x@nasty`)
    await page.getByText('<img src=https://evil.test').filter({ visible: true }).first().waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
  })
})

test('suppressions are imported from a file with the keyboard alone', async () => {
  const page = await dashboard.open('/suppressions')
  // Listen before it opens, because the browser reports it in parallel to the keys.
  const opened = page.waitForEvent('filechooser')
  await page.getByRole('link', { name: 'Import' }).focus()
  await page.keyboard.press('Enter')
  const button = page.getByRole('button', { name: 'Choose a CSV file' })
  await button.focus()
  await page.keyboard.press('Enter')
  const chooser = await opened
  const buffer = Buffer.from('recipient,why\ngone@import.example,bounce\nx@import.example,unknown\n')
  await chooser.setFiles({ name: 's.csv', mimeType: 'text/csv', buffer })
  await chooseByKeys(page, columnOf(page, 'why'), 'Reason')
  await page.getByRole('button', { name: 'Start import' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Import the other/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/imports\/suppressions\/[0-9a-f-]{36}$/)
  await page.getByRole('table', { name: 'Skipped rows' }).getByText('reason').waitFor()
  await page.getByText('1 of 2 skipped', { exact: true }).waitFor()
  expect(await get('/suppressions/gone@import.example')).toMatchObject({ reason: 'bounce' })
})

test('a viewer sees imports, but cannot start one', async () => {
  const page = await dashboard.open('/imports/contacts', { role: 'viewer' })
  await page.getByText('Your role can view imports but not start them.').waitFor()
  expect(await page.locator('input[type="file"]').count()).toBe(0)
  await page.getByRole('table', { name: 'Imports' }).waitFor()
})

test('the page fits on a phone', async () => {
  const page = await dashboard.open('/imports/contacts', { width: 390, scheme: 'dark' })
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await choose(
    page,
    `email,${'a long name of a column '.repeat(5)},c,d,e,f\na@x.test,${'cell '.repeat(40)},1,2,3,4\n`,
  )
  await page.getByRole('region', { name: 'The first rows' }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})
