/** The properties by which the metrics can be broken down. */
export const GROUPINGS = [
  { value: 'provider', label: 'Mailbox provider' },
  { value: 'domain', label: 'Domain' },
  { value: 'template', label: 'Template' },
  { value: 'tag', label: 'Tag' },
  { value: 'hours', label: 'Hour of the week' },
] as const

export type Grouping = (typeof GROUPINGS)[number]['value']

const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'Google (Gmail)',
  microsoft: 'Microsoft (Outlook.com)',
  microsoft_365: 'Microsoft 365',
  yahoo: 'Yahoo, AOL',
  apple: 'Apple iCloud',
  comcast: 'Comcast',
  gmx: 'GMX, WEB.DE, IONOS',
  telekom: 'Telekom',
  orange: 'Orange',
  free_sfr_laposte: 'Free, SFR, La Poste',
  yandex: 'Yandex',
  mail_ru: 'Mail.ru',
  qq_netease_sina: 'QQ, NetEase, Sina',
  proofpoint_mimecast: 'Proofpoint, Mimecast',
  simulator: 'Simulator',
  other: 'Other providers',
}

/** Returns the name of a group for people. */
export function nameOfGroup(by: string, key: string, name: string | null): string {
  if (name !== null) return name
  if (key === '*') return 'All others'
  if (by === 'provider') return PROVIDERS[key] ?? key
  return by === 'tag' ? key.replace(':', ': ') : 'Deleted'
}

/** The parameter of the page's address, and of the API, that selects a group. */
export const FILTER_OF = {
  provider: 'provider',
  domain: 'domain_id',
  template: 'template_id',
  tag: 'tag',
} as const
