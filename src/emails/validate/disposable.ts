import { isFreeProvider } from './free-providers.ts'

/**
 * Services that forward to somebody's real mailbox from an address that stays theirs. The list that is used has some of
 * them; blocking their users keeps out people who care for their privacy, and no throw-away addresses.
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

/** The list is a megabyte of JavaScript (30 ms, 20 MB): read when the first address is judged, not at the start. */
let list: Promise<ReadonlySet<string>> | null = null

async function readList(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import('mailchecker')
  return mailchecker.blacklist()
}

/**
 * Whether the domain, or one that it is under, hands out mailboxes for an hour or a day.
 * @param domain A-label in lower case
 */
export async function isDisposable(domain: string): Promise<boolean> {
  if (isFreeProvider(domain)) return false
  list ??= readList()
  const domains = await list
  const labels = domain.split('.')
  // Forwarders' users have names under them too (`me.anonaddy.com`). The last label alone is nobody's mail service.
  const names = labels.slice(0, -1).map((_, from) => labels.slice(from).join('.'))
  return names.some((name) => domains.has(name)) && !names.some((name) => FORWARDERS.has(name))
}
