import { fillBacklog } from './backlog.ts'
import { domainOf, nowMs } from './mail-sites.ts'
import {
  checkAtMost,
  checkBeside,
  checkEquals,
  type Measured,
  type Outcome,
  p99,
  type Size,
  type SteadyFigure,
} from './outcome.ts'
import { sendAndWait, type Waited } from './send-and-wait.ts'
import { waitUntil } from './waits.ts'
import { cloneTeams, createWorld, type World } from './world.ts'

const BACKLOG_COUNT = 100_000
const CONTROL_SECONDS = 60
/** B's emails a second. */
const PER_SECOND_OF_B = 10
/** B sends for one second per so many emails of A, more than a server delivers in that time. */
const COUNT_PER_SECOND_OF_B = 4000
const WARM_SECONDS = 3
const DRAIN_LIMIT_MS = 600_000
/** Destinations of the large backlog. */
const SITES = 20
const TEAMS = 1000
const EMAILS_PER_TEAM = 100
/** The counts of attempts per team at which its progress is compared. */
const MARKS = [10, 25, 50, 100]

/** Sends B's emails at a steady rate, and waits until each was attempted. */
function sendAsB(world: World, label: string, domain: string, seconds: number): Promise<Waited> {
  return sendAndWait(world, world.senders.slice(1), {
    label,
    seconds,
    perSecond: PER_SECOND_OF_B,
    domainAt: () => domain,
  })
}

/** Measures B beside the backlog of A, then alone. `isSameSite`: all mail goes to one site. */
async function measureBesideBacklog(
  size: Size,
  count: number,
  isSameSite: boolean,
): Promise<{ empty: Waited; beside: Waited; leftOfA: number; drainSeconds: number }> {
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
    // The first requests of a process compile its code and plan its statements.
    const warm = await sendAsB(world, 'warm', domainOfB, WARM_SECONDS)
    const beside = await sendAsB(world, 'b', domainOfB, Math.max(5, count / COUNT_PER_SECOND_OF_B))
    const ownCount = warm.waits.length + beside.waits.length
    const leftOfA = count - (world.sites.firstAttempts.size - ownCount)
    size.progress(`${leftOfA} of A's ${count} left when B had finished`)
    await waitUntil(() => world.sites.firstAttempts.size >= count + ownCount, DRAIN_LIMIT_MS)
    const drainSeconds = (nowMs() - startedMs) / 1000
    const empty = await sendAsB(world, 'control', domainOfB, Math.max(5, CONTROL_SECONDS * size.scale))
    return { empty, beside, leftOfA, drainSeconds }
  } finally {
    await world.close()
  }
}

/** Measures each team's progress relative to an even distribution, and the total time. */
async function measureThousandTeams(
  size: Size,
): Promise<{ ratios: number[]; seconds: number; missing: number }> {
  const teamsCount = Math.max(50, Math.round(TEAMS * size.scale))
  const world = await createWorld({ sitesCount: SITES, sendersCount: 1 })
  try {
    const [original] = world.teams
    if (original === undefined) throw new Error('there is no team')
    const db = world.openDatabase()
    const teams = await cloneTeams(db, world.product.dataDir, original, teamsCount)
    const count = teamsCount * EMAILS_PER_TEAM
    // Grouped by team, so the last team's emails are the newest.
    await fillBacklog(db, count, (number) => {
      const index = Math.floor(number / EMAILS_PER_TEAM)
      const team = teams[index] ?? original
      return { team, recipient: `t${index}-${number}@${domainOf(number % SITES)}` }
    })
    await world.product.stop()
    const startedMs = nowMs()
    await world.product.start()
    await waitUntil(() => world.sites.firstAttempts.size >= count, DRAIN_LIMIT_MS)
    const seconds = (nowMs() - startedMs) / 1000
    const ratios = compareWithEven(world.sites.firstAttempts)
    return { ratios, seconds, missing: count - world.sites.firstAttempts.size }
  } finally {
    await world.close()
  }
}

/** Returns, for each team and mark, the time of that attempt divided by its time in an even distribution. */
function compareWithEven(firstAttempts: ReadonlyMap<string, number>): number[] {
  const byTeam = Map.groupBy(firstAttempts, ([recipient]) => recipient.slice(0, recipient.indexOf('-')))
  const times = [...byTeam.values()].map((attempts) =>
    attempts.map(([, at]) => at).sort((one, other) => one - other),
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
    'Team A has 100,000 emails due when the server starts; team B sends ten a second over HTTP. The time is ' +
    "measured from the request to RCPT TO at the recipient's server. The control is B alone on the same server, " +
    "after A's mail is delivered. For a thousand teams, it is the time of a team's 10th, 25th, 50th and 100th " +
    'attempt, divided by the time at which it would occur with an even distribution.',
  async run(size): Promise<Outcome> {
    const count = Math.max(2000, Math.round(BACKLOG_COUNT * size.scale))
    const measured: Measured[] = []
    const verdicts = []
    for (const isSameSite of [false, true]) {
      const where = isSameSite ? 'the same site' : 'another site'
      const { empty, beside, leftOfA, drainSeconds } = await measureBesideBacklog(size, count, isSameSite)
      measured.push(
        { what: `B to ${where}, after A's mail (control)`, unit: 'ms', values: empty.waits },
        { what: `B to ${where}, beside A's backlog`, unit: 'ms', values: beside.waits },
        { what: `A's backlog, ${where}, drained in`, unit: 's', values: [drainSeconds] },
      )
      verdicts.push(
        checkAtMost(`B to ${where}: p99 ≤ 2 s`, p99(beside.waits), 2000, 'ms'),
        checkBeside(`B to ${where}`, beside.waits, empty.waits),
        checkEquals(`B to ${where}: refused`, beside.failures.length + empty.failures.length, 0),
        checkEquals(`B to ${where}: A's backlog was under way to the end`, Number(leftOfA > 0), 1),
      )
    }
    const thousand = await measureThousandTeams(size)
    measured.push({
      what: 'a thousand teams: time to a mark / even time',
      unit: '×',
      values: thousand.ratios,
    })
    verdicts.push(
      checkAtMost('no team waits more than twice its fair share', Math.max(...thousand.ratios), 2, '×'),
      checkEquals('a thousand teams: emails never attempted', thousand.missing, 0),
    )
    return { measured, verdicts }
  },
}
