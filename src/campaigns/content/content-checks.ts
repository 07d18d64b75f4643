import { setImmediate as nextTurn } from 'node:timers/promises'
import { rewriteLinks } from '../../mime/html/rewrite-links.ts'
import { findWarnings } from '../../templates/placeholder-warnings.ts'
import type { CampaignSource } from './campaign-content.ts'
import type { Rendered } from './preview-campaign.ts'

export const CHECK_CODES = [
  'incomplete',
  'unverified_domain',
  'sending_paused',
  'empty_audience',
  'missing_values',
  'no_unsubscribe_link',
  'html_too_large',
  'no_preview',
  'relative_link',
  'placeholder',
] as const

/** Something to mend before a campaign is sent. */
export interface CampaignCheck {
  code: (typeof CHECK_CODES)[number]
  /** Sending is refused, or stops at once, with an `error`. */
  severity: 'error' | 'warning'
  message: string
}

/** Gmail cuts messages off behind 102 kB of HTML. */
const HTML_BYTES_MAX = 102 * 1024
const LINKS_SHOWN_MAX = 5
const LINK_CHARS_MAX = 100
/** Addresses that every mail client opens, places in the email itself, and placeholders without a value. */
const OPENS = /^\s*(?:https?:\/\/|mailto:|tel:|sms:|#|\{\{)/i
const UNSUBSCRIBE_PLACE = /\{\{\s*(?:RESEND_)?UNSUBSCRIBE_URL\s*[|}]/

const warning = (code: CampaignCheck['code'], message: string): CampaignCheck => ({
  code,
  severity: 'warning',
  message,
})

/**
 * Checks content without looking at contacts. Each part takes a turn of the event loop.
 * @param rendered the content for nobody
 */
export async function checkContent(source: CampaignSource, rendered: Rendered): Promise<CampaignCheck[]> {
  const found = [...checkUnsubscribe(source), ...checkSize(source, rendered)]
  await nextTurn()
  found.push(...checkLinks(rendered.html ?? ''))
  await nextTurn()
  const { previewText } = source
  const ofPreview = previewText === null ? [] : findWarnings({ subject: previewText, html: null, text: null })
  for (const { part, line, column, message } of findWarnings(source)) {
    found.push(warning('placeholder', `Line ${line}, column ${column} of the ${part}: ${message}`))
  }
  for (const { column, message } of ofPreview) {
    found.push(warning('placeholder', `Column ${column} of the preview text: ${message}`))
  }
  return found
}

function checkUnsubscribe({ html, text }: CampaignSource): CampaignCheck[] {
  const parts = [
    ['HTML', html],
    ['text', text],
  ] as const
  return parts.flatMap(([name, part]) =>
    part === null || part === '' || UNSUBSCRIBE_PLACE.test(part)
      ? []
      : [
          warning(
            'no_unsubscribe_link',
            `The ${name} has no {{{UNSUBSCRIBE_URL}}}. Recipients can only unsubscribe in mail clients that show a button for it.`,
          ),
        ],
  )
}

function checkSize({ previewText, html }: CampaignSource, rendered: Rendered): CampaignCheck[] {
  const bytes = Buffer.byteLength(rendered.html ?? '')
  const found: CampaignCheck[] = []
  if (bytes > HTML_BYTES_MAX) {
    found.push(
      warning(
        'html_too_large',
        `The HTML has ${Math.ceil(bytes / 1024)} KB. Gmail hides what follows the first ${HTML_BYTES_MAX / 1024} KB, with the unsubscribe link.`,
      ),
    )
  }
  if (previewText !== null && (html ?? '') === '') {
    found.push(warning('no_preview', 'Without HTML, the preview text is not sent.'))
  }
  return found
}

function checkLinks(html: string): CampaignCheck[] {
  const broken = new Set<string>()
  rewriteLinks(html, {
    rewrite(url) {
      if (!OPENS.test(url)) broken.add(url.trim().slice(0, LINK_CHARS_MAX))
      return null
    },
  })
  if (broken.size === 0) return []
  const shown = [...broken].slice(0, LINKS_SHOWN_MAX).join(', ')
  const more = broken.size > LINKS_SHOWN_MAX ? ` and ${broken.size - LINKS_SHOWN_MAX} more` : ''
  return [
    warning(
      'relative_link',
      `Links must begin with https:// or mailto:. These do not work: ${shown}${more}.`,
    ),
  ]
}
