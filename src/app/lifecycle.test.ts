import { beforeEach, expect, test } from 'vitest'
import type { Log } from '../lib/log.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'

let lifecycle: Lifecycle
let events: string[]
let warned: unknown[]

beforeEach(() => {
  events = []
  warned = []
  const warn = ({ part }: { part: string }) => warned.push(part)
  lifecycle = createLifecycle({ warn } as unknown as Log)
})

const records = (name: string) => async () => void events.push(name)
const fails = (name: string) => async () => {
  events.push(name)
  throw new Error(name)
}

test('parts stop one after another in reverse order', async () => {
  lifecycle.add('database', records('database'))
  lifecycle.add('worker', async () => {
    await Promise.resolve()
    events.push('worker')
  })
  lifecycle.add('listener', records('listener'))
  await lifecycle.stop()
  expect(events).toEqual(['listener', 'worker', 'database'])
})

test('a part that fails to stop is named in the log, and the others stop', async () => {
  lifecycle.add('database', records('database'))
  lifecycle.add('worker', fails('worker'))
  lifecycle.add('listener', () => {
    throw new Error('at once')
  })
  await lifecycle.stop()
  expect(events).toEqual(['worker', 'database'])
  expect(warned).toEqual(['listener', 'worker'])
})

test('the parts of a group stop together, in the place of the group, even when they join later', async () => {
  lifecycle.add('database', records('database'))
  const listeners = lifecycle.addGroup()
  lifecycle.add('metrics', records('metrics'))
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  listeners.add('slow listener', async () => {
    events.push('slow listener')
    await opened
    events.push('slow listener closed')
  })
  listeners.add('broken listener', fails('broken listener'))
  listeners.add('last listener', async () => {
    events.push('last listener')
    open()
  })
  await lifecycle.stop()
  expect(events).toEqual([
    'metrics',
    'slow listener',
    'broken listener',
    'last listener',
    'slow listener closed',
    'database',
  ])
  expect(warned).toEqual(['broken listener'])
})

test('nothing stops twice', async () => {
  lifecycle.add('database', records('database'))
  await lifecycle.stop()
  await lifecycle.stop()
  expect(events).toEqual(['database'])
})

test('a reload runs in order; a failure is logged by name, rejects and stops it', async () => {
  lifecycle.onReload('rules', records('rules'))
  await lifecycle.reload()
  lifecycle.onReload('certificate', fails('certificate'))
  lifecycle.onReload('never', records('never'))
  await expect(lifecycle.reload()).rejects.toThrow('certificate')
  expect(events).toEqual(['rules', 'rules', 'certificate'])
  expect(warned).toEqual(['certificate'])
})
