/** How long a link works. Its reader has just asked for it, or is asked to ask again. */
export const LINK_LIFETIME_MS = 3_600_000

/**
 * A page of the dashboard with a token behind `#`: browsers send that to nobody. It begins with PUBLIC_URL and never with
 * what a request calls its host.
 */
export function accountLink(
  publicUrl: string,
  page: 'welcome' | 'invitation' | 'reset',
  token: string,
): string {
  return `${publicUrl}/app/${page}#token=${token}`
}
