import { expect, test } from 'vitest'
import { OverloadedError } from '../../lib/async/batcher.ts'
import { createAcceptLanes } from './accept-lanes.ts'
import type { AcceptAnswer, AcceptRequest } from './accept-types.ts'

const ANSWER: AcceptAnswer = { emailIds: [], refused: [] }

/** Returns lanes whose runs end on demand. */
function givenLanes() {
  const runs: { teams: string[]; end(): void }[] = []
  const lanes = createAcceptLanes((acceptRequests) => {
    const { promise, resolve } = Promise.withResolvers<AcceptAnswer[]>()
    const teams = acceptRequests.map(({ submitter }) => submitter.teamId)
    runs.push({ teams, end: () => resolve(acceptRequests.map(() => ANSWER)) })
    return promise
  })
  const add = (teamId: string, emails: number, recipients = 1) =>
    lanes.add(toAcceptRequest(teamId, emails, recipients))
  return { runs, add }
}

/** Returns the fields of a request that lanes read. */
function toAcceptRequest(teamId: string, emails: number, recipients: number): AcceptRequest {
  const submission = { message: { bytes: Buffer.alloc(1000) }, recipients: Array(recipients).fill({}) }
  return {
    submitter: { teamId, domainId: null, keyId: null },
    submissions: Array(emails).fill(submission),
  } as never
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('committed: a single email during the commit of a batch to 15,000 recipients', async () => {
  const { runs, add } = givenLanes()
  const heavy = add('a', 100, 150)
  await turn()
  const single = add('b', 1)
  await turn()
  expect(runs.map(({ teams }) => teams)).toEqual([['a'], ['b']])
  runs[1]?.end()
  expect(await single).toBe(ANSWER)
  runs[0]?.end()
  expect(await heavy).toBe(ANSWER)
})

test('queued: a single email, however many large batches wait', async () => {
  const { runs, add } = givenLanes()
  const heavy = ['a', 'b', 'c'].map((team) => add(team, 100, 150))
  const singles = [add('a', 1), add('d', 1)]
  await turn()
  for (const run of runs) run.end()
  await expect(Promise.all(singles)).resolves.toEqual([ANSWER, ANSWER])
  for (let count = 1; count < heavy.length; count++) {
    await turn()
    await turn()
    for (const run of runs) run.end()
  }
  await expect(Promise.all(heavy)).resolves.toHaveLength(3)
})

test('overloaded: a team that sends more large batches at once than its share, but not another team', async () => {
  const { runs, add } = givenLanes()
  const own = [add('a', 100, 150), add('a', 100, 150)]
  await expect(add('a', 100, 150)).rejects.toThrow(OverloadedError)
  const other = add('b', 100, 150)
  for (let count = 0; count < 3; count++) {
    await turn()
    await turn()
    for (const run of runs) run.end()
  }
  await expect(Promise.all([...own, other])).resolves.toHaveLength(3)
  expect(runs.map(({ teams }) => teams)).toEqual([['a'], ['a'], ['b']])
  await turn()
  const again = add('a', 100, 150)
  await turn()
  runs.at(-1)?.end()
  expect(await again).toBe(ANSWER)
})

test('queued, not overloaded: twenty batches of one team with ten recipients per email', async () => {
  const { runs, add } = givenLanes()
  const own = Array.from({ length: 20 }, () => add('a', 100, 10))
  for (let count = 0; count < 20; count++) {
    await turn()
    await turn()
    for (const run of runs) run.end()
  }
  await expect(Promise.all(own)).resolves.toHaveLength(20)
})

test('committed together: single emails during a commit, until a second one is worth its statements', async () => {
  const { runs, add } = givenLanes()
  const emails = [add('a', 1)]
  await turn()
  for (let count = 0; count < 63; count++) emails.push(add('a', 1))
  await turn()
  expect(runs).toHaveLength(1)
  emails.push(add('a', 1))
  await turn()
  expect(runs.map(({ teams }) => teams.length)).toEqual([1, 64])
  for (const run of runs) run.end()
  await expect(Promise.all(emails)).resolves.toHaveLength(65)
})
