import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { readLinks } from '../../mime/html/read-links.ts'
import { findWarnings } from '../../templates/placeholder-warnings.ts'
import type { CompiledTemplate } from '../../templates/render-template.ts'
import { validateReadiness } from '../campaigns.ts'
import type { Campaign } from '../rows/campaigns-queries.ts'
import type { VersionContent } from '../rows/runs-queries.ts'
import { UNSUBSCRIBE_URLS } from '../sending/render-campaign.ts'
import { checkAudience } from './audience-checks.ts'
import type { Check } from './check-types.ts'
import { readSendingState } from './checks-queries.ts'
import { type OpenContent, openContent, refuseUnpublished } from './open-content.ts'
import { renderOpen } from './preview-campaign.ts'

/** Gmail shows no more of an email. */
const HTML_BYTES_MAX = 102 * 1024
const LINK_COUNT_MAX = 1000
const LINKS_NAMED_MAX = 5
const LINK_SHOWN_MAX = 100

/**
 * Checks a campaign before it is sent, errors first. Changes nothing.
 * @param db a pool for statements whose cost the caller determines
 */
export async function checkCampaign(
  db: Db,
  campaign: Campaign,
  testUrl: string,
  now: Date,
): Promise<Check[]> {
  const open = await openContent(db, campaign)
  await nextTurn()
  const { html, missing, unfit } = renderOrExplain(open, testUrl)
  await nextTurn()
  return [
    ...checkReadiness(campaign, open),
    ...(await checkSender(db, campaign.teamId, open)),
    // Once the campaign has begun, its audience no longer changes.
    ...(campaign.version === 0 ? await checkAudience(db, campaign, missing, now) : []),
    ...unfit,
    ...checkUnsubscribeLinks(open.content, open.compiled.compiled),
    ...checkHtml(html),
    ...checkPreviewText(open.content),
    ...(await checkPlaceholders(open.content)),
  ]
}

/** Renders with fallbacks only. A fallback that does not fit the type of its variable becomes a finding. */
function renderOrExplain(open: OpenContent, testUrl: string) {
  try {
    return { ...renderOpen(open, null, testUrl), unfit: [] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const check: Check = { code: 'missing_value', severity: 'warning', message: error.message }
    return { html: null, missing: [], unfit: [check] }
  }
}

function checkReadiness(campaign: Campaign, open: OpenContent): Check[] {
  if (!open.isCurrent) return []
  const messages: string[] = []
  const refuse = (_field: string, message: string) => messages.push(message)
  validateReadiness(campaign, refuse)
  refuseUnpublished(open, refuse)
  return messages.map((message) => ({ code: 'incomplete', severity: 'error', message }))
}

async function checkSender(db: Db, teamId: string, { sender }: OpenContent): Promise<Check[]> {
  const checks: Check[] = []
  const { isPaused, isVerified } = await readSendingState(db, teamId, sender?.domainName ?? null)
  if (isPaused) {
    const message = 'Sending is paused for this account.'
    checks.push({ code: 'sending_paused', severity: 'error', message })
  }
  if (sender !== null && !isVerified) {
    const message = `The domain of the sender, ${sender.domainName}, is not verified. Publish its DNS records and verify it.`
    checks.push({ code: 'domain_unverified', severity: 'error', message })
  }
  return checks
}

function checkUnsubscribeLinks({ html, text }: VersionContent, compiled: CompiledTemplate): Check[] {
  const parts = [
    { name: 'html', source: html, slots: compiled.html?.slots },
    { name: 'text', source: text, slots: compiled.text?.slots },
  ]
  const urls: readonly string[] = UNSUBSCRIBE_URLS
  return parts.flatMap(({ name, source, slots = [] }): Check[] => {
    if ((source ?? '') === '' || slots.some(({ key }) => urls.includes(key))) return []
    const message = `The ${name} has no {{{UNSUBSCRIBE_URL}}}. Mail clients offer to unsubscribe by the header fields of the email, but many recipients look for a link in it, and else report spam.`
    return [{ code: 'no_unsubscribe_link', severity: 'warning', message }]
  })
}

function checkHtml(html: string | null): Check[] {
  if (html === null) return []
  const checks: Check[] = []
  const bytes = Buffer.byteLength(html)
  if (bytes > HTML_BYTES_MAX) {
    const message = `The html has ${Math.ceil(bytes / 1024)} KB before tracking. Gmail hides what is behind the first 102 KB, with a link to unsubscribe at its end.`
    checks.push({ code: 'html_too_large', severity: 'warning', message })
  }
  const links = [...new Set(readLinks(html, LINK_COUNT_MAX).filter((link) => !isAbsolute(link)))]
  if (links.length > 0)
    checks.push({ code: 'link_not_absolute', severity: 'warning', message: nameLinks(links) })
  return checks
}

/** A placeholder without a value may become any link. */
const ABSOLUTE = /^(?:https?:\/\/[^/]|mailto:|tel:|sms:|\{\{)/i

const isAbsolute = (link: string) => ABSOLUTE.test(link)

function nameLinks(links: readonly string[]): string {
  const names = links.slice(0, LINKS_NAMED_MAX).map((link) => `"${shorten(link)}"`)
  const rest = links.length > names.length ? ` and ${links.length - names.length} more` : ''
  return `Links must begin with https://, http:// or mailto: to work in an email: ${names.join(', ')}${rest}.`
}

function shorten(link: string): string {
  return link.length > LINK_SHOWN_MAX ? `${link.slice(0, LINK_SHOWN_MAX)}…` : link
}

function checkPreviewText({ previewText, html }: VersionContent): Check[] {
  if (previewText === null || (html ?? '') !== '') return []
  const message =
    'The preview_text is not used, because there is no html. Mail clients show the beginning of the text.'
  return [{ code: 'preview_text_unused', severity: 'warning', message }]
}

async function checkPlaceholders(content: VersionContent): Promise<Check[]> {
  await nextTurn()
  const ofPreview = findWarnings({ subject: content.previewText ?? '', html: null, text: null })
  const problems = [
    ...findWarnings(content),
    ...ofPreview.map((warning) => ({ ...warning, part: 'preview_text' })),
  ]
  return problems.map(({ part, line, column, message }) => {
    const place = part === 'html' || part === 'text' ? `${part}, line ${line}, column ${column}` : part
    return { code: 'placeholder', severity: 'warning', message: `In the ${place}: ${message}` }
  })
}
