import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { PROCESS_ROLES } from '../../src/app/types.ts'
import { describeSettings } from '../../src/config/config.ts'
import { VERSION } from '../../src/lib/version.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, 'sendwright', file), 'utf8')
const values = parse(read('values.yaml'))

test('the chart has the version of the package', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({ version: VERSION, appVersion: VERSION })
})

test('every role runs twice', () => {
  const replicas = Object.entries<{ replicas: number }>(values.roles).map(([role, given]) => [
    role,
    given.replicas,
  ])
  expect(Object.fromEntries(replicas)).toEqual(Object.fromEntries(PROCESS_ROLES.map((role) => [role, 2])))
})

test('the name and the schema of a cell reach every process, and the job that migrates', () => {
  const keyOf = (name: string) =>
    new RegExp(`^- \\{ name: ${name}, value: \\{\\{ \\.Values\\.(\\w+) \\| quote \\}\\} \\}$`, 'm').exec(
      read('templates/_helpers.tpl'),
    )?.[1]
  expect(keyOf('SENDWRIGHT_CELL')).toBe('cell')
  expect(keyOf('SENDWRIGHT_SCHEMA')).toBe('schema')
  expect(values).toMatchObject({ cell: '', schema: 'public' })
  for (const file of ['templates/deployments.yaml', 'templates/migrations.yaml']) {
    expect(read(file).match(/^ +args: /gm), file).toHaveLength(1)
    expect(read(file).match(/^ +env: \{\{- include "sendwright\.environment" /gm), file).toHaveLength(1)
  }
})

test('Prometheus sees the job for which the example alerts look', () => {
  expect(read('templates/monitor.yaml')).toMatch(/^ {2}jobLabel: app\.kubernetes\.io\/name$/m)
  expect(read('templates/_helpers.tpl')).toMatch(/^app\.kubernetes\.io\/name: sendwright$/m)
  const alerts = readFileSync(join(import.meta.dirname, '..', 'prometheus-alerts.yml'), 'utf8')
  expect(new Set([...alerts.matchAll(/job="(\w+)"/g)].map(([, job]) => job))).toEqual(new Set(['sendwright']))
})

test('the templates and the values name only settings that exist', () => {
  const known = describeSettings().map(({ name }) => name)
  const environment = [...read('templates/_helpers.tpl').matchAll(/^- \{ name: (\w+),/gm)]
  const named = [...environment.map(([, name = '']) => name), ...Object.keys(values.settings)]
  expect(environment).toHaveLength(6)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})
