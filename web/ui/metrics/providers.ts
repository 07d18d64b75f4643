const NAMES: Readonly<Record<string, string>> = {
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

/** Returns the name of a mailbox provider for people. One that the dashboard does not know keeps that of the API. */
export function showProvider(provider: string): string {
  return NAMES[provider] ?? provider
}
