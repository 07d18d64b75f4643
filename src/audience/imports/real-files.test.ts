import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { runImports, upload } from '../../../test/support/csv.ts'
import { suppressionRoutes } from '../../suppressions/suppressions-routes.ts'
import { contactRoutes } from '../contacts/contacts-routes.ts'
import { propertyRoutes } from '../properties/properties-routes.ts'
import { importRoutes } from './imports-routes.ts'

/** Files in the form in which other programs write them, byte by byte. */
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/csv')

let api: Api
beforeAll(async () => {
  api = await startApi({
    routes: [...contactRoutes, ...propertyRoutes, ...suppressionRoutes, ...importRoutes],
    deps: { wakeImports: () => {} },
  })
})
afterAll(() => api.stop())

interface RealFile {
  encoding?: 'windows-1252' | 'macintosh'
  /** Fields by column. Other columns are skipped. */
  mapping?: Readonly<Record<string, string>>
  kind?: 'suppressions'
  /** The rows by address: first name, last name and the property `extra`, without empty ones at the end. */
  rows: Readonly<Record<string, readonly string[]>>
  /** The errors by line. */
  errors?: Readonly<Record<number, string>>
}

const INVALID = 'The email field must be a valid email address.'
const GERMAN = { 'E-Mail': 'email', Vorname: 'first_name', Nachname: 'last_name', PLZ: 'properties.extra' }
const ENGLISH = { 'First Name': 'first_name', 'Last Name': 'last_name' }
const MAILCHIMP = { ...ENGLISH, 'Email Address': 'email' }

const FILES: Readonly<Record<string, RealFile>> = {
  'excel-us-utf8.csv': {
    mapping: { ...ENGLISH, ZIP: 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', 'O’Neil', '02134'],
      'rene@customer.example': ['René', 'Dupont, Jr.', '10001'],
    },
  },
  'excel-us.csv': {
    encoding: 'windows-1252',
    mapping: { ...ENGLISH, ZIP: 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', 'O’Neil', '02134'],
      'rene@customer.example': ['René', 'Dupont, Jr.', '10001'],
    },
  },
  'excel-us-deleted-cells.csv': {
    mapping: { 'First Name': 'first_name' },
    rows: { 'ann@customer.example': ['Ann'], 'bob@customer.example': ['Bob'] },
  },
  'excel-us-unicode-text.txt': {
    mapping: ENGLISH,
    rows: { 'zoe@customer.example': ['Zoë', 'Łukasz'], 'li@customer.example': ['李', 'Wang "Li"'] },
  },
  'excel-de.csv': {
    encoding: 'windows-1252',
    mapping: GERMAN,
    rows: {
      'joerg@customer.example': ['Jörg', 'Müller', '01067'],
      'gross@customer.example': ['Anne', 'Groß', '80331'],
    },
  },
  'excel-de-utf8.csv': {
    mapping: {
      'E-Mail': 'email',
      'Vorname (Rufname)': 'first_name',
      Nachname: 'last_name',
      Notiz: 'properties.extra',
    },
    rows: {
      'joerg@customer.example': ['Jörg', 'Müller', 'erste Zeile\nzweite; "Zeile"'],
      'anne@customer.example': ['Anne', 'Groß'],
    },
    errors: { 5: INVALID },
  },
  'excel-de-sep.csv': {
    encoding: 'windows-1252',
    mapping: { 'E-Mail': 'email', 'Name, Vorname': 'last_name', Abgemeldet: 'unsubscribed' },
    rows: { 'joerg@customer.example': ['', 'Müller, Jörg'], 'anne@customer.example': ['', 'Groß, Anne'] },
    errors: { 4: INVALID },
  },
  'excel-mac.csv': {
    encoding: 'macintosh',
    mapping: ENGLISH,
    rows: {
      'rene@customer.example': ['René', 'Côté'],
      'jurgen@customer.example': ['Jürgen', '“Großmann”'],
    },
  },
  'excel-mac-utf8.csv': { mapping: ENGLISH, rows: { 'rene@customer.example': ['René', 'Côté'] } },
  'google-sheets.csv': {
    mapping: { 'First name': 'first_name', Notes: 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', '', 'likes "quotes", commas'],
      'bob@customer.example': ['Bob', '', 'two\nlines'],
      'emoji@customer.example': ['😀 Ève'],
    },
  },
  'libreoffice.csv': {
    mapping: { seats: 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', 'Smith', '12'],
      'bob@customer.example': ['Bob', "D'Arcy", '3'],
    },
  },
  'libreoffice-utf16.csv': { rows: { 'jozef@customer.example': ['Józef', 'Żak'] } },
  'numbers-de.csv': {
    mapping: { 'E-Mail': 'email', Vorname: 'first_name', Nachname: 'last_name' },
    rows: { 'zoe@customer.example': ['Zoë', 'Weiß'], 'max@customer.example': ['Max'] },
  },
  'mailchimp-subscribed.csv': {
    mapping: { ...MAILCHIMP, TAGS: 'properties.extra' },
    rows: { 'ann@customer.example': ['Ann', 'Smith', '"VIP","Beta users"'], 'bob@customer.example': [] },
  },
  'mailchimp-cleaned.csv': {
    kind: 'suppressions',
    mapping: { 'Email Address': 'email' },
    rows: { 'gone@customer.example': [] },
  },
  'hubspot.csv': {
    mapping: { ...ENGLISH, 'Associated Company': 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', 'Smith', 'Customer, Inc.'],
      'renee@customer.example': ['Renée'],
    },
    errors: { 4: 'The email field is required.' },
  },
  'outlook-classic.csv': {
    encoding: 'windows-1252',
    mapping: { ...ENGLISH, 'E-mail Address': 'email', Company: 'properties.extra' },
    rows: {
      'ann@customer.example': ['Ann', 'Smith', 'Customer, Inc.'],
      'bob@customer.example': ['Bob', 'Brown'],
    },
    errors: { 4: INVALID },
  },
  'outlook-web.csv': {
    mapping: { ...ENGLISH, 'E-mail Address': 'email', Company: 'properties.extra' },
    rows: {
      'zoe@customer.example': ['Zoë', 'Weiß'],
      'list@customer.example': ['', '', 'Customer GmbH'],
    },
  },
  'google-contacts.csv': {
    mapping: { ...ENGLISH, 'E-mail 1 - Value': 'email', Labels: 'properties.extra' },
    rows: { 'ann@customer.example': ['Ann', 'Smith', '* myContacts ::: Customers'] },
    errors: { 4: 'The email field has 2 addresses. A row must have one.' },
  },
  'brevo.csv': {
    mapping: { FIRSTNAME: 'first_name', LASTNAME: 'last_name', SMS: 'properties.extra' },
    rows: { 'ann@customer.example': ['Ann', 'Smith', '15550100'], 'bob@customer.example': [] },
  },
  'erp-pipe.txt': {
    encoding: 'windows-1252',
    mapping: { VORNAME: 'first_name', NACHNAME: 'last_name', KUNDE: 'properties.extra' },
    rows: {
      'joerg@customer.example': ['Jörg', 'Müller, Dr.', '0001'],
      'anne@customer.example': ['Anne', 'Groß; Söhne', '0002'],
    },
  },
  'copied-addresses.csv': {
    mapping: { 'First name': 'first_name' },
    rows: {
      'ann@customer.example': ['Ann'],
      'bob@customer.example': ['Bob'],
      'carla@customer.example': [],
      'dora+news@customer.example': ['Dora'],
      'emil@customer.example': ['Emil'],
    },
    errors: { 7: 'The email field has 2 addresses. A row must have one.' },
  },
}

interface FoundRecord {
  email: string
  first_name?: string | null
  last_name?: string | null
  properties?: { EXTRA?: string | null }
}

function cellsOf({ first_name, last_name, properties }: FoundRecord): string[] {
  const cells = [first_name, last_name, properties?.EXTRA].map((cell) => cell ?? '')
  while (cells.at(-1) === '') cells.pop()
  return cells
}

test.each(Object.entries(FILES))('%s is imported with all of its rows', async (name, expected) => {
  const { encoding, mapping = {}, kind = 'contacts', rows, errors = {} } = expected
  const team = await api.givenTeam()
  await team.post('/properties', { key: 'extra', type: 'string' })
  const file = await readFile(join(FOLDER, name))
  const query = new URLSearchParams({ mapping: JSON.stringify(mapping), ignore_unknown: 'true' })
  if (encoding !== undefined) {
    const refused = await upload(api.url, team, `/${kind}/import?${query}`, file)
    expect(refused).toMatchObject({ status: 422, json: { errors: { encoding: [expect.any(String)] } } })
    query.set('encoding', encoding)
  }
  const received = await upload(api.url, team, `/${kind}/import?${query}`, file)
  expect(received.status, received.text).toBe(202)
  await runImports(api)
  const done = (await team.get(`/${kind}/imports/${received.json.id}`)).json
  const found = done.errors.map(({ line, message }: { line: number; message: string }) => [line, message])
  expect(Object.fromEntries(found)).toEqual(errors)
  const records = (await team.get(`/${kind}?limit=100`)).json.data as FoundRecord[]
  expect(Object.fromEntries(records.map((record) => [record.email, cellsOf(record)]))).toEqual(rows)
})

test('every file of the folder is imported', async () => {
  expect(Object.keys(FILES).sort()).toEqual((await readdir(FOLDER)).sort())
})
