import { expect, test } from 'vitest'
import { divideCpu } from './profile.ts'

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  children,
  callFrame: { functionName, url, scriptId: '0', lineNumber: 0, columnNumber: 0 },
})

const PROFILE = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4]),
    node(2, '(idle)', ''),
    node(3, '(garbage collector)', ''),
    node(4, 'buildMessage', 'file:///checkout/src/mime/build.ts', [5]),
    node(5, 'utf8Write', ''),
  ],
  startTime: 0,
  endTime: 10,
  samples: [2, 2, 3, 4, 5, 5, 2],
  timeDeltas: [0, 500, 500, 500, 500, 500, 500],
}

test('CPU time is divided by samples outside the idle loop, by stage and by function', () => {
  const cost = divideCpu({ pid: 7, threadId: 0, cpuUs: 4000, profile: PROFILE }, 500)
  expect(cost.thread).toBe('main thread')
  expect(cost.sampledUs).toBe(2000)
  expect(cost.stages).toEqual([
    { stage: 'MIME: build, encode', name: '', cpuUs: 3000, nativeUs: 2000 },
    { stage: 'garbage collection', name: '', cpuUs: 1000, nativeUs: 1000 },
  ])
  expect(cost.functions).toEqual([
    { stage: 'MIME: build, encode', name: 'utf8Write', cpuUs: 2000, nativeUs: 2000 },
    { stage: 'garbage collection', name: '(garbage collector)', cpuUs: 1000, nativeUs: 1000 },
    { stage: 'MIME: build, encode', name: 'buildMessage, src/mime/build.ts', cpuUs: 1000, nativeUs: 0 },
  ])
})

test('A thread that was idle throughout costs nothing in any stage', () => {
  const idle = { ...PROFILE, samples: [2, 2], timeDeltas: [0, 500] }
  const cost = divideCpu({ pid: 7, threadId: 3, cpuUs: 10, profile: idle }, 500)
  expect(cost).toEqual({ thread: 'worker thread 3', cpuUs: 10, sampledUs: 0, stages: [], functions: [] })
})
