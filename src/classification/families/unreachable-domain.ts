/** The recipient's domain; not the sender's. */
const NAMED = '(?:(?:recipient|destination|target|remote|e-?mail|mail)(?:.?s)? )?domain(?:[- ]?name)?'
const OF_SENDER = '(?<!\\b(?:sender|sender.s|your|our|from|helo|ehlo|client|sending|originating)\\b.{0,20})'
const UNREACHABLE =
  '(?:(?:is|was|are) )?(?:un-?reachable|un-?resolvable|not (?:reachable|resolvable|contactable))|(?:can ?not|can.t|could not|could ?n.t) be (?:reached|contacted|resolved|routed)'
/** The way to a domain that exists: it may work tomorrow. */
const TEMPORARY =
  /connect|network|time.?out|timed|temporar|later|\bat th(?:is|e) (?:time|moment)|currently|busy|firewall|route to host|tls|certificate|\bretry|queue|sender|\b4\.\d\.\d/i

const DOMAIN = new RegExp(
  `${OF_SENDER}\\b${NAMED}(?: of \\S{1,100}(?: recipient)?| [("'<\\[]{0,2}(?:[\\w-]{1,63}\\.){1,8}[\\w-]{2,63}[)"'>\\]]{0,2})? (?:${UNREACHABLE})\\b`,
  'i',
)

/**
 * Matches a final refusal because the recipient's domain cannot be reached, in the words of gateways. A server or a
 * host that cannot be reached is a fault of the network, and so is a domain with words of a connection beside it.
 */
export const UNREACHABLE_DOMAIN = {
  test: (text: string) => DOMAIN.test(text) && !TEMPORARY.test(text),
}
