/** Domains remembered; those longest unheard of are taken for ordinary ones again. */
const DOMAINS_MAX = 20_000

/**
 * Domains that demand TLS of everybody (MTA-STS, DANE): their mail has sites of its own, so whether more of it may be
 * claimed is for those to say, not for the site of the same hosts whose mail demands nothing.
 */
export class StrictDomains {
  readonly #siteOfDomain = new Map<string, string>()

  /** `site` null: the domain demands nothing. */
  note(domain: string, site: string | null): void {
    this.#siteOfDomain.delete(domain)
    if (site === null) return
    this.#siteOfDomain.set(domain, site)
    if (this.#siteOfDomain.size > DOMAINS_MAX) {
      this.#siteOfDomain.delete(this.#siteOfDomain.keys().next().value as string)
    }
  }

  /** Null: it is an ordinary domain. */
  isRefused(domain: string, isRefusing: (site: string) => boolean): boolean | null {
    const site = this.#siteOfDomain.get(domain)
    return site === undefined ? null : isRefusing(site)
  }

  /** What claims leave out: of `plain` those that are ordinary, and the strict ones whose own site takes no more. */
  skip(plain: readonly string[], isRefusing: (site: string) => boolean): string[] {
    const domains = plain.filter((domain) => !this.#siteOfDomain.has(domain))
    for (const [domain, site] of this.#siteOfDomain) if (isRefusing(site)) domains.push(domain)
    return domains
  }
}
