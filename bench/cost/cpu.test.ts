import { expect, test } from 'vitest'
import { diffThreads, type ThreadCpu } from './cpu.ts'

const thread = (kind: string, userUs: number, systemUs: number, process: ThreadCpu['process'] = 'Node') => ({
  process,
  kind,
  userUs,
  systemUs,
})

test('CPU times of threads of one kind are added, the largest first in each process; a new thread counts from its start', () => {
  const before = new Map([
    ['1/1', thread('main thread', 1000, 500)],
    ['1/2', thread('libuv-worker', 100, 0)],
    ['9', thread('connections', 70, 0, 'PostgreSQL')],
    ['10', thread('checkpointer', 5, 5, 'PostgreSQL')],
  ])
  const after = new Map([
    ['1/1', thread('main thread', 3000, 600)],
    ['1/2', thread('libuv-worker', 400, 10)],
    ['1/3', thread('libuv-worker', 50, 5)],
    ['9', thread('connections', 170, 30, 'PostgreSQL')],
    ['10', thread('checkpointer', 5, 5, 'PostgreSQL')],
  ])
  expect(diffThreads(before, after)).toEqual([
    thread('main thread', 2000, 100),
    thread('libuv-worker', 350, 15),
    thread('connections', 100, 30, 'PostgreSQL'),
  ])
})
