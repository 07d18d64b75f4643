import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVER } from '../../bin/built-server.mjs'
import { useCommandLine } from './support/command-line.ts'

const line = useCommandLine()
const NOBODY = { SENDWRIGHT_URL: '', SENDWRIGHT_API_KEY: '' }

test('0 for login, which stores the key in a file that only its owner reads, and for every use of profiles', async () => {
  const settings = { ...NOBODY, XDG_CONFIG_HOME: join(line.home, 'profiles') }
  const none = await line.run(['emails', 'list'], settings)
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain('Run "sendwright login"')

  const login = ['login', '--url', `${line.service.url}/`, '--json']
  const wrong = await line.run(login, settings, 'sw_wrong\n')
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: 'The server does not accept this key.\n' })
  const { token } = line.sender
  const first = await line.spawn(login, settings, `${token}\n`)
  expect(first.json()).toMatchObject({
    object: 'profile',
    name: 'default',
    permission: 'full',
    current: true,
  })
  expect(first.stdout).not.toContain(token)
  expect(statSync(first.json().file).mode & 0o777).toBe(0o600)
  const { file } = first.json()
  const making = `${file}.${process.pid}`
  writeFileSync(making, '', { mode: 0o644 })
  chmodSync(file, 0o644)
  expect((await line.run(login, settings, `${token}\n`)).code).toBe(0)
  expect([statSync(file).mode & 0o777, existsSync(making)]).toEqual([0o600, false])
  expect((await line.run(['emails', 'list'], settings)).json()).toEqual([])

  const { token: sending } = await line.sender.givenKey({ permission: 'send' })
  const second = await line.run([...login, '--profile', 'sending'], settings, sending)
  expect(second.json()).toMatchObject({ name: 'sending', permission: 'restricted' })
  expect(await line.run(['emails', 'list'], settings)).toMatchObject({ code: 1, stdout: '' })
  expect(await line.run(['emails', 'list', '--profile', 'default'], settings)).toMatchObject({ code: 0 })
  expect(await line.run(['emails', 'list'], { ...settings, SENDWRIGHT_API_KEY: token })).toMatchObject({
    code: 0,
  })

  const used = await line.run(['profiles', 'use', 'default', '--json'], settings)
  expect(used.json()).toMatchObject([
    { name: 'default', url: line.service.url, key: `${token.slice(0, 8)}…`, current: true },
    { name: 'sending', current: false },
  ])
  expect((await line.run(['profiles', 'remove', 'sending'], settings)).json()).toHaveLength(1)
  expect((await line.run(['profiles'], settings)).json()).toHaveLength(1)
  const unknown = await line.run(['emails', 'list', '--profile', 'sending'], settings)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: 'There is no profile "sending". The profiles are default.\n',
  })
  // Every object inherits these names.
  for (const name of ['constructor', '__proto__']) {
    const inherited = await line.run(['emails', 'list', '--profile', name], settings)
    expect(inherited).toMatchObject({ code: 1, stdout: '' })
    expect(inherited.stderr).toBe(`There is no profile "${name}". The profiles are default.\n`)
  }
  expect(await line.run(['profiles', 'use', 'constructor'], settings)).toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('0 for emails: sent from a pipe, listed, read, followed, and opened where they were captured', async () => {
  const { email } = line.sender
  const { from } = email() as { from: string }
  const send = ['emails', 'send', '--from', from, '--to', 'ann@receiver.test', '--subject', 'Hello']
  const sent = await line.run(
    [...send, '--tag', 'kind=receipt', '--attach', import.meta.filename],
    {},
    'Text.\n',
  )
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  const { id } = sent.json()
  await line.sender.settled(id)
  expect((await line.run(['emails', 'list', '--to', 'ann@receiver.test', '--json'])).json()).toMatchObject([
    { id, subject: 'Hello', tags: [{ name: 'kind', value: 'receipt' }] },
  ])
  expect((await line.run(['emails', 'get', id])).json()).toMatchObject({ id, text: 'Text.\n' })
  const tail = await line.spawn(['emails', 'tail', id, '--from-start', '--limit', '1', '--json'])
  expect(tail.json()).toMatchObject({ object: 'event', type: 'email.queued', data: { email_id: id } })

  const listed = await line.run(['captured', 'list', '--json'])
  expect(listed.json()).toMatchObject([{ email_id: id, envelope_to: 'ann@receiver.test' }])
  const opened = (await line.run(['captured', 'open', '--to', 'Ann@receiver.test'])).json()
  expect(opened).toMatchObject({ object: 'captured', email_id: id, url: expect.stringContaining('http') })
  expect((await line.run(['captured', 'open', opened.id])).json()).toMatchObject({ id: opened.id })
  expect(await line.run(['captured', 'open', '--to', 'bob@receiver.test'])).toMatchObject({
    code: 1,
    stdout: '',
  })
})

test('1 for a text in another encoding, whose letters would be lost; a byte order mark is no part of it', async () => {
  const { from } = line.sender.email() as { from: string }
  const send = ['emails', 'send', '--from', from, '--to', 'ann@receiver.test', '--subject', 'x']
  const [utf8, other] = [join(line.home, 'utf-8.txt'), join(line.home, 'windows-1252.txt')]
  writeFileSync(utf8, '\ufeffGrüße\n')
  writeFileSync(other, 'Grüße\n', 'latin1')
  for (const option of ['--text-file', '--html-file']) {
    expect(await line.run([...send, option, other])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${other} is not UTF-8 text.\n`,
    })
  }
  const { id } = (await line.run([...send, '--text-file', utf8])).json()
  expect((await line.run(['emails', 'get', id])).json().text).toBe('Grüße\n')
})

test('the same idempotency key sends one email', async () => {
  const { from } = line.sender.email() as { from: string }
  const send = [
    'emails',
    'send',
    '--from',
    from,
    '--to',
    'once@receiver.test',
    '--subject',
    'x',
    '--text',
    'x',
  ]
  const [one, two] = [
    await line.run([...send, '--idempotency-key', 'once']),
    await line.run([...send, '--idempotency-key', 'once']),
  ]
  expect(two.json()).toEqual(one.json())
})

test('0 for domains by name and id, 1 for an unknown name', async () => {
  const { domain, domainId: id } = line.sender
  expect((await line.run(['domains', 'list', '--json'])).json()).toMatchObject([{ id, name: domain }])
  expect((await line.run(['domains', 'get', domain.toUpperCase()])).json()).toMatchObject({ id })
  expect((await line.run(['domains', 'verify', id])).json()).toMatchObject({ id, status: 'verified' })
  expect(await line.run(['domains', 'get', 'no.test'])).toMatchObject({
    code: 1,
    stderr: 'There is no domain no.test. Run "sendwright domains list" to list the domains.\n',
  })
})

test('0 for templates: pushed, pulled unchanged, compared after an edit, and rendered from files', async () => {
  expect((await line.run(['templates', 'pull'])).json()).toEqual([])
  expect((await line.run(['templates', 'push'])).json()).toEqual([])
  const folder = join(line.home, 'templates', 'receipt')
  mkdirSync(folder, { recursive: true })
  const { from } = line.sender.email() as { from: string }
  const fields = { name: 'Receipt', alias: 'receipt', subject: 'For {{NAME}}', from }
  const variables = [{ key: 'NAME', type: 'string', fallback_value: null }]
  writeFileSync(join(folder, 'template.json'), JSON.stringify({ ...fields, variables }))
  writeFileSync(join(folder, 'body.html'), '<p>One</p>\n<p>{{NAME}}</p>\n')

  const dry = await line.run(['templates', 'push', '--dry-run', '--json'])
  expect(dry.json()).toMatchObject([{ template: 'receipt', result: 'created', id: null }])
  expect(dry.stderr).toBe('Nothing was stored (--dry-run).\n')
  writeFileSync(join(folder, 'template.json'), JSON.stringify({ ...fields, from: undefined, variables }))
  for (const more of [[], ['--dry-run']]) {
    expect(await line.run(['templates', 'push', ...more])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('from'),
    })
  }
  writeFileSync(join(folder, 'template.json'), JSON.stringify({ ...fields, variables }))
  const pushed = (await line.run(['templates', 'push', 'receipt'])).json()
  expect(pushed).toMatchObject([{ result: 'created', id: expect.any(String) }])
  expect((await line.run(['templates', 'pull'])).json()).toMatchObject([
    { template: 'receipt', id: pushed[0].id },
  ])
  expect((await line.run(['templates', 'pull', 'receipt'])).json()).toMatchObject([{ result: 'unchanged' }])
  expect((await line.run(['templates', 'push'])).json()).toMatchObject([{ result: 'unchanged', files: [] }])
  expect((await line.run(['templates', 'diff', '--exit-code'])).json()).toEqual([])
  expect(readFileSync(join(folder, 'body.html'), 'utf8')).toBe('<p>One</p>\n<p>{{NAME}}</p>\n')

  writeFileSync(join(folder, 'body.html'), '<p>Two</p>\n<p>{{NAME}}</p>\n')
  const diff = await line.run(['templates', 'diff', '--exit-code', '--json'])
  expect(diff.code).toBe(1)
  expect(diff.json()).toMatchObject([
    { template: 'receipt', file: 'body.html', lines: ['-<p>One</p>', '+<p>Two</p>', ' <p>{{NAME}}</p>'] },
  ])
  const preview = ['templates', 'preview', 'receipt', '--variable', 'NAME=Ann & Bob']
  expect((await line.run([...preview, '--json'])).json()).toMatchObject({
    subject: 'For Ann & Bob',
    html: '<p>Two</p>\n<p>Ann &amp; Bob</p>\n',
  })
  expect((await line.run([...preview, '--stored'])).json().html).toContain('One')
  expect(await line.run([...preview, '--part', 'subject'])).toMatchObject({ stdout: 'For Ann & Bob\n' })
  expect((await line.run(['templates', 'push'])).json()).toMatchObject([
    { result: 'updated', files: ['body.html'] },
  ])
  expect(await line.run(['templates', 'push', 'none'])).toMatchObject({ code: 1, stdout: '' })

  writeFileSync(join(folder, 'body.html'), '<p>Three</p>\n')
  expect((await line.run(['templates', 'push', '--draft'])).json()).toMatchObject([{ result: 'updated' }])
  expect((await line.run(['templates', 'diff', '--draft', '--exit-code'])).json()).toEqual([])
  expect((await line.run([...preview, '--stored'])).json().html).toContain('Two')
  expect((await line.run(['templates', 'pull'])).json()).toMatchObject([{ files: ['body.html'] }])
  expect((await line.run(['templates', 'pull', '--draft'])).json()).toMatchObject([{ files: ['body.html'] }])
  expect(readFileSync(join(folder, 'body.html'), 'utf8')).toBe('<p>Three</p>\n')
  expect((await line.run(['templates', 'publish', 'receipt'])).json()).toMatchObject([
    { alias: 'receipt', status: 'published', version: 3 },
  ])
  expect((await line.run([...preview, '--stored'])).json().html).toContain('Three')
})

test('0 for templates with a text that only looks like a placeholder, which is printed on standard error', async () => {
  const folder = join(line.home, 'faulty', 'offer')
  mkdirSync(folder, { recursive: true })
  const { from } = line.sender.email() as { from: string }
  writeFileSync(
    join(folder, 'template.json'),
    JSON.stringify({ name: 'Offer', alias: 'offer', subject: 'For {{user.name}}', from }),
  )
  writeFileSync(join(folder, 'body.html'), '<p>One</p>\n<p>{{#if A}}</p>\n')
  const expected = [
    expect.stringMatching(/^offer\/template\.json, subject: \{\{user\.name\}\} is not a placeholder/),
    expect.stringMatching(/^offer\/body\.html:2:4: \{\{#if A\}\} is not a placeholder/),
  ]
  for (const more of [['--dry-run'], ['--draft'], []]) {
    writeFileSync(join(folder, 'body.txt'), `Other ${more.join(' ')}`)
    const pushed = await line.run(['templates', 'push', '--dir', 'faulty', '--json', ...more])
    expect(pushed.code).toBe(0)
    expect(pushed.stderr.split('\n').slice(0, 2)).toEqual(expected)
    expect(pushed.json()).toMatchObject([
      { warnings: [{ part: 'subject' }, { part: 'html', line: 2, column: 4 }] },
    ])
  }
})

test('0 for an import of contacts with the number of rows, 1 with the messages of the server', async () => {
  const file = join(line.home, 'contacts.csv')
  writeFileSync(file, 'email,first_name\nann@people.test,Ann\nbob@people.test,Bob\n')
  expect((await line.run(['contacts', 'import', file, '--json'])).json()).toMatchObject({
    object: 'import',
    status: 'completed',
    rows_created: 2,
  })
  writeFileSync(file, 'email,first_name\nnobody,Ann\ncarol@people.test,Carol\n"two@",Bob\n')
  const some = await line.run(['contacts', 'import', file])
  expect(some.code).toBe(1)
  expect(some.json()).toMatchObject({ status: 'completed', rows_created: 1, rows_failed: 2 })
  expect(some.stderr).toMatch(/^Line 2: .*email.*\nLine 4: .*email.*\n$/)
  writeFileSync(file, 'email,shoe_size\nann@people.test,38\n')
  const rejected = await line.run(['contacts', 'import', file])
  expect(rejected).toMatchObject({ code: 1, stdout: '' })
  expect(rejected.stderr).toContain('shoe_size')
  const ignoring = await line.run(['contacts', 'import', file, '--ignore-unknown', '--no-wait'])
  expect(ignoring.json()).toMatchObject({ object: 'import' })
  writeFileSync(file, Buffer.from('email,first_name\njoerg@people.test,J\xf6rg\n', 'latin1'))
  const unreadable = await line.run(['contacts', 'import', file])
  expect(unreadable.stderr).toContain('line 2 (byte offset 36)')
  const decoded = await line.run(['contacts', 'import', file, '--encoding', 'windows-1252'])
  expect(decoded.json()).toMatchObject({ rows_created: 1, rows_failed: 0 })
  const missing = await line.run(['contacts', 'import', '/nowhere.csv'])
  expect(missing).toMatchObject({ code: 1, stderr: '/nowhere.csv cannot be read (ENOENT).\n' })
})

test('1 with the message of the server and advice, 2 for usage errors', async () => {
  const revoked = await line.run(['emails', 'list'], { SENDWRIGHT_API_KEY: 'sw_none' })
  expect(revoked).toMatchObject({ code: 1, stdout: '' })
  expect(revoked.stderr).toMatch(/\nRun "sendwright login" to store another key\.\n$/)
  const wrong = [
    ['emails'],
    ['emails', 'frob'],
    ['emails', 'send'],
    ['emails', 'list', '--limit', 'many'],
    ['listen'],
    ['listen', '--forward-to', 'localhost'],
    ['contacts', 'import'],
  ]
  await Promise.all(
    wrong.map(async (args) => {
      const { code, stdout, stderr } = await line.run(args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).not.toBe('')
    }),
  )
})

test('commands over the API load no module of the server', async () => {
  const { stderr, code } = await line.spawn(['profiles', '--json'], { NODE_DEBUG: 'esm' })
  expect(code).toBe(0)
  const loaded = new Set(stderr.match(/(?<=\/dist\/)[\w-]+\.js/g))
  // The bundle says in a comment where a module begins.
  const modules = [...loaded].flatMap((name) => {
    const code = readFileSync(join(dirname(SERVER), name), 'utf8')
    return code.match(/(?<=^\/\/ )src\/.+\.ts$/gm) ?? []
  })
  expect(modules).toContain('src/cli/developer/run.ts')
  expect(modules.filter((path) => /^src\/(config|db|app|cli\/operator)\//.test(path))).toEqual([])
})
