import { fillBacklog } from './backlog.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  judgeCount,
  judgeMost,
  type Measured,
  type Outcome,
  p99,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { sendSteadily } from './send-steadily.ts'
import { waitsOf, waitUntil } from './waits.ts'
import { cloneTeams, createWorld, type World } from './world.ts'

const BACKLOG_COUNT = 100_000
const CONTROL_SECONDS = 60
/** B sends for as long as A's mail surely lasts. */
const COUNT_PER_SECOND_OF_B = 2500
const DRAIN_LIMIT_MS = 600_000
const TRY_LIMIT_MS = 60_000
/** Destinations of the large backlog. */
const SITES = 20
const TEAMS = 1000
const EMAILS_PER_TEAM = 100
/** When each team has had so many of its emails tried. */
const MARKS = [10, 25, 50, 100]

type B = { waits: number[]; failures: string[] }

/** B's emails, one a second, until `isOver` or for `seconds`. */
async function sendAsB(world: World, label: string, domain: string, seconds: number): Promise<B> {
  const [, b] = world.senders
  if (b === undefined) throw new Error('there is no second sender')
  const { sent, failures } = await sendSteadily({
    port: world.product.port,
    key: b.key,
    from: b.from,
    perSecond: 1,
    seconds,
    recipientAt: (number) => `${label}-${number}@${domain}`,
  })
  const { tried } = world.sites
  await waitUntil(() => [...sent.keys()].every((recipient) => tried.has(recipient)), TRY_LIMIT_MS)
  return { waits: waitsOf(sent, tried), failures }
}

/** B beside the backlog of A, for as long as it lasts. `sitesCount` 1: all to one site. */
async function besideBacklog(
  size: Size,
  count: number,
  isSameSite: boolean,
): Promise<{ empty: B; beside: B; drainSeconds: number }> {
  const world = await createWorld({ sitesCount: SITES + 1, sendersCount: 2 })
  try {
    const [a] = world.teams
    if (a === undefined) throw new Error('there is no first team')
    const domainOfA = (number: number) => domainOf(isSameSite ? 0 : number % SITES)
    await fillBacklog(world.openDatabase(), count, (number) => ({
      team: a,
      recipient: `a-${number}@${domainOfA(number)}`,
    }))
    await world.product.stop()
    await world.product.start()
    const startedMs = nowMs()
    const domainOfB = isSameSite ? domainOf(0) : domainOf(SITES)
    const beside = await sendAsB(world, 'b', domainOfB, Math.max(5, count / COUNT_PER_SECOND_OF_B))
    const triedCount = world.sites.tried.size - beside.waits.length
    size.progress(`${triedCount} of A's ${count} tried when B was done`)
    await waitUntil(() => world.sites.tried.size >= count + beside.waits.length, DRAIN_LIMIT_MS)
    const drainSeconds = (nowMs() - startedMs) / 1000
    const empty = await sendAsB(world, 'control', domainOfB, Math.max(5, CONTROL_SECONDS * size.scale))
    return { empty, beside, drainSeconds }
  } finally {
    await world.close()
  }
}

/** Each team's progress against an even one, and how long all took. */
async function amongThousand(size: Size): Promise<{ ratios: number[]; seconds: number; missing: number }> {
  const teamsCount = Math.max(50, Math.round(TEAMS * size.scale))
  const world = await createWorld({ sitesCount: SITES, sendersCount: 1 })
  try {
    const [original] = world.teams
    if (original === undefined) throw new Error('there is no team')
    const db = world.openDatabase()
    const teams = await cloneTeams(db, world.product.dataDir, original, teamsCount)
    const count = teamsCount * EMAILS_PER_TEAM
    // Team after team: the last one's emails are the youngest of all.
    await fillBacklog(db, count, (number) => {
      const index = Math.floor(number / EMAILS_PER_TEAM)
      const team = teams[index] ?? original
      return { team, recipient: `t${index}-${number}@${domainOf(number % SITES)}` }
    })
    await world.product.stop()
    const startedMs = nowMs()
    await world.product.start()
    await waitUntil(() => world.sites.tried.size >= count, DRAIN_LIMIT_MS)
    const seconds = (nowMs() - startedMs) / 1000
    const ratios = compareWithEven(world.sites.tried)
    return { ratios, seconds, missing: count - world.sites.tried.size }
  } finally {
    await world.close()
  }
}

/** For each team and mark: when the team came so far, as a part of when it would have if all went evenly. */
function compareWithEven(tried: ReadonlyMap<string, number>): number[] {
  const byTeam = Map.groupBy(tried, ([recipient]) => recipient.slice(0, recipient.indexOf('-')))
  const times = [...byTeam.values()].map((tries) =>
    tries.map(([, at]) => at).sort((one, other) => one - other),
  )
  const firstMs = Math.min(...times.map((each) => each[0] ?? 0))
  const totalMs = Math.max(...times.map((each) => each.at(-1) ?? 0)) - firstMs
  return times.flatMap((each) =>
    MARKS.map(
      (mark) =>
        ((each[mark - 1] ?? Number.POSITIVE_INFINITY) - firstMs) / ((totalMs * mark) / EMAILS_PER_TEAM),
    ),
  )
}

export const fairness: SteadyFigure = {
  name: 'fairness',
  title: "One team's backlog beside another team's mail",
  note:
    'Team A has 100,000 emails due when the server starts; team B sends one a second over HTTP. The time is ' +
    "measured from the request to RCPT TO at the recipient's server. The control is B alone on the same server, " +
    "after A's mail is delivered. For a thousand teams, it is the time of a team's 10th, 25th, 50th and 100th " +
    'attempt, divided by the time at which it would occur with an even distribution.',
  async run(size): Promise<Outcome> {
    const count = Math.max(2000, Math.round(BACKLOG_COUNT * size.scale))
    const measured: Measured[] = []
    const verdicts = []
    for (const isSameSite of [false, true]) {
      const where = isSameSite ? 'the same site' : 'another site'
      const { empty, beside, drainSeconds } = await besideBacklog(size, count, isSameSite)
      measured.push(
        { what: `B to ${where}, A's mail gone (control)`, unit: 'ms', values: empty.waits },
        { what: `B to ${where}, beside A's backlog`, unit: 'ms', values: beside.waits },
        { what: `A's backlog, ${where}, drained in`, unit: 's', values: [drainSeconds] },
      )
      verdicts.push(
        judgeMost(`B to ${where}: p99 ≤ 2 s`, p99(beside.waits), 2000, 'ms'),
        judgeMost(`B to ${where}: p99 ≤ 2 × control`, p99(beside.waits) / p99(empty.waits), 2, '×'),
        judgeCount(`B to ${where}: refused`, beside.failures.length + empty.failures.length, 0),
      )
    }
    const thousand = await amongThousand(size)
    measured.push({
      what: 'a thousand teams: time to a mark / even time',
      unit: '×',
      values: thousand.ratios,
    })
    verdicts.push(
      judgeMost('no team waits more than twice its fair share', Math.max(...thousand.ratios), 2, '×'),
      judgeCount('a thousand teams: emails never tried', thousand.missing, 0),
    )
    return { measured, verdicts }
  },
}
