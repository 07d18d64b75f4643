import { isFreeProvider } from './free-providers.ts'

/**
 * Services that forward to a real mailbox from permanent addresses. The list in use contains some of them.
 * Blocking them excludes people who protect their privacy, not disposable addresses.
 */
const FORWARDERS: ReadonlySet<string> = new Set(
  `
  duck.com mozmail.com relay.firefox.com privaterelay.appleid.com simplelogin.com simplelogin.co simplelogin.fr
  slmail.me slmails.com 8alias.com 8shield.net aleeas.com dralias.com silomails.com passmail.net passmail.com passinbox.com
  passfwd.com anonaddy.com anonaddy.me addy.io addymail.com 4wrd.cc mailer.me forwardemail.net alias.email
  `
    .trim()
    .split(/\s+/),
)

/** The list is a megabyte of JavaScript (30 ms, 20 MB), so it is loaded with the first address, not at startup. */
let list: Promise<ReadonlySet<string>> | null = null

async function readList(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import('mailchecker')
  return mailchecker.blacklist()
}

/**
 * Returns whether the domain, or a parent domain, provides mailboxes for an hour or a day.
 * @param domain A-label in lower case
 */
export async function isDisposable(domain: string): Promise<boolean> {
  if (isFreeProvider(domain)) return false
  list ??= readList()
  const domains = await list
  const labels = domain.split('.')
  // Users of forwarders have subdomains too (`me.anonaddy.com`). A top-level label alone is no mail service.
  const names = labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
  return names.some((name) => domains.has(name)) && !names.some((name) => FORWARDERS.has(name))
}
