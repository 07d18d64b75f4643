import { expect, test } from 'vitest'
import { figureRowsOf } from './step-figures.ts'

test('only a step that sends emails has figures of emails', () => {
  expect(figureRowsOf('delay', { entered: 3, failed: 1 })).toEqual([
    [
      { word: 'entered', count: 3, isBad: false },
      { word: 'waiting', count: 0, isBad: false },
      { word: 'done', count: 0, isBad: false },
      { word: 'failed', count: 1, isBad: true },
    ],
  ])
  expect(figureRowsOf('send_email', {}).flat()).toHaveLength(8)
})

test('runs that skipped a step or ended there are a row, so that the figures add up', () => {
  const counts = { entered: 9, waiting: 1, done: 4, skipped: 2, failed: 0, exited: 2 }
  const [, others, ...rest] = figureRowsOf('wait_for_event', counts)
  expect(others).toEqual([
    { word: 'skipped', count: 2, isBad: false },
    { word: 'exited', count: 2, isBad: false },
  ])
  expect(rest).toEqual([])
})
