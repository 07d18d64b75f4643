import { expect, test } from 'vitest'
import type { ProcessRole } from '../types.ts'
import { countWorkers } from './count-workers.ts'

const ALL: readonly ProcessRole[] = ['api', 'deliver', 'inbound', 'webhooks', 'scheduler']
const GIB = 1024 ** 3
const auto = (processors: number, memoryGib = 64) =>
  countWorkers('auto', ALL, { processors, memoryBytes: memoryGib * GIB })

test('auto: one process without a supervisor on one or two processors', () => {
  expect([auto(1), auto(2)]).toEqual([1, 1])
})

test('auto: three quarters of the processors, at most 16', () => {
  expect([auto(3), auto(4), auto(8), auto(16), auto(64)]).toEqual([2, 3, 6, 12, 16])
})

test('auto: no more than the memory allows, at a gigabyte each and one for the rest', () => {
  expect([auto(8, 1), auto(8, 2), auto(8, 4), auto(8, 7)]).toEqual([1, 1, 3, 6])
})

test('a configured number counts on every machine', () => {
  expect(countWorkers(5, ALL, { processors: 1, memoryBytes: GIB })).toBe(5)
  expect(countWorkers(1, ALL, { processors: 16, memoryBytes: 64 * GIB })).toBe(1)
})

test('one process when it only runs the scheduler', () => {
  expect(countWorkers(5, ['scheduler'], { processors: 8, memoryBytes: 64 * GIB })).toBe(1)
})
