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

/** How mail servers say which command was answered: Postfix, Exim, DragonFly, Yahoo, Courier and Sendmail. */
const SAID: readonly RegExp[] = [
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
  // The Chinese providers, and m-FILTER.
  /\bSMTP error,? (MAIL|RCPT|DATA|DOT)\b/i,
  /-SMTP command (MAIL|RCPT|DATA)\b/i,
  /\bsent:?\s*(?:>{2,3}\s*)?(MAIL FROM|RCPT TO|MAIL|RCPT|DATA|HELO|EHLO)\b(?=:|\s*<|\s*$| command)/i,
]
const COMMAND_LINE =
  /^(?:[^\n>]{0,40}: )?[ \t]*(?:>>>+|-->|<<-|->|=>|C:|Out:|Sent:|Client:)[ \t]*(HELO|EHLO|LHLO|MAIL|RCPT|DATA|AUTH|STARTTLS)\b/i
const REPLY_LINE = /^(?:[^\n<]{0,40}: )?[ \t]*(?:<<<+|<--|->>|<-|<=|S:|In:|Received:|Server:)[ \t]*[45]\d\d/

/** qmail's own sentences (qmail-remote.c) and the states that Gmail counted. */
const SENTENCES: readonly (readonly [RegExp, Stage])[] = [
  [/does not like recipient/i, 'rcpt'],
  [/failed after I sent the message/i, 'dot'],
  [/failed on DATA command/i, 'dot'],
  [/connected to [^\n]{1,100} but (?:sender|my name) was rejected/i, 'mail'],
  [/connected to [^\n]{1,100} but greeting failed/i, 'greeting'],
  [/\(state 14\)/, 'rcpt'],
  [/\(state 1[78]\)/, 'dot'],
]

/** The command that the server refused, by the notice's words; null where they do not tell. */
export function stageOf(text: string): Stage | null {
  const transcript = stageOfTranscript(text)
  if (transcript !== null) return transcript
  const line = text.replace(/\s+/g, ' ')
  for (const pattern of SAID) {
    const word = pattern.exec(line)?.[1]?.toUpperCase().slice(0, 8)
    if (word !== undefined) return STAGE_OF_COMMAND[word.split(' ')[0] ?? ''] ?? null
  }
  return SENTENCES.find(([pattern]) => pattern.test(line))?.[1] ?? null
}

/** The command above the first refusal. */
function stageOfTranscript(text: string): Stage | null {
  let command: string | null = null
  for (const line of text.split('\n')) {
    const given = COMMAND_LINE.exec(line)?.[1]
    if (given !== undefined) command = given.toUpperCase()
    else if (command !== null && REPLY_LINE.test(line)) return STAGE_OF_COMMAND[command] ?? null
  }
  return command === null ? null : (STAGE_OF_COMMAND[command] ?? null)
}

const RCPT_LINE =
  /^(?:[^\n>]{0,40}: )?[ \t]*(?:>>>+|-->|<<-|->|=>|C:|Out:|Sent:|Client:)[ \t]*RCPT TO:[ \t]*<([^<>\s]{1,320})>/i

/** Those whose RCPT a transcript shows refused, in lower case: of several recipients each has a command of its own. */
export function refusedAtRcpt(text: string): ReadonlySet<string> {
  const refused = new Set<string>()
  let asked: string | null = null
  for (const line of text.split('\n')) {
    if (asked !== null && REPLY_LINE.test(line)) refused.add(asked)
    asked = RCPT_LINE.exec(line)?.[1]?.toLowerCase() ?? null
  }
  return refused
}
