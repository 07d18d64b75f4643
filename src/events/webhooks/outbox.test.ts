import { expect, test } from 'vitest'
import { LaneBudget } from './lane-budget.ts'
import { Outbox } from './outbox.ts'

test('results that nobody will write take no room from those of others', () => {
  const budget = new LaneBudget()
  const outbox = new Outbox(budget)
  outbox.addFirst()
  outbox.addFirst()
  expect(budget.unwrittenCount).toBe(2)
  outbox.forget()
  outbox.addFirst()
  expect(budget.unwrittenCount).toBe(0)
})
