/** To add a check, add its code here and its finding to the guide (docs/guides/campaigns.md). */
export const CHECK_CODES = [
  'incomplete',
  'sending_paused',
  'domain_unverified',
  'empty_audience',
  'missing_value',
  'no_unsubscribe_link',
  'html_too_large',
  'link_not_absolute',
  'preview_text_unused',
  'placeholder',
] as const

export interface Check {
  code: (typeof CHECK_CODES)[number]
  /** An error keeps the campaign from being sent. */
  severity: 'error' | 'warning'
  message: string
}
