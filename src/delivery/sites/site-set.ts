import type { DueDelivery } from '../../queue/types.ts'
import type { Site } from './site.ts'
import { groupOf, nameOf, type SiteKey } from './site-key.ts'

export interface NamedSite {
  name: string
  key: SiteKey
  site: Site
}

/**
 * Whoever sends to many domains that are down leaves as many sites that are shut. Beyond this those that have been there
 * for longest without anything to do are forgotten; what the board of all processes knows of them it goes on knowing.
 */
const SITES_MAX = 10_000
/** Looked at for one to forget; more in a row that are at work is more than there are connections. */
const LOOKED_AT_MAX = 100

/** The sites of this process, by name, and by what they have in common but for the source. */
export class SiteSet {
  readonly #make: (key: SiteKey, name: string) => Site
  readonly #countSources: () => number
  readonly #byName = new Map<string, NamedSite>()
  readonly #groups = new Map<string, Set<Site>>()

  /** @param countSources of how many sources mail may go out from, by the rules in force */
  constructor(make: (key: SiteKey, name: string) => Site, countSources: () => number) {
    this.#make = make
    this.#countSources = countSources
  }

  of(key: SiteKey): Site {
    const name = nameOf(key)
    const known = this.#byName.get(name)
    if (known !== undefined) return known.site
    if (this.#byName.size >= SITES_MAX) this.#forgetOldest()
    const site = this.#make(key, name)
    this.#byName.set(name, { name, key, site })
    const group = this.#groups.get(groupOf(key))
    if (group === undefined) this.#groups.set(groupOf(key), new Set([site]))
    else group.add(site)
    return site
  }

  get(name: string): Site | undefined {
    return this.#byName.get(name)?.site
  }

  all(): Iterable<NamedSite> {
    return this.#byName.values()
  }

  /**
   * Whether no more should be claimed for it: all its sources are shut, or one holds as much as it may, which what is
   * claimed would pile up behind.
   */
  isRefusing(group: string): boolean {
    const sites = this.#groups.get(group)
    if (sites === undefined) return false
    // A source that has not sent there of late has no site here: it may be another team's, and nothing keeps it from sending.
    let isAnyOpen = sites.size < this.#countSources()
    for (const site of sites) {
      if (!site.isShut && site.isFull) return true
      isAnyOpen ||= site.accepts
    }
    return !isAnyOpen
  }

  /** Whether nothing goes there now, however little of it is waiting. */
  isClosed(group: string): boolean {
    const sites = this.#groups.get(group)
    if (sites === undefined || sites.size < this.#countSources()) return false
    for (const site of sites) if (!site.isClosed) return false
    return true
  }

  forgetIdle(): void {
    for (const named of this.#byName.values()) if (named.site.isForgettable) this.#forget(named)
  }

  #forgetOldest(): void {
    let lookedAt = 0
    for (const named of this.#byName.values()) {
      if (named.site.isIdle) {
        this.#forget(named)
        return
      }
      if (++lookedAt > LOOKED_AT_MAX) return
      // At work: behind all others, so that it is not looked at again and again.
      this.#byName.delete(named.name)
      this.#byName.set(named.name, named)
    }
  }

  #forget({ name, key, site }: NamedSite): void {
    this.#byName.delete(name)
    const group = this.#groups.get(groupOf(key))
    group?.delete(site)
    if (group?.size === 0) this.#groups.delete(groupOf(key))
  }

  /** What was never begun. */
  async drain(): Promise<DueDelivery[]> {
    const left = await Promise.all([...this.#byName.values()].map(({ site }) => site.drain()))
    return left.flat()
  }
}
