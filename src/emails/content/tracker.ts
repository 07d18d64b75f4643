import type { FindTracking } from '../../tracking/domain-tracking.ts'
import type { TrackedVisit } from '../../tracking/track-links.ts'
import { workOnContent } from './heavy-content.ts'

/** Adds the pixel and the tracked links to the html of an email, as far as its domain enables them. */
export type Track = (
  html: string,
  domainName: string,
  email: Pick<TrackedVisit, 'teamId' | 'emailId' | 'no'>,
) => Promise<string>

/** No email written for people is this long. Parsing it would delay other work. */
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
