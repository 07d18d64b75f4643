import type { Words } from './near.ts'

/** `NO_SUCH_USER`, `recipient-not-found`, `UserUnknown`; not a part of an address, a host or a path. */
const IDENTIFIER =
  /(?<![\w.@/-])(?:[A-Za-z]+(?:_[A-Za-z]+){1,6}|[a-z]+(?:-[a-z]+){1,6}|[A-Z][a-z]+(?:[A-Z][a-z]+){1,6})(?![\w@/-]|\.\w)/g
/** The same without a capital: `userunknown`. */
const RUN_TOGETHER =
  /(?<![\w.@/-])(?:(?:user|recipient|mailbox|account|address)(?:unknown|notfound|notexist|invalid)|(?:unknown|nosuch|invalid)(?:user|recipient|mailbox|account|address))(?![\w@/-]|\.\w)/gi
const URL = /\bhttps?:\S+/gi
/** An identifier of a reply to RCPT names the recipient or nothing. */
const DEAD =
  /^(?:(?:err(?:or)?|reject(?:ed)?|smtp|rcpt|fail(?:ed)?|reason|code) )*(?:(?:the )?(?:local |virtual |remote )?(?:user|recipient|rcpt|address|e-?mail address|mail ?box|account|alias|addressee|local part)(?: (?:name|id|address))? (?:is )?(?:unknown|invalid|(?:does )?not (?:exist|found|known|valid)|not exists?|does ?n.?t exist|missing|disabled|deactivated|deleted)|(?:unknown|no such|invalid|bad|non ?existent|disabled|deactivated|deleted) (?:local |virtual )?(?:user|recipient|rcpt|address|e-?mail address|mail ?box|account|alias|addressee|local part)(?: (?:name|id|address))?)(?: (?:error|here))?$/
const DISABLED = /disabled|deactivated/
/** Words beside an identifier that make it the sender's, or the name of a policy. */
const OF_OTHERS = /polic|sender|originator|reverse|return.?path|\bfrom\b|helo|ehlo/i
const BESIDE_CHARS = 50

/** Returns what an expression finds in a text outside of URLs, without places that have words for another party beside them. */
function findOfRecipient(text: string, names: RegExp): string[] {
  const words = text.replace(URL, ' ')
  return Array.from(words.matchAll(names))
    .filter(({ index, 0: { length } }) => {
      const before = words.slice(Math.max(0, index - BESIDE_CHARS), index)
      const after = words.slice(index + length, index + length + BESIDE_CHARS)
      return !OF_OTHERS.test(`${before} ${after}`)
    })
    .map(([identifier]) => identifier)
}

function matches(text: string, isDisabled: boolean): boolean {
  return findOfRecipient(text, IDENTIFIER).some((one) => {
    const words = one
      .replace(/[_-]/g, ' ')
      .replace(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
    return DEAD.test(words) && DISABLED.test(words) === isDisabled
  })
}

/** Matches the name of an error, written as one word, for a mailbox that does not exist. */
export const UNKNOWN_IDENTIFIER: Words = {
  test: (text) => findOfRecipient(text, RUN_TOGETHER).length > 0 || matches(text, false),
}

/** Matches the same for a disabled mailbox. */
export const DISABLED_IDENTIFIER: Words = { test: (text) => matches(text, true) }
