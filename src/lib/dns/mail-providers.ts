/** A provider of mailboxes, or of filters before those of others. */
interface MailProvider {
  /** What its MX hosts' names end with. */
  mx: readonly string[]
  /** Domains of its own whose mailboxes anybody can have, beside those that its MX hosts are named for. */
  domains: readonly string[]
}

/** Who is told from others, in the limits of delivery and in figures: pure knowledge, for delivery/sites/built-in-rules.ts too. */
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
 * Who keeps a mailbox: by its domain, else by the MX host that spoke for it (a company's domain at Google). Names in lower
 * case. Null: nobody who is known.
 */
export function findMailProvider(domain: string, mxHost: string | null): MailProviderName | null {
  return BY_SUFFIX.get(domain) ?? (mxHost === null ? null : findBySuffix(mxHost))
}

/** The longest suffix that is known, at a dot. */
function findBySuffix(host: string): MailProviderName | null {
  let rest = host
  for (;;) {
    const found = BY_SUFFIX.get(rest)
    if (found !== undefined) return found
    const dot = rest.indexOf('.')
    if (dot === -1) return null
    rest = rest.slice(dot + 1)
  }
}
