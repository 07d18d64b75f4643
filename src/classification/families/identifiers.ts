import type { Words } from './near.ts'

/** `NO_SUCH_USER`, `recipient-not-found`, `UserUnknown`; not a part of an address, a host or a path. */
const IDENTIFIER =
  /(?<![\w.@/-])(?:[A-Za-z]+(?:_[A-Za-z]+){1,6}|[a-z]+(?:-[a-z]+){1,6}|[A-Z][a-z]+(?:[A-Z][a-z]+){1,6})(?![\w@/-]|\.\w)/g
/** The same without a capital: `userunknown`. */
const RUN_TOGETHER =
  /(?<![\w.@/-])(?:(?:user|recipient|mailbox|account|address)(?:unknown|notfound|notexist|invalid)|(?:unknown|nosuch|invalid)(?:user|recipient|mailbox|account|address))(?![\w@/-]|\.\w)/i
const URL = /\bhttps?:\S+/gi
/** An identifier of a reply to RCPT names the recipient or nothing. */
const DEAD =
  /^(?:(?:err(?:or)?|reject(?:ed)?|smtp|rcpt|fail(?:ed)?|reason|code) )*(?:(?:the )?(?:local |virtual |remote )?(?:user|recipient|rcpt|address|e-?mail address|mail ?box|account|alias|addressee|local part)(?: (?:name|id|address))? (?:is )?(?:unknown|invalid|(?:does )?not (?:exist|found|known|valid)|not exists?|does ?n.?t exist|missing|disabled|deactivated|deleted)|(?:unknown|no such|invalid|bad|non ?existent|disabled|deactivated|deleted) (?:local |virtual )?(?:user|recipient|rcpt|address|e-?mail address|mail ?box|account|alias|addressee|local part)(?: (?:name|id|address))?)(?: (?:error|here))?$/
const DISABLED = /disabled|deactivated/

/** Returns the identifiers of a text as words in lower case. */
function wordsOf(text: string): string[] {
  const found = text.replace(URL, ' ').match(IDENTIFIER) ?? []
  return found.map((one) =>
    one
      .replace(/[_-]/g, ' ')
      .replace(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase(),
  )
}

function matches(text: string, isDisabled: boolean): boolean {
  return wordsOf(text).some((words) => DEAD.test(words) && DISABLED.test(words) === isDisabled)
}

/** Matches the name of an error, written as one word, for a mailbox that does not exist. */
export const UNKNOWN_IDENTIFIER: Words = {
  test: (text) => RUN_TOGETHER.test(text.replace(URL, ' ')) || matches(text, false),
}

/** Matches the same for a disabled mailbox. */
export const DISABLED_IDENTIFIER: Words = { test: (text) => matches(text, true) }
