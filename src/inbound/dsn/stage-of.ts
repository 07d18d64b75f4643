import type { Stage } from '../../classification/stages.ts'

const STAGE_OF_COMMAND: Readonly<Record<string, Stage>> = {
  CONN: 'greeting',
  INITIAL: 'greeting',
  HELO: 'ehlo',
  EHLO: 'ehlo',
  LHLO: 'ehlo',
  STARTTLS: 'starttls',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'dot',
  END: 'dot',
  BODY: 'dot',
  DOT: 'dot',
}

/** Phrases of mail servers for the command that was answered: Postfix, Exim, DragonFly, Yahoo, Courier and Sendmail. */
const PHRASES: readonly RegExp[] = [
  /in reply to (?:the )?(end) of (?:the )?data/i,
  /in reply to (?:the )?(HELO|EHLO|LHLO|MAIL|RCPT|DATA|AUTH|STARTTLS)\b/i,
  /\bafter (end) of data/i,
  /\bafter (?:pipelined )?(?:sending )?(HELO|EHLO|LHLO|MAIL|RCPT|DATA|AUTH|STARTTLS)\b/,
  /\bafter (initial) connection/i,
  /did not like our (HELO|EHLO|MAIL|RCPT|DATA)\b/i,
  /\[(HELO|EHLO|MAIL|RCPT|DATA|BODY|CONN|AUTH)(?:_\w+)?\]/,
  /(?:response|reply|answer)\w* (?:to|from|for) (?:the )?"?(MAIL|RCPT|DATA|EHLO|HELO)\b/,
  /\b(RCPT TO|MAIL FROM|DATA)(?: command)? (?:generated|returned|produced|got|gave|received|caused|was (?:refused|rejected)|failed|rejected)/,
  /\b(?:during|on|at|in) (?:the )?"?(RCPT TO|MAIL FROM|DATA)\b/,
  /\bfor (RCPT TO|MAIL FROM|DATA) response/i,
  /\bfollowing (RCPT|MAIL|DATA|EHLO|HELO) command/i,
  /\bCommand:?\s+"?(MAIL|RCPT|DATA|HELO|EHLO)\b/i,
  // Chinese providers and m-FILTER.
  /\bSMTP error,? (MAIL|RCPT|DATA|DOT)\b/i,
  /-SMTP command (MAIL|RCPT|DATA)\b/i,
  /\bsent:?\s*(?:>{2,3}\s*)?(MAIL FROM|RCPT TO|MAIL|RCPT|DATA|HELO|EHLO)\b(?=:|\s*<|\s*$| command)/i,
]
const COMMAND_LINE =
  /^(?:[^\n>]{0,40}: )?[ \t]*(?:>>>+|-->|<<-|->|=>|C:|Out:|Sent:|Client:)[ \t]*(HELO|EHLO|LHLO|MAIL|RCPT|DATA|AUTH|STARTTLS)\b/i
const REPLY_LINE = /^(?:[^\n<]{0,40}: )?[ \t]*(?:<<<+|<--|->>|<-|<=|S:|In:|Received:|Server:)[ \t]*[45]\d\d/

/** Sentences of qmail (qmail-remote.c), and the numbered states of Gmail. */
const SENTENCES: readonly (readonly [RegExp, Stage])[] = [
  [/does not like recipient/i, 'rcpt'],
  [/failed after I sent the message/i, 'dot'],
  [/failed on DATA command/i, 'dot'],
  [/connected to [^\n]{1,100} but (?:sender|my name) was rejected/i, 'mail'],
  [/connected to [^\n]{1,100} but greeting failed/i, 'greeting'],
  [/\(state 14\)/, 'rcpt'],
  [/\(state 1[78]\)/, 'dot'],
]

/** Returns the command that the server rejected according to a DSN's text, or null if the text does not state it. */
export function stageOf(text: string): Stage | null {
  const transcript = stageOfTranscript(text)
  if (transcript !== null) return transcript
  const line = text.replace(/\s+/g, ' ')
  for (const pattern of PHRASES) {
    const word = pattern.exec(line)?.[1]?.toUpperCase().slice(0, 8)
    if (word !== undefined) return STAGE_OF_COMMAND[word.split(' ')[0] ?? ''] ?? null
  }
  return SENTENCES.find(([pattern]) => pattern.test(line))?.[1] ?? null
}

/** Returns the command above the first rejection. */
function stageOfTranscript(text: string): Stage | null {
  let command: string | null = null
  for (const line of text.split('\n')) {
    const verb = COMMAND_LINE.exec(line)?.[1]
    if (verb !== undefined) command = verb.toUpperCase()
    else if (command !== null && REPLY_LINE.test(line)) return STAGE_OF_COMMAND[command] ?? null
  }
  return command === null ? null : (STAGE_OF_COMMAND[command] ?? null)
}

const RCPT_LINE =
  /^(?:[^\n>]{0,40}: )?[ \t]*(?:>>>+|-->|<<-|->|=>|C:|Out:|Sent:|Client:)[ \t]*RCPT TO:[ \t]*<([^<>\s]{1,320})>/i

/**
 * Returns the recipients, in lower case, whose RCPT was rejected in a transcript. Each of several recipients has a
 * separate command.
 */
export function refusedAtRcpt(text: string): ReadonlySet<string> {
  const refused = new Set<string>()
  let pending: string | null = null
  for (const line of text.split('\n')) {
    if (pending !== null && REPLY_LINE.test(line)) refused.add(pending)
    pending = RCPT_LINE.exec(line)?.[1]?.toLowerCase() ?? null
  }
  return refused
}
