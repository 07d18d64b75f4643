/** A reply code at the start of a server's reply, not a number in running text. */
const REPLY =
  /(?:^|[\s"'(<[:;,=>])(?:#\s?)?([45][0-57]\d)(?:[ \t]*[-:,][ \t]*|[ \t]+|(?=[\s#<"(]))(?=#?[45]\.\d{1,2}\.\d|[("'<#[:*]*[A-Za-z\u0080-\uffff<]|[\s,]*$)/gm
const ENHANCED_NEXT = /^[\s\-:]*[#(]?[245]\.\d{1,2}\.\d{1,3}/
/** The end of a reply in a DSN's text: a gap, a command, a line of another kind, the next recipient, a header. */
const END =
  /\n[ \t]*(?:\n|>>>|\[[A-Z_]+\][ \t]*(?:\n|$)|-{3,}|={3,}|\*{3,})|\n(?:Subject|From|To|Cc|Date|Message-Id|Received|Reporting-MTA|X-[\w-]+)[ \t]?:|\n[ \t]*<?[^\s<>]+@[^\s<>]+>?:?[ \t]*(?:\n|$)/i
/** Sendmail's conclusion after any reply. */
const SAYS_NOTHING = /^\s*(?:5\.\d\.\d )?(?:<[^<>]*>\.\.\. |"[^"]*"\.\.\. )?service unavailable\s*(?:\n|$)/i
/** The weight of a line after `<<<`, whose reply ends where such lines end. */
const SERVERS_OWN = 4
/** A wrapped line continues with words. Lines that Sendmail adds begin with a code, a bracket or dots. */
const END_OF_SERVERS =
  /\n(?![ \t]*<<<)(?![ \t]{0,8}[\p{L}\p{N}'"(][^\n:@]*(?:\n|$))|\n(?=[ \t]*(?:\d{3}[ -]|QUIT|RSET|DATA\b))/u
const REPLY_CHARS_MAX = 1500
const CANDIDATE_COUNT_MAX = 20

/** Returns the reply that a text quotes, from its code to the end of its paragraph, or null. */
export function findQuotedReply(text: string): string | null {
  let best: { at: number; weight: number } | null = null
  let count = 0
  for (const match of text.matchAll(REPLY)) {
    if (++count > CANDIDATE_COUNT_MAX) break
    const at = match.index + match[0].indexOf(match[1] as string)
    const weight = weightOf(text, at)
    if (best === null || weight > best.weight) best = { at, weight }
  }
  if (best === null || best.weight < 0) return null
  const reply = text.slice(best.at, best.at + REPLY_CHARS_MAX)
  const end = (best.weight >= SERVERS_OWN ? END_OF_SERVERS : END).exec(reply)?.index ?? reply.length
  return joinReplyLines(reply.slice(0, end))
}

/**
 * Weighs a reply: a line after `<<<` in a transcript is the server's, an enhanced code is more specific, and 5xx is
 * final.
 */
function weightOf(text: string, at: number): number {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  const isServer = /<<<[ \t]*$/.test(line)
  const hasEnhanced = ENHANCED_NEXT.test(text.slice(at + 3, at + 20))
  const isEmpty = SAYS_NOTHING.test(text.slice(at + 3, at + 400))
  return (isServer ? SERVERS_OWN : 0) + (hasEnhanced ? 2 : 0) + (text[at] === '5' ? 1 : 0) - (isEmpty ? 8 : 0)
}

/** Joins the lines of a reply to one sentence: `550-5.1.1 One\n550 5.1.1 two`. */
function joinReplyLines(text: string): string {
  const code = text.slice(0, 3)
  return text
    .split('\n')
    .map((line, number) => {
      const bare = line.replace(/^[ \t]*(?:<<<[ \t]*)?/, '')
      if (number === 0 || !bare.startsWith(code)) return bare
      return bare.slice(3).replace(/^[ -]+(?:[45]\.\d{1,2}\.\d{1,3}[ \t]+)?/, '')
    })
    .join(' ')
    .replace(/^(\d{3})-/, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
}
