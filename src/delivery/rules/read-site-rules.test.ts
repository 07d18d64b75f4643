import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BadRules, readRules } from './read-site-rules.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sendwright-rules-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function read(content: unknown) {
  const path = join(directory, 'rules.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readRules(path)
}

async function problemsOf(content: unknown): Promise<readonly string[]> {
  const error: unknown = await read(content).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof BadRules)) throw new Error(`not refused: ${String(error)}`)
  return error.problems
}

test('read without a file: only the built-in rules', async () => {
  const rules = await readRules(null)
  expect(rules.shaping.map(({ name }) => name)).toContain('Google')
  expect(rules).toMatchObject({ probesMs: null, sources: null, routes: [] })
})

test('read: shaping before the built-in rules, probes, relays with passwords from URL and file', async () => {
  await writeFile(join(directory, 'password'), 'from a file\n')
  const rules = await read({
    shaping: [{ name: 'mine', match: { mx: ['Example.NET'] }, rate: '100/1m', connections_max: 5 }],
    probes: ['10s', '5m'],
    relays: [
      { name: 'one', url: 'smtps://us:pass%20word@one.example' },
      { name: 'two', url: 'smtp://us@two.example:2525', passwordFile: './password' },
    ],
    routes: [
      { match: { domain: ['To.Example'] }, via: 'one', fallback: 'two', fallback_after: '2 attempts' },
    ],
  })
  expect(rules.shaping[0]).toMatchObject({
    name: 'mine',
    mx: ['example.net'],
    rate: { count: 100, perMs: 60_000 },
    connectionsMax: 5,
  })
  expect(rules.shaping[1]?.name).toBe('Google')
  expect(rules.probesMs).toEqual([10_000, 300_000])
  expect(rules.routes).toMatchObject([
    {
      domain: new Set(['to.example']),
      via: [{ host: 'one.example', port: 465, implicitTls: true, password: 'pass word' }],
      fallback: { relay: { port: 2525, password: 'from a file' }, after: { kind: 'attempts', count: 2 } },
    },
  ])
})

test('read: hops in order, tags with and without a value; the example of the documentation', async () => {
  const { routes } = await read({
    relays: [
      { name: 'one', url: 'smtp://one.example' },
      { name: 'two', url: 'smtp://two.example' },
    ],
    routes: [{ match: { tag: ['kind=bulk', 'slow'] }, via: ['two', 'direct', 'one'] }, { fallback: 'one' }],
  })
  expect(routes).toMatchObject([
    {
      tag: [
        { name: 'kind', value: 'bulk' },
        { name: 'slow', value: null },
      ],
      via: [{ host: 'two.example' }, null, { host: 'one.example' }],
    },
    { tag: null, via: [null] },
  ])
  const example = await readRules(join(import.meta.dirname, '../../../docs/delivery-rules.example.json'))
  expect(example.routes.map(({ via }) => via.length)).toEqual([3, 1, 1])
  expect(example.sources?.pools).toHaveLength(2)
})

test('refused with every syntax problem at once, each with its place and a correction', async () => {
  expect(
    await problemsOf({
      shaping: [
        { rate: 'much', conections_max: 5 },
        { connections_max: 0, replies: [{ pattern: 'x' }] },
      ],
      probes: [],
      relays: [{ name: 'a b', url: 'http://relay' }],
      routing: [],
      routes: [
        { fallback: 'one', fallback_after: 'soon' },
        7,
        { match: { tag: ['100%', 'a=b'] }, via: [] },
        { match: { tag: 'a=b' }, via: ['no good'] },
        { match: { tag: [] }, via: 'no good' },
      ],
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`unknown${i}`, 1])),
    }),
  ).toEqual(
    expect.arrayContaining([
      'shaping[0].conections_max: this setting does not exist.',
      'shaping[0].rate: it must be a number of messages and a period, such as "100/1m" or "5/1s".',
      'shaping[1].connections_max: it must be an integer from 1 to 500.',
      'shaping[1].replies[0]: action is required.',
      'probes: it must be a list of 1 to 20 durations.',
      'relays[0].name: it must be a name of letters, digits, dots and hyphens.',
      'relays[0].url: it must be smtp(s)://user:password@host:port.',
      'routing: this setting does not exist.',
      expect.stringMatching(/^routes\[0\]\.fallback_after: /),
      'routes[1]: it must be an object.',
      'routes[2].match.tag[0]: it must be a tag as name or name=value, where %3D stands for an equals sign and %25 for a percent sign in either.',
      'routes[2].via: it must be the name of a relay, "direct", or a list of 1 to 10 of these in order of attempts.',
      'routes[3].match.tag: it must be a list of 1 to 100 tags, each as name or name=value.',
      'routes[3].via[0]: it must be a name of letters, digits, dots and hyphens.',
      'routes[4].match.tag: it must be a list of 1 to 100 tags, each as name or name=value.',
      'routes[4].via: it must be the name of a relay, "direct", or a list of 1 to 10 of these in order of attempts.',
      'unknown9: this setting does not exist.',
    ]),
  )
})

test('refused with every semantic problem at once', async () => {
  expect(
    await problemsOf({
      shaping: [
        { connections_start: 5, connections_max: 2 },
        { rate: '0/1m' },
        {
          replies: [
            { pattern: '(a+)+$', action: 'stop' },
            { pattern: '(', action: 'slow_down', for: '1m' },
          ],
        },
      ],
      relays: [
        { name: 'one', url: 'smtp://one.example' },
        { name: 'one', url: 'smtp://two.example' },
        { name: 'three', url: 'smtp://u@three.example', passwordFile: './nowhere' },
        { name: 'four', url: 'smtp://v@one.example' },
      ],
      routes: [{ via: 'nobody' }, {}, { via: ['one', 'nobody', 'direct', 'one'] }],
    }),
  ).toEqual([
    'shaping[0].connections_start: it must not exceed connections_max (2).',
    'shaping[1].rate: it must allow at least one message, in a period of at least one second.',
    expect.stringMatching(/^shaping\[2\]\.replies\[0\]\.pattern: it could take too long on some replies/),
    'shaping[2].replies[1].pattern: it must be a regular expression.',
    'shaping[2].replies[1].for: only the actions pause and stop accept a duration.',
    'relays[1].name: the name is taken.',
    'relays[2].passwordFile: the file cannot be read.',
    'relays[3].url: another relay has the same host and port.',
    'routes[0].via: there is no relay "nobody".',
    'routes[1]: it must have via or fallback.',
    'routes[2].via[1]: there is no relay "nobody".',
    'routes[2].via[3]: "one" occurs twice.',
  ])
})

test('refused without repeating its secrets', async () => {
  const secret = 'the-secret-word'
  for (const content of [
    `{ "relays": [{ "name": "one", "url": "smtp://us:${secret}@one" "x" }] }`,
    { relays: [{ name: 'one', url: `imap://us:${secret}@one` }] },
    { relays: [{ name: 'one', url: `smtp://:${secret}@one:99999` }] },
    { relays: [{ name: 'one', url: `smtp://:${secret}@one` }] },
    { relays: [{ name: 'one', url: `smtp://us:${secret}%ff@one` }] },
    { relays: [{ name: 'one', url: ['smtp://', secret] }] },
  ]) {
    expect((await problemsOf(content)).join('\n')).not.toContain(secret)
  }
  expect(await problemsOf('{\n "shaping": [\n oh')).toEqual([
    expect.stringMatching(/^the file is not valid JSON/),
  ])
  await expect(readRules(join(directory, 'absent.json'))).rejects.toThrow('the file cannot be read (ENOENT)')
})

test('refused when it is endless, too deeply nested or not an object', async () => {
  await expect(readRules('/dev/zero')).rejects.toThrow('at most 4 MB')
  const nested = `{"shaping":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
  for (const text of ['['.repeat(4_000_000), nested, 'null', '[]', `"${'x'.repeat(3_000_000)}"`]) {
    expect((await problemsOf(text)).length).toBeGreaterThan(0)
  }
})
