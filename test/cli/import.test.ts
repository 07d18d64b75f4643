import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', 'exports', name)
const run = (from: string, ...args: string[]) => line.run(['import', '--from', from, '--json', ...args])

/** The reasons of the addresses that the team suppresses, by address. */
async function readSuppressions(): Promise<Record<string, string>> {
  const { json } = await line.sender.get('/suppressions?per_page=100')
  return Object.fromEntries(json.data.map(({ email, reason }: Record<string, string>) => [email, reason]))
}

describe('suppressions', () => {
  const [gone, angry, quiet] = ['gone@customer.example', 'angry@customer.example', 'quiet@customer.example']

  test.each([
    [
      'postmark',
      ['postmark-suppressions.json'],
      { [gone]: 'bounce', [angry]: 'complaint', [quiet]: 'manual' },
      [],
    ],
    ['ses', ['ses-suppressions.json'], { [gone]: 'bounce', [angry]: 'complaint' }, []],
    [
      'sendgrid',
      [
        'sendgrid-bounces.csv',
        'sendgrid-spam-reports.json',
        'sendgrid-unsubscribes.json',
        'sendgrid-blocks.json',
      ],
      { [gone]: 'bounce', 'lost@customer.example': 'bounce', [angry]: 'complaint', [quiet]: 'manual' },
      [
        'record 2: The address unsubscribed only from the group Weekly digest',
        'record 1: SendGrid keeps sending',
      ],
    ],
    [
      'mailgun',
      ['mailgun-bounces.json', 'mailgun-complaints.json', 'mailgun-unsubscribes.csv'],
      { [gone]: 'bounce', [angry]: 'complaint', [quiet]: 'manual' },
      ['record 2: The bounce was temporary', 'line 3: The address unsubscribed only from the tag newsletter'],
    ],
  ])(
    '0 for those of %s, with the reasons, and told why some are skipped',
    async (from, files, wanted, told) => {
      const ended = await run(from, ...files.flatMap((file) => ['--suppressions', fixture(file)]))
      expect(ended.stderr).toBe('')
      expect(ended.code).toBe(0)
      expect(await readSuppressions()).toEqual(wanted)
      const skipped = ended
        .json()
        .flatMap((report: { skipped: { place: string; message: string }[] }) =>
          report.skipped.map(({ place, message }) => `${place}: ${message}`),
        )
      expect(skipped).toEqual(told.map((text) => expect.stringContaining(text)))
      await line.sender.post('/suppressions/batch/remove', { emails: Object.keys(wanted) })
    },
  )

  test('1 with the place of each record that the server rejects; the others are imported', async () => {
    const file = join(line.home, 'broken.json')
    const list = [
      { EmailAddress: 'nobody', Reason: 'BOUNCE' },
      { EmailAddress: '=1+1@customer.example', Reason: 'BOUNCE' },
      { EmailAddress: 'two\nlines@customer.example', Reason: 'BOUNCE' },
      { EmailAddress: 'ok@customer.example', Reason: 'BOUNCE' },
      { EmailAddress: 'why@customer.example', Reason: 'CONSTRUCTOR' },
      { EmailAddress: { toString: 'x' }, Reason: 'BOUNCE' },
      null,
    ]
    writeFileSync(file, JSON.stringify(list))
    const ended = await run('ses', '--suppressions', file)
    expect(ended.code).toBe(1)
    expect(ended.json()).toMatchObject([
      {
        created: 2,
        skipped: [
          { place: 'record 5', message: 'The reason "CONSTRUCTOR" is unknown.' },
          { place: 'record 6' },
        ],
        rejected: [{ place: 'record 1' }, { place: 'record 3' }],
      },
    ])
    expect(Object.keys(await readSuppressions()).sort()).toEqual([
      '=1+1@customer.example',
      'ok@customer.example',
    ])
    await line.sender.post('/suppressions/batch/remove', {
      emails: ['=1+1@customer.example', 'ok@customer.example'],
    })
  })

  test('1 with the reports of the files before one that cannot be read', async () => {
    const first = ['--suppressions', fixture('ses-suppressions.json')]
    for (const [file, why] of [
      ['missing.json', 'ENOENT'],
      ['x'.repeat(300), 'ENAMETOOLONG'],
    ] as const) {
      const ended = await run('ses', ...first, '--contacts', file)
      expect(ended.code).toBe(1)
      expect(ended.stderr).toBe(`${file} cannot be read (${why}).\n`)
      expect(ended.json()).toMatchObject([{ object: 'suppression_import', status: 'completed' }])
    }
    await line.sender.post('/suppressions/batch/remove', {
      emails: ['gone@customer.example', 'angry@customer.example'],
    })
  })

  test('nothing is stored by --dry-run, and --reason replaces the reason of the file', async () => {
    const args = ['--suppressions', fixture('sendgrid-blocks.json')]
    expect((await run('sendgrid', ...args, '--reason', 'bounce', '--dry-run')).json()).toMatchObject([
      { records: 1, accepted: 1 },
    ])
    expect(await readSuppressions()).toEqual({})
    await run('sendgrid', ...args, '--reason', 'bounce')
    expect(await readSuppressions()).toEqual({ 'blocked@customer.example': 'bounce' })
  })
})

describe('contacts', () => {
  const read = async (email: string) => (await line.sender.get(`/contacts/${email}`)).json

  test.each([
    ['resend', 'resend-contacts.json', { first_name: 'Ann', last_name: 'Smith' }, {}],
    [
      'sendgrid',
      'sendgrid-contacts.csv',
      { first_name: 'Ann' },
      { CITY: 'Berlin', FAVOURITE_COLOUR: 'green' },
    ],
    ['mailgun', 'mailgun-members.json', { first_name: 'Ann', last_name: 'van Dyke' }, { PLAN: 'pro' }],
    ['ses', 'ses-contacts.json', {}, {}],
  ])('0 for those of %s, with their fields as properties', async (from, file, fields, properties) => {
    const ended = await run(from, '--contacts', fixture(file), '--properties')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(await read('ann@customer.example')).toMatchObject({ ...fields, unsubscribed: false, properties })
    if (from !== 'sendgrid')
      expect(await read('quiet@customer.example')).toMatchObject({ unsubscribed: true })
    if (from === 'ses') {
      expect(ended.json()[0].skipped).toEqual([
        { place: 'record 1', message: expect.stringContaining('The opt-out from Sports') },
      ])
    }
    await line.sender.delete('/contacts/ann@customer.example')
  })

  test('fields without a property are told, not imported, without --properties', async () => {
    const ended = await run('sendgrid', '--contacts', fixture('sendgrid-contacts.csv'), '--dry-run')
    expect(ended.json()).toMatchObject([{ ignored_properties: ['city', 'favourite_colour'], properties: [] }])
    expect((await run('postmark', '--contacts', fixture('sendgrid-contacts.csv'))).stderr).toContain(
      'no contacts',
    )
  })
})

test('a field of several files becomes one property, and its key is told', async () => {
  const args = ['one', 'two'].flatMap((name) => ['--contacts', join(line.home, `${name}.csv`)])
  writeFileSync(join(line.home, 'one.csv'), 'email,Страна,Plan %\none@customer.example,a,b\n')
  writeFileSync(join(line.home, 'two.csv'), 'email,Город,Страна,plan\ntwo@customer.example,c,d,e\n')
  const ended = await run('resend', ...args, '--properties', '--dry-run')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.json()).toMatchObject([
    { properties: ['field_2', 'plan_2'], renamed_fields: { Страна: 'field_2', 'Plan %': 'plan_2' } },
    { properties: ['field', 'field_2', 'plan'], renamed_fields: { Город: 'field', Страна: 'field_2' } },
  ])
})

describe('templates', () => {
  const read = async (alias: string) => (await line.sender.get(`/templates/${alias}`)).json
  const sender = () => ['--sender', `Acme <hello@${line.sender.domain}>`]

  test('those of Postmark, in their layout; 1 and the line for one with a loop', async () => {
    const ended = await run('postmark', '--templates', fixture('postmark-templates.json'), ...sender())
    expect(ended.code).toBe(1)
    expect(ended.json()).toMatchObject([
      { name: 'Password reset', result: 'created', problems: [] },
      {
        name: 'Receipt',
        result: 'rejected',
        problems: [
          expect.stringContaining('html, line 2: {{#each items}}'),
          expect.stringContaining('html, line 4'),
        ],
      },
    ])
    expect(await read('password-reset')).toMatchObject({
      subject: 'Reset your password, {{name}}',
      html_content:
        '<html><body><p>Hello {{name}},</p><a href="{{{action_url}}}">Reset</a><p>{{company_name}}</p></body></html>',
      text_content: 'Hello {{name}}: {{action_url}}\n-- \n{{company_name}}',
      status: 'published',
    })
    const again = await run('postmark', '--templates', fixture('postmark-templates.json'), ...sender())
    expect(again.json()[0]).toMatchObject({ result: 'rejected', problems: [expect.any(String)] })
  })

  test('once, although their names have no letters for an alias: again, 1 with the id of the stored one', async () => {
    const file = join(line.home, 'non-latin.json')
    const named = (Name: string) => ({ Name, Alias: null, Subject: 'x', HtmlBody: '', TextBody: 'x' })
    const names = ['歓迎', '歓迎メール', '歓迎']
    writeFileSync(file, JSON.stringify(names.map(named)))
    const importFile = () => run('postmark', '--templates', file, ...sender())
    const [first, second] = [await importFile(), await importFile()]
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const created = first.json().map(({ name, id }: { name: string; id: string }) => ({ name, id }))
    expect(created).toEqual(names.map((name) => ({ name, id: expect.any(String) })))
    expect(second.code).toBe(1)
    const problems = ['A template with this name already exists.']
    const ids = created.map(({ id }: { id: string }) => id)
    expect(second.json()).toMatchObject(
      names.map((name) => ({
        name,
        id: expect.toSatisfy((id) => ids.includes(id)),
        result: 'rejected',
        problems,
      })),
    )
    const { json } = await line.sender.get(`/templates?q=${encodeURIComponent('歓迎')}`)
    expect(json.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      created.map(({ id }: { id: string }) => id).sort(),
    )
  })

  test('those of the other services, with fallbacks and changed names', async () => {
    for (const [from, file] of [
      ['resend', 'resend-template.json'],
      ['mailgun', 'mailgun-template.json'],
      ['ses', 'ses-template.json'],
    ] as const) {
      expect(await run(from, '--templates', fixture(file), ...sender())).toMatchObject({
        code: 0,
        stderr: '',
      })
    }
    expect(await read('reset-password')).toMatchObject({
      variables: [{ key: 'FIRST_NAME', fallback_value: 'friend' }],
    })
    expect(await read('invite')).toMatchObject({ html_content: '<p>{{sender}} invites {{first_name}}.</p>' })
    expect(await read('ordershipped')).toMatchObject({ subject: 'Order {{order_id}} is on its way' })
  })

  test('--drafts stores a template of SendGrid with what is to be rewritten, and tells its lines', async () => {
    const ended = await run(
      'sendgrid',
      '--templates',
      fixture('sendgrid-templates.json'),
      ...sender(),
      '--drafts',
    )
    expect(ended.json()).toMatchObject([
      {
        result: 'created',
        problems: [/line 2: {{#if/, /line 2: {{\/if/, /line 3: {{{unsubscribe/, /line 4: {{formatDate/].map(
          (wanted) => expect.stringMatching(wanted),
        ),
      },
      { name: 'Ancient', result: 'rejected', problems: [expect.stringContaining('legacy'), ...Array(0)] },
    ])
    expect(await read('welcome')).toMatchObject({
      status: 'draft',
      subject: 'Welcome, {{firstName}}',
      html_content: expect.stringContaining('{{#if premium}}'),
    })
  })

  test('1 with words for a file that cannot be read, and 2 without a service', async () => {
    const missing = await run('ses', '--suppressions', join(line.home, 'none.json'))
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') })
    for (const [name, content, words] of [
      ['bad.json', '{ "a": ', 'not valid JSON'],
      ['bad.csv', 'a,b\n"1,2\n', 'not valid CSV'],
      ['bad.bin', Buffer.from([0xff, 0xfe, 0]), 'not UTF-8'],
    ] as const) {
      writeFileSync(join(line.home, name), content)
      const ended = await run('ses', '--suppressions', join(line.home, name))
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
    }
    expect((await run('ses')).stderr).toContain('--suppressions')
    expect((await line.run(['import', '--suppressions', 'x'])).code).toBe(2)
  })
})
