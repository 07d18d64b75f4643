import { expect } from 'vitest'
import type { PlanName } from '../../../src/access/plans.ts'
import { pauseTeam, resumeTeam, setPlan } from '../../../src/teams/teams.ts'
import { inDays } from '../known.ts'
import { checkAnswer, proof, type Section } from '../row.ts'
import type { Ask, Scene } from '../scene.ts'

/** The table of LIM-6: plan, requests per minute, monthly quota, daily limit. */
const PLANS: readonly (readonly [string, number, number, number | null])[] = [
  ['Free', 60, 3000, 100],
  ['10K', 120, 10_000, null],
  ['25K', 120, 25_000, null],
  ['50K', 300, 50_000, null],
  ['75K', 300, 75_000, null],
  ['100K', 600, 100_000, null],
  ['150K', 600, 150_000, null],
  ['250K', 600, 250_000, null],
  ['500K', 1200, 500_000, null],
  ['750K', 1200, 750_000, null],
  ['1M', 1200, 1_000_000, null],
  ['2M', 1200, 2_000_000, null],
  ['5M', 1200, 5_000_000, null],
]
const nameOf = (plan: string) => plan.toLowerCase() as PlanName

const limitOf = (reply: Awaited<ReturnType<Ask>>) => Number(reply.headers.get('ratelimit-limit'))
const leftOf = (reply: Awaited<ReturnType<Ask>>) => Number(reply.headers.get('ratelimit-remaining'))

/** Returns how many of `count` requests were admitted, and the first rejected one. */
async function flood(ask: Ask, route: string, count: number) {
  const replies = []
  for (let sent = 0; sent < count; sent += 20) {
    const size = Math.min(20, count - sent)
    replies.push(
      ...(await Promise.all(
        Array.from({ length: size }, () => ask(route, route.startsWith('GET') ? undefined : {})),
      )),
    )
  }
  const refused = replies.filter(({ status }) => status === 429)
  return { admitted: count - refused.length, refused: refused[0] }
}

const floods = new WeakMap<Scene, ReturnType<typeof floodUsage>>()
/** Returns a team that has used up its window of GET /usage, which the rows of a section share. */
function floodedUsage(scene: Scene) {
  const flooded = floods.get(scene) ?? floodUsage(scene)
  floods.set(scene, flooded)
  return flooded
}

async function floodUsage(scene: Scene) {
  const team = await scene.fresh('free')
  return { team, ...(await flood(team.ask, 'GET /usage', 620)) }
}

const RATE_LIMITED = /^Rate limit exceeded\. Please retry after (\d+) seconds\.$/

const apiError = (message: string) => ({
  status: 422,
  json: { statusCode: 422, name: 'validation_error', message },
})
const DAILY = apiError('Daily email quota exceeded.')
const MONTHLY = apiError('Monthly email quota exceeded.')
const PAUSED = apiError('Sending is paused for this account.')

const later = { scheduled_at: inDays(2) }
const people = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, index) => `${name}${index}@quota.test`)
const usedBy = async (ask: Ask) => (await ask('GET /usage')).json.day.used

async function paused(scene: Scene) {
  const team = await scene.freshSender('free')
  await pauseTeam(scene.service.db, team.id, new Date())
  return team
}

export const limitSections: readonly Section[] = [
  {
    heading: 'plans',
    rows: [
      ...PLANS.flatMap((plan) => [
        proof('LIM-6', `${plan[0]}: requests per minute`, async (scene) => {
          const { ask } = await scene.fresh(nameOf(plan[0]))
          expect(limitOf(await ask('POST /emails', {}))).toBe(plan[1])
        }),
        proof('LIM-6', `${plan[0]}: monthly quota`, async (scene) => {
          const { ask } = await scene.fresh(nameOf(plan[0]))
          expect((await ask('GET /usage')).json.month.limit).toBe(plan[2])
        }),
        proof('LIM-6', `${plan[0]}: daily limit`, async (scene) => {
          const { ask } = await scene.fresh(nameOf(plan[0]))
          expect((await ask('GET /usage')).json.day.limit).toBe(plan[3])
        }),
        proof('LIM-4', plan[0], async (scene) => {
          const { ask } = await scene.fresh(nameOf(plan[0]))
          expect(limitOf(await ask('POST /emails/validate', {}))).toBe(60)
        }),
      ]),
      proof('LIM-1', 'two keys of one team', async (scene) => {
        const team = await scene.fresh('free')
        const { token } = await team.givenKey()
        const first = await team.ask('POST /emails', {})
        const second = await scene.askAs(token)('POST /emails', {})
        expect([leftOf(first), leftOf(second)]).toEqual([59, 58])
      }),
      proof('ERR-11', 'POST /emails', async (scene) => {
        const { ask } = await scene.fresh('free')
        const { refused } = await flood(ask, 'POST /emails', 61)
        const seconds = RATE_LIMITED.exec(refused?.json.message)?.[1]
        expect(refused?.json).toEqual({
          statusCode: 429,
          name: 'rate_limit_exceeded',
          message: refused?.json.message,
        })
        expect(refused?.headers.get('retry-after')).toBe(seconds)
        expect(Number(seconds)).toBeGreaterThan(0)
        expect(Number(seconds)).toBeLessThanOrEqual(60)
      }),
      proof('LIM-10', '10K', async (scene) => {
        const team = await scene.freshSender()
        const email = team.email({ to: people(50), cc: people(50, 'c'), ...later })
        expect((await team.ask('POST /emails', email)).status).toBe(202)
        // Accepting the other 9,900 would take seconds.
        const used = 'update usage set month_recipients = month_recipients + 9900 where team_id = $1'
        await scene.service.db.query(used, [team.id])
        await setPlan(scene.service.db, team.id, '10k', new Date())
        await until(async () => (await team.ask('GET /usage')).json.month.limit === 10_000)
        await checkAnswer(
          await team.ask('POST /emails', team.email({ to: 'one@quota.test', ...later })),
          MONTHLY,
          scene,
        )
      }),
      proof('LIM-11', 'POST /emails', async (scene) => {
        const team = await paused(scene)
        await until(async () => (await team.ask('POST /emails', team.email())).status === 422)
        await checkAnswer(await team.ask('POST /emails', team.email()), PAUSED, scene)
        await checkAnswer(await team.ask('POST /emails/batch', [team.email()]), PAUSED, scene)
        await resumeTeam(scene.service.db, team.id, new Date())
        await until(async () => (await team.ask('POST /emails', team.email())).status === 202)
      }),
    ],
  },
  {
    heading: 'rate limits',
    rows: [
      ...(
        [
          ['POST /emails', 60],
          ['POST /emails/validate', 60],
        ] as const
      ).map(([route, count]) =>
        proof('LIM-1', route, async (scene) => {
          const { ask } = await scene.fresh('free')
          expect((await flood(ask, route, count + 20)).admitted).toBe(count)
        }),
      ),
      // One flood of this many requests serves three requirements.
      proof('LIM-1', 'GET /usage', async (scene) => {
        expect((await floodedUsage(scene)).admitted).toBe(600)
      }),
      proof('ERR-11', 'GET /usage', async (scene) => {
        const { refused } = await floodedUsage(scene)
        expect(refused?.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      }),
      proof('ERR-15', '403 before 429', async (scene) => {
        const { team } = await floodedUsage(scene)
        const { token } = await team.givenKey({ permission: 'send' })
        expect((await scene.askAs(token)('GET /usage')).status).toBe(403)
      }),
      proof('LIM-2', 'POST /emails', async (scene) => {
        const { ask } = await scene.fresh('free')
        const replies = [
          await ask('POST /emails', {}),
          await ask('POST /emails', '{'),
          await ask('POST /emails', {}),
        ]
        expect(replies.map(({ status }) => status)).toEqual([422, 422, 422])
        expect(replies.map(leftOf)).toEqual([59, 58, 57])
      }),
      proof('LIM-2', 'one that is refused with 401 does not', async (scene) => {
        const { ask } = await scene.fresh('free')
        expect(leftOf(await ask('POST /emails', {}))).toBe(59)
        await scene.askAs(`sw_${'b'.repeat(40)}`)('POST /emails', {})
        expect(leftOf(await ask('POST /emails', {}))).toBe(58)
      }),
      proof('LIM-3', 'all three', async (scene) => {
        const { ask } = await scene.fresh('free')
        const lefts = []
        for (const path of ['/emails', '/emails/mime', '/emails/batch'])
          lefts.push(leftOf(await ask(`POST ${path}`, [{}, {}])))
        expect(lefts).toEqual([59, 58, 57])
      }),
      proof('LIM-4', 'beside the others', async (scene) => {
        const { ask } = await scene.fresh('free')
        await ask('POST /emails', {})
        await ask('GET /usage')
        expect(leftOf(await ask('POST /emails/validate', {}))).toBe(59)
      }),
      proof('LIM-5', 'two', async (scene) => {
        const { ask } = await scene.fresh('free')
        expect([leftOf(await ask('GET /suppressions')), leftOf(await ask('GET /domains'))]).toEqual([
          599, 598,
        ])
      }),
      ...PLANS.map(([plan]) =>
        proof('LIM-5', plan, async (scene) => {
          const { ask } = await scene.fresh(nameOf(plan))
          expect(limitOf(await ask('GET /suppressions'))).toBe(600)
        }),
      ),
      proof('LIM-6', 'all', async (scene) => {
        const { ask } = await scene.fresh('unlimited')
        expect(limitOf(await ask('POST /emails', {}))).toBe(6000)
        expect(limitOf(await ask('GET /suppressions'))).toBe(6000)
        const { month, day } = (await ask('GET /usage')).json
        expect([month.limit, day.limit]).toEqual([null, null])
      }),
    ],
  },
  {
    heading: 'quotas',
    rows: [
      proof('LIM-7', 'GET /usage', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        await ask('POST /emails', email({ to: people(50), ...later }))
        expect(await usedBy(ask)).toBe(50)
        const fields = { to: people(1), cc: people(2, 'c'), bcc: people(3, 'b'), ...later }
        await ask('POST /emails', email(fields))
        expect(await usedBy(ask)).toBe(56)
      }),
      proof('LIM-10', 'Free', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        for (const name of ['a', 'b'])
          expect((await ask('POST /emails', email({ to: people(50, name), ...later }))).status).toBe(202)
        await checkAnswer(await ask('POST /emails', email({ to: people(1), ...later })), DAILY, scene)
      }),
      proof('LIM-10', 'room for one, asked for two', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        await ask('POST /emails', email({ to: people(50), cc: people(49, 'c'), ...later }))
        await checkAnswer(await ask('POST /emails', email({ to: people(2), ...later })), DAILY, scene)
        expect((await ask('POST /emails', email({ to: people(1), ...later }))).status).toBe(202)
      }),
      proof('LIM-7', 'one of two', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        await ask('POST /suppressions', { email: 'p0@quota.test' })
        await ask('POST /emails', email({ to: people(2), ...later }))
        expect(await usedBy(ask)).toBe(1)
      }),
      proof('LIM-8', 'three', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        const { json } = await ask('POST /emails', email({ to: people(3), ...later }))
        expect(await usedBy(ask)).toBe(3)
        await ask(`POST /emails/${json.id}/cancel`)
        expect(await usedBy(ask)).toBe(0)
      }),
      proof('LIM-9', '50 at once', async (scene) => {
        const { ask, email, id } = await scene.freshSender('10k')
        await ask('POST /emails', email({ to: people(50), cc: people(49, 'c'), ...later }))
        await setPlan(scene.service.db, id, 'free', new Date())
        await until(async () => (await ask('GET /usage')).json.day.limit === 100)
        const one = email({ to: people(1), ...later })
        const replies = await Promise.all(Array.from({ length: 50 }, () => ask('POST /emails', one)))
        expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
      }),
    ],
  },
  {
    heading: 'order of checks',
    rows: [
      proof('ERR-15', '401 before all', async (scene) => {
        expect((await scene.askAs('sw_x')('POST /emails', '{')).status).toBe(401)
      }),
      proof('ERR-15', '403 before 422', async (scene) => {
        const { token } = await scene.sender.givenKey({ permission: 'send' })
        expect((await scene.askAs(token)('POST /suppressions', '{')).status).toBe(403)
      }),
      proof('ERR-15', '429 before 422', async (scene) => {
        const { ask } = await scene.fresh('free')
        await flood(ask, 'POST /emails', 60)
        expect((await ask('POST /emails', {})).status).toBe(429)
      }),
      proof('ERR-15', 'body before pause', async (scene) => {
        const { ask, email } = await paused(scene)
        const { json } = await ask('POST /emails', email({ subject: undefined }))
        expect(json.message).toBe('The subject field is required.')
      }),
      proof('ERR-15', 'pause before domain', async (scene) => {
        const { ask, email } = await paused(scene)
        const reply = () => ask('POST /emails', email({ from: 'a@unverified.test' }))
        await until(async () => (await reply()).json.message !== 'The from address domain is not verified.')
        await checkAnswer(await reply(), PAUSED, scene)
      }),
      proof('ERR-15', 'domain before quota', async (scene) => {
        const { ask, email } = await scene.freshSender('free')
        await ask('POST /emails', email({ to: people(50), cc: people(50, 'c'), ...later }))
        await checkAnswer(await ask('POST /emails', email({ to: people(1), ...later })), DAILY, scene)
        const other = await ask('POST /emails', email({ from: 'a@unverified.test', to: people(1), ...later }))
        expect(other.json.message).toBe('The from address domain is not verified.')
      }),
    ],
  },
]

/** Polls until the condition is true, because a team is read again within a second after a change by its operator. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('The condition was not met within a minute')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
