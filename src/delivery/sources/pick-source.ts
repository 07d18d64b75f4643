import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import type { Clock } from '../../lib/time/clock.ts'
import type { DeliveryResult, DueDelivery, EmailTag } from '../../queue/types.ts'
import { providerGroupOf } from '../rules/provider-groups.ts'
import type { Match, Pool, SourceRules, WarmingSource } from '../rules/source-rules.ts'
import { bearsTag } from '../rules/tag-match.ts'
import { dayOf, limitOn, nextDay } from '../rules/warmup.ts'
import type { MailSite, PickedSource, PickSource } from './source.ts'
import type { WarmupKey } from './sources-queries.ts'
import type { WarmupRoom } from './warmup-room.ts'

export interface PickSourceDeps {
  clock: Clock
  random: () => number
  /** Returns the current rules, or null if there are none. */
  rules(): SourceRules | null
  /** The system default, without rules. */
  fallback: PickedSource
  /** Returns whether the address is not on this machine; another machine then sends the deliveries that need it. */
  isMissing(source: WarmingSource): boolean
  room: WarmupRoom
  /** Returns the domain of the From address. */
  domainOf(delivery: DueDelivery): Promise<string | null>
  /** For deliveries claimed without their tags. */
  tagsOf(delivery: DueDelivery): Promise<readonly EmailTag[]>
  /** Returns the addresses of a mail host from DNS. */
  addressesOf(host: string): Promise<readonly string[]>
}

/** A finished attempt, or a delivery that was not attempted. */
type Outcome = { result: Pick<DeliveryResult, 'delivery' | 'verdict'> } | { delivery: DueDelivery }

/** Deliveries that wait for the next day's limit become due over this period after midnight. */
const TOMORROW_SPREAD_MS = 30 * 60_000
/** How long to leave a delivery to another machine that has the pool's addresses. */
const ELSEWHERE_MS = 60_000
/** Picks neither sent nor returned; more than one process ever holds. */
const DRAWN_COUNT_MAX = 5000
/** Attempts with these results never showed a message to a server. */
const UNSENT = new Set(['unreachable', 'address_refused'])

/** Chooses the source address of each delivery within its warm-up limits. */
export function createSourcePicker(deps: PickSourceDeps) {
  /** Messages charged to warming sources, until it is known whether they were sent. */
  const drawn = new Map<DueDelivery, WarmupKey>()

  const pick: PickSource = async (delivery, site) => {
    const rules = deps.rules()
    if (rules === null) return deps.fallback
    const pool = await poolOf(deps, rules, delivery)
    const here = pool.sources.filter((source) => !deps.isMissing(source))
    if (here.length === 0) return notHere(deps, pool)
    // Called for each hop. Only the direct hop is charged, and only once.
    if (site.hosts.length > 0) giveBack(delivery)
    for (const source of rankSources(await thoseThatReach(deps, here, site), delivery.addressKey)) {
      if (await hasRoom(source, delivery, site)) return { source }
    }
    return warmingUp(deps, pool)
  }

  /**
   * Charges a warming source with the message. Relays do not warm up a source, because providers see the relay's own
   * address.
   */
  async function hasRoom(source: WarmingSource, delivery: DueDelivery, site: MailSite): Promise<boolean> {
    if (source.warmup === null || site.hosts.length === 0) return true
    const now = deps.clock.now()
    const group = providerGroupOf(site.hosts)
    const limit = limitOn(source.warmup, group, now)
    if (limit === null) return true
    const key = { source: source.name, group, day: dayOf(now) }
    if (!(await deps.room.draw(key, limit))) {
      forgetAbandoned(now.getTime())
      if (!(await deps.room.draw(key, limit))) return false
    }
    drawn.set(delivery, key)
    if (drawn.size > DRAWN_COUNT_MAX) forgetAbandoned(now.getTime())
    return true
  }

  function giveBack(delivery: DueDelivery): void {
    const key = drawn.get(delivery)
    if (key !== undefined && drawn.delete(delivery)) deps.room.undraw(key)
  }

  /** Forgets deliveries dropped without a report: their lease was lost, and another process sends them. */
  function forgetAbandoned(nowMs: number): void {
    for (const delivery of drawn.keys()) if (delivery.leasedUntilMs < nowMs) giveBack(delivery)
  }

  return {
    pick,
    /** Records a delivery's outcome: a message that was not sent is not counted. */
    note(outcome: Outcome): void {
      const delivery = 'result' in outcome ? outcome.result.delivery : outcome.delivery
      if (wasSent(outcome)) drawn.delete(delivery)
      else giveBack(delivery)
    },
    /** Call when deliveries have stopped: returns charges of deliveries that never started, and the rest of the blocks. */
    async close(): Promise<void> {
      for (const delivery of [...drawn.keys()]) giveBack(delivery)
      await deps.room.close()
    },
  }
}

function wasSent(outcome: Outcome): boolean {
  return 'result' in outcome && !UNSENT.has(outcome.result.verdict.category)
}

function poolOf(deps: PickSourceDeps, rules: SourceRules, delivery: DueDelivery): Promise<Pool> {
  return findPool(rules, {
    teamId: delivery.teamId,
    isBulk: delivery.isBulk,
    domain: () => deps.domainOf(delivery),
    tags: async () => delivery.tags ?? deps.tagsOf(delivery),
  })
}

/**
 * Returns the sources in order of preference for a recipient, by rendezvous hashing. Each recipient keeps receiving
 * from the same address while it has room (greylisting knows senders by address), all addresses get an even share of
 * each site, and an added or removed address moves no more than its own share.
 */
export function rankSources<T extends { name: string }>(sources: readonly T[], recipient: string): T[] {
  if (sources.length < 2) return [...sources]
  return sources
    .map((source) => ({ source, lot: hash('sha1', `${source.name}\n${recipient}`, 'hex') }))
    .sort((one, other) => (one.lot < other.lot ? -1 : 1))
    .map(({ source }) => source)
}

/** An IPv4 address cannot reach an IPv6 host. DNS is queried only when the pool has both families. */
async function thoseThatReach(
  deps: PickSourceDeps,
  sources: readonly WarmingSource[],
  site: MailSite,
): Promise<readonly WarmingSource[]> {
  const families = new Set(sources.map(({ address }) => isIP(address)))
  if (families.size < 2 || site.hosts.length === 0) return sources
  const addresses = await Promise.all(site.hosts.map(({ name }) => deps.addressesOf(name)))
  const reachable = new Set(addresses.flat().map((address) => isIP(address)))
  const those = sources.filter(({ address }) => reachable.has(isIP(address)))
  return those.length === 0 ? sources : those
}

function warmingUp(deps: PickSourceDeps, pool: Pool): PickedSource {
  const tomorrow = nextDay(deps.clock.now())
  const until = new Date(tomorrow.getTime() + Math.round(deps.random() * TOMORROW_SPREAD_MS))
  const reason = `The sending addresses of pool "${pool.name}" are warming up and have sent what this provider gets of them today. It goes on tomorrow (UTC).`
  return { until, reason }
}

function notHere(deps: PickSourceDeps, pool: Pool): PickedSource {
  const until = new Date(deps.clock.now().getTime() + ELSEWHERE_MS)
  return {
    until,
    reason: `No sending address of pool "${pool.name}" belongs to the machine that had its turn.`,
  }
}

/** The properties of an email that rules match on; a database lookup is made only when a rule needs it. */
interface Assignable {
  teamId: string
  isBulk: boolean
  /** The domain of its From address, lower case. */
  domain(): Promise<string | null>
  tags(): Promise<readonly EmailTag[]>
}

interface Known {
  team: string
  isBulk: boolean
  domain: string | null
  tags: readonly EmailTag[]
}

/** Returns the pool of the first matching rule, else the default pool. */
async function findPool(rules: SourceRules, email: Assignable): Promise<Pool> {
  const facts: Known = {
    team: email.teamId,
    isBulk: email.isBulk,
    domain: rules.asks.domain ? await email.domain() : null,
    tags: rules.asks.tags ? await email.tags() : [],
  }
  return rules.assignments.find(({ match }) => matches(match, facts))?.pool ?? rules.defaultPool
}

function matches({ team, domain, tag, isBulk }: Match, facts: Known): boolean {
  if (isBulk !== undefined && isBulk !== facts.isBulk) return false
  if (team !== undefined && team !== facts.team) return false
  if (domain !== undefined && domain !== facts.domain) return false
  return tag === undefined || bearsTag(facts.tags, tag)
}
