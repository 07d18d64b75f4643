import type { DueDelivery } from '../../queue/types.ts'
import type { Site } from './site.ts'
import { groupOf, type SiteKey, siteNameOf } from './site-key.ts'

export interface NamedSite {
  name: string
  key: SiteKey
  site: Site
}

/**
 * Mail to many dead domains creates as many paused sites. Beyond this number, the sites that are idle for longest are
 * forgotten; the site board still knows their pauses.
 */
const SITES_MAX = 10_000
/** The most sites to examine to find an idle one. There are not enough connections for so many busy sites in a row. */
const CHECKED_MAX = 100

/** The sites of this process, by name, and by the part of the name without the source. */
export class SiteSet {
  readonly #make: (key: SiteKey) => Site
  readonly #countSources: () => number
  readonly #byName = new Map<string, NamedSite>()
  readonly #groups = new Map<string, Set<Site>>()

  /** @param countSources returns how many sources the active rules allow */
  constructor(make: (key: SiteKey) => Site, countSources: () => number) {
    this.#make = make
    this.#countSources = countSources
  }

  of(key: SiteKey): Site {
    const name = siteNameOf(key)
    const entry = this.#byName.get(name)
    if (entry !== undefined) return entry.site
    if (this.#byName.size >= SITES_MAX) this.#forgetOldest()
    const site = this.#make(key)
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
   * Returns whether claims should skip mail of a class to these sites: all sources are closed, or one holds its
   * maximum, so that claimed deliveries would accumulate.
   */
  isRefusing(group: string, isBulk = false): boolean {
    const sites = this.#groups.get(group)
    if (sites === undefined) return false
    // A source that has not sent there recently has no site here. It may be another team's, and it can still send.
    let isAnyOpen = sites.size < this.#countSources()
    for (const site of sites) {
      if (!site.isShut && site.isFullOf(isBulk)) return true
      isAnyOpen ||= site.accepts(isBulk)
    }
    return !isAnyOpen
  }

  /** Returns whether no mail of a class can be sent there now, however little mail waits. */
  isClosedTo(group: string, isBulk: boolean): boolean {
    const sites = this.#groups.get(group)
    if (sites === undefined || sites.size < this.#countSources()) return false
    for (const site of sites) if (!site.isClosedTo(isBulk)) return false
    return true
  }

  forgetIdle(): void {
    for (const entry of this.#byName.values()) if (entry.site.isForgettable) this.#forget(entry)
  }

  #forgetOldest(): void {
    let checkedCount = 0
    for (const entry of this.#byName.values()) {
      if (entry.site.isIdle) {
        this.#forget(entry)
        return
      }
      if (++checkedCount > CHECKED_MAX) return
      // Move a busy site behind all others, so that the next search does not examine it again.
      this.#byName.delete(entry.name)
      this.#byName.set(entry.name, entry)
    }
  }

  #forget({ name, key, site }: NamedSite): void {
    this.#byName.delete(name)
    const group = this.#groups.get(groupOf(key))
    group?.delete(site)
    if (group?.size === 0) this.#groups.delete(groupOf(key))
  }

  /** Takes what waits at all sites. */
  takeWaiting(): DueDelivery[] {
    return [...this.#byName.values()].flatMap(({ site }) => site.takeWaiting())
  }

  /** Drains all sites. Returns the deliveries that never started, unless `takeWaiting` took them meanwhile. */
  async drain(): Promise<DueDelivery[]> {
    await Promise.all([...this.#byName.values()].map(({ site }) => site.drain()))
    return this.takeWaiting()
  }
}
