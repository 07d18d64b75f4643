/** A provider of mailboxes, or of filters in front of them. */
interface MailProvider {
  /** Suffixes of its MX host names. */
  mx: readonly string[]
  /** Its own public mailbox domains, beside those that its MX hosts are named for. */
  domains: readonly string[]
}

/** The providers that delivery limits and metrics distinguish; delivery/rules/built-in-rules.ts uses them too. */
export const MAIL_PROVIDERS = {
  google: {
    mx: ['google.com', 'googlemail.com', 'smtp.goog'],
    domains: ['gmail.com'],
  },
  microsoft: {
    mx: ['olc.protection.outlook.com', 'hotmail.com', 'live.com'],
    domains: [
      'outlook.com',
      'hotmail.co.uk',
      'hotmail.de',
      'hotmail.es',
      'hotmail.fr',
      'hotmail.it',
      'msn.com',
    ],
  },
  microsoft_365: {
    mx: ['mail.protection.outlook.com', 'mx.microsoft', 'protection.outlook.com'],
    domains: [],
  },
  yahoo: {
    mx: ['yahoodns.net', 'yahoo.com', 'aol.com', 'yahoo.co.jp'],
    domains: ['ymail.com', 'rocketmail.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.es', 'yahoo.fr', 'yahoo.it'],
  },
  apple: { mx: ['mail.icloud.com', 'icloud.com', 'me.com'], domains: ['mac.com'] },
  comcast: { mx: ['comcast.net', 'cloudfilter.net'], domains: [] },
  gmx: {
    mx: ['gmx.net', 'gmx.com', 'web.de', 'kundenserver.de', 'ionos.de', 'ionos.com', 'mail.com'],
    domains: ['gmx.de', 'gmx.at', 'gmx.ch'],
  },
  telekom: { mx: ['t-online.de', 'magenta.de'], domains: [] },
  orange: { mx: ['orange.fr', 'wanadoo.fr', 'orange.com'], domains: [] },
  free_sfr_laposte: { mx: ['free.fr', 'sfr.fr', 'sfr.net', 'laposte.net', 'bbox.fr'], domains: [] },
  yandex: { mx: ['yandex.ru', 'yandex.net', 'yandex.com'], domains: ['ya.ru'] },
  mail_ru: { mx: ['mail.ru', 'vk.com'], domains: ['bk.ru', 'inbox.ru', 'list.ru'] },
  qq_netease_sina: {
    mx: ['qq.com', 'netease.com', '163.com', '126.com', 'sina.com.cn', 'sina.cn'],
    domains: ['foxmail.com', 'yeah.net', 'sina.com'],
  },
  proofpoint_mimecast: { mx: ['pphosted.com', 'ppe-hosted.com', 'mimecast.com'], domains: [] },
} as const satisfies Record<string, MailProvider>

export type MailProviderName = keyof typeof MAIL_PROVIDERS

const BY_SUFFIX: ReadonlyMap<string, MailProviderName> = new Map(
  entries().flatMap(([name, { mx, domains }]) =>
    [...mx, ...domains].map((suffix) => [suffix, name] as const),
  ),
)

function entries(): [MailProviderName, MailProvider][] {
  return Object.entries(MAIL_PROVIDERS) as [MailProviderName, MailProvider][]
}

/**
 * Returns the provider of a mailbox: by its domain, else by the MX host that answered for it (a company's domain at
 * Google). Names are lower case. Null: unknown.
 */
export function findMailProvider(domain: string, mxHost: string | null): MailProviderName | null {
  return BY_SUFFIX.get(domain) ?? (mxHost === null ? null : findBySuffix(mxHost))
}

/** Returns the provider with the longest matching suffix, at a dot. */
function findBySuffix(host: string): MailProviderName | null {
  let rest = host
  for (;;) {
    const provider = BY_SUFFIX.get(rest)
    if (provider !== undefined) return provider
    const dot = rest.indexOf('.')
    if (dot === -1) return null
    rest = rest.slice(dot + 1)
  }
}
