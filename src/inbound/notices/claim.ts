import type { NoticeRecipient } from '../../operations/classify/notice.ts'

export type Action = NoticeRecipient['action']

/** What a notice claims of one recipient, as found there and not yet judged. */
export interface Claim {
  address: string | null
  /** Null where it must be told from the rest. */
  action: Action | null
  /** The Status field (RFC 3463), which often says less than the reply. */
  status: string | null
  /** The reply or the words that explain it, in one line. */
  said: string
  /** The host that said it. */
  host: string | null
}

/** RFC 5321 section 4.1.2, loosely: what is between brackets, or what looks like an address in running text. */
const ADDRESS =
  /<([^\s<>@]{1,256}@[^\s<>@,;]{1,255})>|((?:"[^"\n]{1,64}"|[^\s<>()[\]"',:;@]{1,256})@[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9.\-\u0080-\uffff]{0,253}[A-Za-z0-9\u0080-\uffff])?)/

/** The first address in a text, without brackets; null where there is none. */
export function findAddress(text: string): string | null {
  const match = ADDRESS.exec(text.slice(0, 2000))
  return match === null ? null : (match[1] ?? match[2] ?? null)
}
