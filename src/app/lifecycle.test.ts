import { beforeEach, expect, test } from 'vitest'
import type { Log } from '../lib/log.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'

let lifecycle: Lifecycle
let happened: string[]
let warned: unknown[]

beforeEach(() => {
  happened = []
  warned = []
  const warn = ({ part }: { part: string }) => warned.push(part)
  lifecycle = createLifecycle({ warn } as unknown as Log)
})

const says = (name: string) => async () => void happened.push(name)
const fails = (name: string) => async () => {
  happened.push(name)
  throw new Error(name)
}

test('parts stop in the reverse of their order, each after the one before has stopped', async () => {
  lifecycle.add('database', says('database'))
  lifecycle.add('worker', async () => {
    await Promise.resolve()
    happened.push('worker')
  })
  lifecycle.add('listener', says('listener'))
  await lifecycle.stop()
  expect(happened).toEqual(['listener', 'worker', 'database'])
})

test('a part that fails to stop is named in the log, and the others stop', async () => {
  lifecycle.add('database', says('database'))
  lifecycle.add('worker', fails('worker'))
  lifecycle.add('listener', () => {
    throw new Error('at once')
  })
  await lifecycle.stop()
  expect(happened).toEqual(['worker', 'database'])
  expect(warned).toEqual(['listener', 'worker'])
})

test('the parts of a group stop at once, in the place of the group, though they join it later', async () => {
  lifecycle.add('database', says('database'))
  const doors = lifecycle.addGroup()
  lifecycle.add('metrics', says('metrics'))
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  doors.add('slow door', async () => {
    happened.push('slow door')
    await opened
    happened.push('slow door shut')
  })
  doors.add('broken door', fails('broken door'))
  doors.add('last door', async () => {
    happened.push('last door')
    open()
  })
  await lifecycle.stop()
  expect(happened).toEqual(['metrics', 'slow door', 'broken door', 'last door', 'slow door shut', 'database'])
  expect(warned).toEqual(['broken door'])
})

test('nothing stops twice', async () => {
  lifecycle.add('database', says('database'))
  await lifecycle.stop()
  await lifecycle.stop()
  expect(happened).toEqual(['database'])
})

test('a reload runs in order; one that fails is named, rejects and ends it', async () => {
  lifecycle.onReload('rules', says('rules'))
  await lifecycle.reload()
  lifecycle.onReload('certificate', fails('certificate'))
  lifecycle.onReload('never', says('never'))
  await expect(lifecycle.reload()).rejects.toThrow('certificate')
  expect(happened).toEqual(['rules', 'rules', 'certificate'])
  expect(warned).toEqual(['certificate'])
})
