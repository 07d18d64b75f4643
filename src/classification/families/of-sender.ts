/** The sender and its network: what a reply says of these is no fault of the recipient. "Your message" is no party. */
const OTHER_PARTY =
  '(?:sender|originator|submitter|author|your(?! (?:messages?|e-?mails?|mails?|recipients?)\\b)|from|ip|client|helo|ehlo|sending|originating|return|envelope|reverse|reply-to)'

/** A regular expression's source: no word for the sender stands within `gapMax` characters before this place. */
export function notOfSender(gapMax: number): string {
  return `(?<!\\b${OTHER_PARTY}(?:.s)?\\b.{0,${gapMax}})`
}
