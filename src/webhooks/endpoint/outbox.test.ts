import { expect, test } from 'vitest'
import { Outbox } from './outbox.ts'
import { WorkerBudget } from './worker-budget.ts'

test('results that will never be written do not count against the limit', () => {
  const budget = new WorkerBudget()
  const outbox = new Outbox(budget)
  outbox.addFirst()
  outbox.addFirst()
  expect(budget.unwrittenCount).toBe(2)
  outbox.forget()
  outbox.addFirst()
  expect(budget.unwrittenCount).toBe(0)
})
