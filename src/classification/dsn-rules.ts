import { anyPhrase } from '../lib/text/phrases.ts'
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
    text: anyPhrase(
      /retry timeout exceeded/i,
      /retry time not reached/i,
      /failing for a long time/i,
      /message has been in the queue too long/i,
      /(could not|cannot|unable to|not) (be )?(delivered?|send|sent) (message )?(for|within|after|in) (\d+|several|multiple|many)\b/i,
      /after multiple retries/i,
      /too many (delivery )?(attempts|retries|failures)/i,
      /(delivery|message|time|queue|retry|retries)\b.{0,30}\b(expired|exceeded|timed out)/i,
      /failed \d+ attempts/i,
      /giving up(?! on\b)/i,
      /(?<!permanent (?:failure|error)\W{1,4})no further (delivery )?attempts/i,
      /maximum (number of )?(retries|attempts|delivery time)/i,
      /delivery time-?out/i,
    ),
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
    text: anyPhrase(
      /\bhost ?(name )?(is )?unknown/i,
      /unknown (mail )?(host|domain)/i,
      /host or domain name not found/i,
      /couldn'?t find any host/i,
      /no such (host|domain)/i,
      /(host|domain)( name)?( \S{1,100})? (was |is |could )?not (be )?found/i,
      /unrouteable mail domain/i,
      /domain (name )?(does ?n[o']t|do not) exist/i,
      /\bnxdomain\b/i,
      /illegal host\/domain/i,
      /host\/domain name/i,
      /invalid (mail )?(domain|host)( ?name)?/i,
      /non-?existent (domain|host)/i,
      /no (mx|a|dns|mx or a|a or mx|mx or address) (record|entr(y|ie))s? (were |was |are |is |could be )?(for|found|exist)/i,
      /no (mx|mail exchangers?) found/i,
      /neither (an? )?(mx|mail exchangers?) nor (an? )?(a|address|host)\b/i,
      /mx records? point to non-?existent/i,
      /no such host/i,
      /domaine? (inconnu|introuvable|unbekannt)/i,
      /name server: .{1,100}: host not found/i,
      /dns (domain|lookup).{0,60}(does not exist|not found|no such)/i,
      /bad destination (system|host)/i,
      /no mail ?servers? (appears?|seems?|exists?|(was |were )?found)/i,
      /(domain|host)( name)?( \S{1,100})? could not be resolved/i,
    ),
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
    text: anyPhrase(
      /recipient name is not recognized/i,
      /unknown recipient/i,
      /recipient (is )?(unknown|not known)/i,
      /(couldn.t|could not|can.t|cannot) be found/i,
      /was ?n.t found (at|in)/i,
      /address not found/i,
      /not found in the recipient.s e-?mail system/i,
      /no user by that name/i,
      /invalid (final delivery )?user(id)?( specified)?/i,
      /invalid (number|mobile|phone)/i,
      /user ?name (is )?(unknown|invalid)/i,
      /suppressed sending to this address/i,
      /bouncing as an invalid address/i,
      /no valid recipients? for this/i,
      /ディレクトリ.{0,20}(見つかりません|リストにありません)/i,
      /(宛先|あて先|受信者|受取人|ユーザー?|メールアドレス)\S{0,20}(不明|存在し|見つかりません)/i,
      /(宛先|あて先|受信者|受取人|ユーザー?|ディレクトリ).{0,40}登録されて(い|お)(ません|りません|ない)/i,
      /unknown recipient/i,
      /recipient not found/i,
      /not listed in (the )?(public|domino|name)/i,
      /no mailbox here by that name/i,
      /address no longer accepts mail/i,
      /unrouteable address/i,
      /user (name )?not (listed|found)/i,
      /illegal\/unknown alias/i,
      /no such (user|mailbox|recipient|account|address)/i,
      /(user|mailbox|account) (does ?n[o']t|not) exist/i,
      /e-?mail address (you entered )?(could ?n[o']t|was ?n[o']t|wasn.t) (be )?found/i,
      /(group|list|mailing list) .{0,60}(does not|doesn.t) exist/i,
    ),
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
