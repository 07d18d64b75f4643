/** Domains remembered; the least recently seen are treated as ordinary again. */
const DOMAINS_MAX = 20_000

/**
 * Domains that demand TLS of every sender (MTA-STS, DANE). Their mail has separate sites, and those decide whether more
 * of it may be claimed, not the site that shares their hosts without TLS demands.
 */
export class StrictDomains {
  readonly #siteOfDomain = new Map<string, string>()

  /** Records the site of a domain; `site` null: the domain demands nothing. */
  note(domain: string, site: string | null): void {
    this.#siteOfDomain.delete(domain)
    if (site === null) return
    this.#siteOfDomain.set(domain, site)
    if (this.#siteOfDomain.size > DOMAINS_MAX) {
      this.#siteOfDomain.delete(this.#siteOfDomain.keys().next().value as string)
    }
  }

  /** Returns null for an ordinary domain. */
  isRefused(domain: string, isRefusing: (site: string) => boolean): boolean | null {
    const site = this.#siteOfDomain.get(domain)
    return site === undefined ? null : isRefusing(site)
  }

  /**
   * Returns the domains for claims to skip: the ordinary ones of `plain`, and the strict ones whose own site accepts no
   * more.
   */
  skip(plain: readonly string[], isRefusing: (site: string) => boolean): string[] {
    const domains = plain.filter((domain) => !this.#siteOfDomain.has(domain))
    for (const [domain, site] of this.#siteOfDomain) if (isRefusing(site)) domains.push(domain)
    return domains
  }
}
