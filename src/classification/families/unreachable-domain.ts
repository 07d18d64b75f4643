import { notOfSender } from './of-sender.ts'

/** The recipient's domain; not the sender's. */
const NAMED = '(?:(?:recipient|destination|target|remote|e-?mail|mail)(?:.?s)? )?domain(?:[- ]?name)?'
const OF_OTHERS = `${notOfSender(20)}(?<!\\bour\\b.{0,20})`
const UNREACHABLE =
  '(?:(?:is|was|are) )?(?:un-?reachable|un-?resolvable|not (?:reachable|resolvable|contactable))|(?:can ?not|can.t|could not|could ?n.t) be (?:reached|contacted|resolved|routed)'
/** The way to a domain that exists, which may work tomorrow; a policy; the sender, whose domain may be meant. */
const OTHER_CAUSE =
  /connect|network|time.?out|timed|temporar|later|\bat th(?:is|e) (?:time|moment)|currently|busy|firewall|route to host|tls|certificate|\bretry|queue|sender|relay|authenticat|\byour (?!messages?\b|e-?mails?\b|mails?\b|recipients?\b)|\b4\.\d\.\d/i

const DOMAIN = new RegExp(
  `${OF_OTHERS}\\b${NAMED}(?: of \\S{1,100}(?: recipient)?| ["'<]{0,2}(?:[\\w-]{1,63}\\.){1,8}[\\w-]{2,63}["'>]{0,2})? (?:${UNREACHABLE})\\b`,
  'i',
)

/**
 * Matches a final refusal because the recipient's domain cannot be reached, in the words of gateways. A server or a
 * host that cannot be reached is a fault of the network, and so is a domain with words of a connection beside it.
 */
export const UNREACHABLE_DOMAIN = {
  test: (text: string) => DOMAIN.test(text) && !OTHER_CAUSE.test(text),
}
