/** How long a link works. Links are sent on request and can be requested again. */
export const LINK_LIFETIME_MS = 3_600_000

/**
 * Returns the URL of a dashboard page with a token after `#`, which browsers never send to a server. It starts with
 * PUBLIC_URL and never with the Host header of a request.
 */
export function accountLink(
  publicUrl: string,
  page: 'welcome' | 'invitation' | 'reset' | 'enter',
  token: string,
): string {
  return `${publicUrl}/app/${page}#token=${token}`
}
