import { NO_DOMAIN } from './families/no-domain.ts'
import type { ReplyRule } from './reply-rule.ts'

/**
 * Rules that precede the table of replies: for servers that gave up after days, whose last reply says nothing about the
 * address, and for hosts that accept no mail (RFC 7504).
 */
export const OUTRANKING_RULES: readonly ReplyRule[] = [
  // No words, in any language, distinguish a nonexistent group from one that rejects outside senders.
  {
    category: 'policy_refused',
    text: /may not exist,? or you may not have permission|google\.com\/\S{0,80}topic=25838|groups\.google\.com/i,
  },
  // A sending service suppressed the message by its own list: this is not a new reply of the mailbox.
  {
    category: 'policy_refused',
    text: /\b(?:on|in) (?:the|your|our|its|an?|this)(?: \w+){0,2} suppression list|on account suppression list|suppression list (?:for|of) your account/i,
  },
  // Filters of mailboxes that answer in the words of RFC 5321.
  { category: 'policy_refused', text: /rule imposed|user agent/i },
  // A program of the mailbox's owner or host failed; its output does not concern the address.
  {
    category: 'system_trouble',
    text: /procmail|couldn'?t create|can'?t (create|open) (output|file|mailbox)|command (died|failed|not found|returned)|mailer (error|failure)|(mail|message) filter failed|unable to (execute|run)|return code|exit (code|status)|local delivery failed/i,
  },
  { category: 'expired', enhanced: /^4\.7$/ },
  { category: 'no_mail_host', code: /^(521|556)$/, text: /not accept/i },
  {
    category: 'no_mail_host',
    text: /\b(host|domain|server) does not accept (any )?(e-?)?mail(?! (for|from))/i,
  },
  {
    category: 'expired',
    text: /retry timeout exceeded|retry time not reached|failing for a long time|message has been in the queue too long|(could not|cannot|unable to|not) (be )?(delivered?|send|sent) (message )?(for|within|after|in) (\d+|several|multiple|many)\b|after multiple retries|too many (delivery )?(attempts|retries|failures)|(delivery|message|time|queue|retry|retries)\b.{0,30}\b(expired|exceeded|timed out)|failed \d+ attempts|giving up(?! on\b)|(?<!permanent (?:failure|error)\W{1,4})no further (delivery )?attempts|maximum (number of )?(retries|attempts|delivery time)|delivery time-?out/i,
  },
]

/**
 * The mail servers' own words in DSNs, without another server's reply: applied before the table of replies, in the same
 * form; first match wins.
 */
export const NOTICE_RULES: readonly ReplyRule[] = [
  // The recipient's domain, in the words of name servers.
  {
    category: 'null_mx',
    text: /null ?mx|indicated no smtp service|does not accept (any )?(e-?mail|mail)s? \(null ?mx|domain .{1,80}does not accept mail|nullmx/i,
  },
  { category: 'no_such_domain', code: /^5/, text: NO_DOMAIN },
  {
    category: 'dns_trouble',
    text: /host not found,? try again|(host|domain|name) (name )?lookup (failed|failure|error)(?!: .{0,40}(not exist|not found|no such|nxdomain))|malformed or unexpected name server|host lookup did not complete|temporary (dns|name server|lookup|failure in \w+ lookup)|could not contact dns|bad dns lookup|name (service|server) (error|failure|timeout).{0,80}try again|dns server (failure|returned)|lookup (timed out|failure(?!: .{0,40}(not exist|not found|no such|nxdomain)))|servfail/i,
  },
  {
    category: 'no_such_domain',
    text: /\bhost ?(name )?(is )?unknown|unknown (mail )?(host|domain)|host or domain name not found|couldn'?t find any host|no such (host|domain)|(host|domain)( name)?( \S{1,100})? (was |is |could )?not (be )?found|unrouteable mail domain|domain (name )?(does ?n[o']t|do not) exist|\bnxdomain\b|illegal host\/domain|host\/domain name|invalid (mail )?(domain|host)( ?name)?|non-?existent (domain|host)|no (mx|a|dns|mx or a|a or mx|mx or address) (record|entr(y|ie))s? (were |was |are |is |could be )?(for|found|exist)|no (mx|mail exchangers?) found|neither (an? )?(mx|mail exchangers?) nor (an? )?(a|address|host)\b|mx records? point to non-?existent|no such host|doma(in|ne) (inconnu|introuvable|unbekannt)|name server: .{1,100}: host not found|dns (domain|lookup).{0,60}(does not exist|not found|no such)|bad destination (system|host)|no mail ?servers? (appears?|seems?|exists?|(was |were )?found)|(domain|host)( name)?( \S{1,100})? could not be resolved/i,
  },
  { category: 'no_mail_host', enhanced: /^4\.4$/ },

  // Connections.
  {
    category: 'timeout',
    text: /connection timed out|timed? ?out (while|waiting)|operation timed out|(read|session|conversation) (timeout|timed out)/i,
  },
  {
    category: 'unreachable',
    text: /connection refused|network error on|no valid route|all routes to|address family mismatch|no route to host|network (is )?unreachable|host (is )?(unreachable|not reachable|down)|could ?n[o']t (establish|connect|contact)|could not connect|wasn'?t able to establish|unable to (connect|contact|establish)|connect(ion)? (to .{1,100} )?failed|cannot connect|server (is )?(not responding|unreachable|unavailable)/i,
  },
  {
    category: 'connection_lost',
    text: /connection (was )?(reset|closed|lost|dropped|died|broken|aborted)|lost connection|unexpected(ly)? (close|disconnect|dropped)|connected to .{1,100} but connection died/i,
  },
  {
    category: 'tls_failed',
    text: /tls (handshake|connection|negotiation|is required)|ssl (handshake|error)|certificate (verif|has expired|not trusted)|starttls (failed|not offered)/i,
  },

  {
    category: 'system_trouble',
    text: /temporar\w+ (failure|error|problem)|lookup (is )?not available/i,
  },

  // The mailbox, in the words of the systems that hold it.
  {
    category: 'mailbox_full',
    text: /mailbox (exceeds|has exceeded) |number of messages in .{0,30}mailbox/i,
  },
  {
    category: 'no_such_address',
    text: /recipient name is not recognized|unknown recipient|recipient (is )?(unknown|not known)|(couldn.t|could not|can.t|cannot) be found|was ?n.t found (at|in)|address not found|not found in the recipient.s e-?mail system|no user by that name|invalid (final delivery )?user(id)?( specified)?|invalid (number|mobile|phone)|user ?name (is )?(unknown|invalid)|suppressed sending to this address|bouncing as an invalid address|no valid recipients? for this|ディレクトリ.{0,20}(見つかりません|リストにありません)|(宛先|あて先|受信者|受取人|ユーザー?|メールアドレス)\S{0,20}(不明|存在し|見つかりません)|(宛先|あて先|受信者|受取人|ユーザー?|ディレクトリ).{0,40}登録されて(い|お)(ません|りません|ない)|unknown recipient|recipient not found|not listed in (the )?(public|domino|name)|no mailbox here by that name|address no longer accepts mail|unrouteable address|user (name )?not (listed|found)|illegal\/unknown alias|no such (user|mailbox|recipient|account|address)|(user|mailbox|account) (does ?n[o']t|not) exist|e-?mail address (you entered )?(could ?n[o']t|was ?n[o']t|wasn.t) (be )?found|(group|list|mailing list) .{0,60}(does not|doesn.t) exist/i,
  },
]

/**
 * Fallback when words explain nothing: the registry of enhanced status codes (RFC 3463, IANA), by code without class.
 */
export const STATUS_RULES: readonly ReplyRule[] = [
  { category: 'malformed_address', enhanced: /^1\.3$/ },
  { category: 'address_disabled', enhanced: /^2\.1$/ },
  { category: 'too_large', enhanced: /^(2\.3|3\.4)$/ },
  { category: 'unreachable', enhanced: /^4\.1$/ },
  { category: 'connection_lost', enhanced: /^4\.2$/ },
  { category: 'dns_trouble', enhanced: /^4\.3$/ },
  { category: 'no_mail_host', enhanced: /^4\.4$/ },
  { category: 'rate_limited', enhanced: /^4\.5$/ },
  { category: 'routing_loop', enhanced: /^4\.6$/ },
  { category: 'expired', enhanced: /^4\.7$/ },
]
