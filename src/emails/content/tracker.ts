import type { FindTracking } from '../../tracking/domain-tracking.ts'
import type { TrackedVisit } from '../../tracking/track-links.ts'
import { workOnContent } from './heavy-content.ts'

/** The html of an email with its pixel and links, as far as its domain tracks them. */
export type Track = (
  html: string,
  domainName: string,
  email: Pick<TrackedVisit, 'teamId' | 'emailId' | 'no'>,
) => Promise<string>

/** No email for people is so long; reading it would hold up others. */
const HTML_LENGTH_MAX = 4 * 1024 * 1024

export function createTracker(key: Buffer, findTracking: FindTracking): Track {
  return async (html, domainName, email) => {
    if (html.length > HTML_LENGTH_MAX) return html
    const tracking = await findTracking(email.teamId, domainName)
    if (tracking === null) return html
    const of = { teamId: email.teamId, sizeBytes: html.length }
    return workOnContent('track', of, { key, html, tracking, email })
  }
}
