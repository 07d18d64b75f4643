import { anyPhrase } from '../lib/text/phrases.ts'
import { BARE_ABSENT, BARE_MISSING, DEAD_WORDS } from './dead-words.ts'
import { DEAD_WORDS_ABROAD, NO_DOMAIN_ABROAD } from './dead-words-abroad.ts'
import { CHECK_ADDRESS } from './families/check-address.ts'
import { EXPIRED } from './families/expired.ts'
import { DISABLED_IDENTIFIER, UNKNOWN_IDENTIFIER } from './families/identifiers.ts'
import { MAILBOX_FULL } from './families/mailbox-full.ts'
import { NO_DOMAIN } from './families/no-domain.ts'
import { SUSPENDED } from './families/suspended.ts'
import { UNREACHABLE } from './families/unreachable.ts'
import { UNREACHABLE_DOMAIN } from './families/unreachable-domain.ts'
import type { ReplyRule } from './reply-rule.ts'
import { SENDER_RULES } from './sender-rules.ts'
import type { Stage } from './stages.ts'

const RECIPIENT: readonly Stage[] = ['rcpt', 'data', 'dot']
const CONTENT: readonly Stage[] = ['data', 'dot']

/** Verdicts that need no further examination. */
export const PLAIN_RULES: readonly ReplyRule[] = [
  // Code and words agree: the name of a host or a list beside them ("spamgate said") changes nothing.
  {
    category: 'no_such_address',
    code: /^5/,
    enhanced: /^1\.1$/,
    stages: RECIPIENT,
    text: /^(?!.{0,600}(\bsender|\bfrom\b|return[- ]?path|\bhelo\b|client host|preferences|procmail|couldn'?t create)).{0,300}\b((user|recipient|mailbox|account)( name| id)? (is )?(unknown|not found|does ?n[o']t exist)|(unknown|no such) (user|recipient|mailbox|account|person))\b/i,
  },
]

/**
 * The meaning of replies. First match wins. Enhanced codes are written without their class (`1.1` is 5.1.1 and 4.1.1).
 * For a new reply, add a row and a fixture, never an `if`. Rules about the sender and its reputation come before those
 * about the recipient: replies say "user unknown" about senders too, and the worst mistake is to suppress an address for
 * another party's fault.
 */
export const REPLY_RULES: readonly ReplyRule[] = [
  ...PLAIN_RULES,
  ...SENDER_RULES,

  // About the content.
  { category: 'malformed_address', enhanced: /^1\.3$/, stages: RECIPIENT, code: /^5/ },
  // RFC 5321 section 4.2.3: a syntax error in the argument of RCPT. Without a word about the address, it may mean a command that
  // is misspelt, a sender, or a policy.
  {
    category: 'malformed_address',
    enhanced: /^$/,
    stages: ['rcpt'],
    code: /^501$/,
    text: /^(?!.{0,600}\b(sender|from)\b).{0,300}\b(recipient|mailbox|address)\b/i,
  },
  {
    category: 'malformed_address',
    code: /^5/,
    stages: ['rcpt'],
    text: /^(?!.{0,600}\b(?:sender|from)\b).{0,300}\b(?:(?:bad|invalid|illegal|incorrect|wrong) (?:recipient |mailbox |e-?mail )?address (?:syntax|format)|syntax error in (?:the )?(?:recipient |mailbox |e-?mail )?address)\b/i,
  },
  {
    category: 'virus',
    text: /virus|malware|trojan|infected|dangerous attachment|potential security issue|blocked because its content presents|(attachment|file) ?(type|name|extension)s? (is |are )?(not allowed|blocked|forbidden|invalid|bad|unknown|illegal)|attachment .{0,80}(not allowed|blocked|forbidden|prohibited)|banned (file|attachment)/i,
  },
  {
    category: 'malformed_message',
    text: /(?<![/-])\brfc ?-?(5321|5322|2822|2821|822)(?! ?;)|not rfc|multiple (addresses in from|subject|from)|\bin the (to|cc|from|subject|date|sender|reply-to):? (header|field|line)|header error|missing (header|message-id|date|from)|invalid (header|message-id)|\b(duplicated?|repeated) (headers?|header fields?|fields?)\b|malformed|bare (cr|lf|line|newline)|line (is )?too long/i,
  },
  { category: 'too_large', enhanced: /^(2\.3|3\.4)$/ },
  {
    category: 'too_large',
    text: /(message|mail|content|size|length|data).{0,40}(too (large|big|long)|exceeds?.{0,40}(size|limit|maximum)|over.{0,20}size limit)|(too (large|big)).{0,20}(message|mail)|size limit (exceeded|reached)|maximum (message|fixed) size/i,
  },
  {
    category: 'spam',
    text: /\bspam|\buce\b|\bube\b|unsolicited|bulk (e?mail|message)|junk mail|phish|suspicious|high probability|spamassassin|looks like|rspamd|message scored|likely (un|sus)|content filter|\bgtube\b|\b(MI|DT|HL|IP|AU):[A-Z]{2,5}\b|\burl.{0,20}(listed|block)|surbl|uribl/i,
  },
  { category: 'content_refused', enhanced: /^6\.\d+$/ },
  {
    category: 'content_refused',
    text: anyPhrase(
      /\b(links?|urls?|web ?sites?|domain|host)\b.{0,30}\bin (your|the|this) (message|mail|e-?mail|body|content|text)\b/i,
      /\b(header|field) ["']?(to|cc|from|subject|date|sender|reply-to)\b/i,
      /in (its|the|your) (message )?(body|header|content)\b/i,
      /(content|message) (is )?(rejected|refused|blocked|denied).{0,30}(content|policy)/i,
      /because of (its )?content/i,
      /content (rejected|refused|denied|blocked|not accepted)/i,
      /(domain|host|address) in (the |an? )?(url|link)\b/i,
      /(contains?|has|with) (an? |the )?(links?|urls?|address(es)?) /i,
      /content presents/i,
      /\b(blocked|forbidden|illegal|prohibited) content\b/i,
    ),
  },

  // About the mailbox.
  // Replies that follow when the server has rejected every RCPT.
  { category: 'protocol_refused', enhanced: /^5\.[01]$/, text: /no valid (recipients|rcpt)|need rcpt/i },
  { category: 'mailbox_full', enhanced: /^2\.2$/ },
  {
    category: 'mailbox_full',
    text: anyPhrase(
      /(mailbox|mail box|inbox|account|user|recipient|quota|mailfolder|maildir).{0,60}\b(full|over ?quota|over its quota|exceed\w*|out of (storage|disk|quota))/i,
      /quota ?exceed/i,
      /over ?quota/i,
      /out of storage/i,
      /insufficient (disk|storage) space.{0,20}(user|mailbox)/i,
      /not enough (storage|space).{0,30}(mailbox|user)/i,
      /disk quota/i,
      /no (more )?(room|space) (left|available|for)/i,
      /quota (is |was |has been )?(used|reached|exhausted|full)/i,
      /(full|overfull) (mailbox|inbox)/i,
      /exceeded (storage|their|his|its|the) (allocation|quota|storage)/i,
      /storage quota/i,
    ),
  },
  { category: 'mailbox_full', text: MAILBOX_FULL },
  { category: 'address_moved', enhanced: /^1\.6$/, stages: RECIPIENT },
  {
    category: 'address_moved',
    code: /^551$/,
    stages: RECIPIENT,
    text: /not (our|local|a local)|moved|forward|try </i,
  },
  {
    category: 'address_moved',
    stages: RECIPIENT,
    text: /(address|mail ?box|recipient|user) (has |was |is )?(been )?(changed|replaced|moved|forwarded|relocated) (to|by)\b|no longer (on|at|with|employed|valid|available|active|in use)|does (not|n.t) work (here|for us|at \S{1,60}) any ?(more|longer)|\b(former|ex-?) ?(employee|colleague|member of staff)\b|(has moved|(has |have )?left (the|this|our) (company|organi[sz]ation|firm|institut\w+|university|school|employ\w*|building|business))|user (has )?moved/i,
  },
  {
    category: 'recipient_declines',
    text: /refused due to recipient preferences|recipient (has )?(blocked|rejects|does not want)|does not accept (mail|messages) from (you|this sender)|only accepts? (mail|messages) from|not on (the )?(recipient's )?(white|allow)list|\b(not found|not|unknown) (in|on|to) (the |our |an? |my )?(allow|white|accept|safe)[- ]?list/i,
  },
  // A temporary condition of the address, despite the 5xx.
  {
    category: 'system_trouble',
    code: /^5/,
    stages: RECIPIENT,
    text: /\btemporar(y|ily)\b(?! (table|map|alias|address))/i,
  },
  // Suspended is not dead: it comes back when a bill is paid or a password changed. 7.13 is of that kind (RFC 5248).
  { category: 'address_suspended', enhanced: /^7\.13$/, stages: RECIPIENT },
  { category: 'address_disabled', enhanced: /^2\.1$/, stages: RECIPIENT },
  {
    category: 'address_suspended',
    stages: RECIPIENT,
    text: /(account|mailbox|user|recipient|address|inbox)\b.{0,60}\b(suspended|frozen|locked|temporarily (inactive|disabled|limited)|unpaid|on hold)|suspended (account|mailbox|user|recipient)/i,
  },
  {
    category: 'address_disabled',
    stages: RECIPIENT,
    text: anyPhrase(
      /(?<!\b(?:relay\w*|forward\w*|auth\w*|login|access|sending|submission|reports?|mail from|mails?) (?:(?:for|to|from|of|by) )?(?:the |this |your )?)(account|mailbox|user|recipient|address|inbox)\b(?!.{0,80}(no longer exists|\b(deleted|removed)\b)|[- ](access|login|forwarding) )(?:[^.;]|[.;](?=\S)){0,60}\b(disabled|deactivated|inactive|not active|(?<!\b(?:window|message|session|connection|queue|period)\b.{0,25})closed|terminated|expired|discontinued)/i,
      /disabled (recipient|account|mailbox|user)/i,
      /inactive (user|account|recipient|e?-?mail|address)/i,
    ),
  },
  // Unknown or deactivated: no mail reaches it either way. Without the first word, "deactivated" may mean suspended.
  {
    category: 'address_disabled',
    stages: RECIPIENT,
    text: /\b(?:unbekannt|inconnue?|sconosciut[oa]|desconocid[oa]|desconhecid[oa]|unknown|onbekend|nieznan[ya])\b.{0,30}\b(?:oder|ou|or|of|o|lub)\b.{0,30}(?:deaktiviert|d[ée]sactiv[ée]e?|disat+ivat[oa]|desactivad[oa]|desativad[oa]|deactivated|disabled|gedeactiveerd|uitgeschakeld|nieaktywn\w*)/i,
  },
  {
    category: 'address_disabled',
    code: /^5/,
    stages: RECIPIENT,
    text: /^\W*(?:5\d\d[ -]+)?(?:#?5\.\d\.\d{1,3} +)?<(?:[^<>\s@.:]{1,64}|[^<>\s@]{1,64}@[^<>\s]{1,255})> is (?:now |currently |permanently )?(?:disabled|deactivated)\b(?! (?:until|because|due|for|as|to|from|in|temporarily))/i,
  },
  { category: 'address_suspended', stages: RECIPIENT, text: SUSPENDED },
  { category: 'no_such_domain', code: /^5/, stages: RECIPIENT, text: NO_DOMAIN },
  { category: 'no_mail_host', code: /^5/, stages: RECIPIENT, text: UNREACHABLE_DOMAIN },
  // The lookup itself failed, so the reply says nothing about the recipient.
  {
    category: 'system_trouble',
    code: /^5/,
    text: /(database|ldap|sql|lookup|directory) (server )?(error|failure|failed|is |was )?(not available|unavailable|error|failure|failed)|temporar\w+ (failure|error|problem|not available|unavailable|inaccessible|out of service|down)|\b(map|table|backend|database|mailer|transport|configuration) (\S+ )?(is )?(not found|unknown|missing|undefined)|(user|recipient|address( book)?) lookup (is )?(failed|failure|error|not|un)/i,
  },
  { category: 'null_mx', enhanced: /^1\.10$/, stages: RECIPIENT, text: /null ?mx/i },
  { category: 'no_such_address', enhanced: /^1\.(1|10|351)$/, stages: RECIPIENT },
  // The sender's resolver distrusts the answer (RFC 4035 section 5): a domain that exists. Not the name of a host or a mailbox.
  { category: 'system_trouble', text: /(?<![\w.@+-])dnssec(?![\w+-]*@|[\w-]*\.\w)/i },
  { category: 'no_such_domain', enhanced: /^1\.2$/, stages: RECIPIENT },
  { category: 'no_such_domain', code: /^5/, stages: RECIPIENT, text: NO_DOMAIN_ABROAD },
  {
    category: 'no_such_address',
    code: /^5/,
    stages: RECIPIENT,
    text: /(user|recipient|mailbox|address|account|addressee|destination|destinataire|utente|usuario|rcpt|alias|person|member|subscriber)\b.{0,70}?\b(unknown|not (found|exist|known|listed|here|available)|does ?n[o']t (exist|have)|do ?n[o']t exist|no such|undeliverable|inconnu\w*|unrout\w+|invalide?|inexist\w+|sconosciut\w*|desconocid\w*|unbekannt)/i,
  },
  {
    category: 'no_such_address',
    code: /^5/,
    stages: RECIPIENT,
    text: anyPhrase(
      /(unknown|no such|invalid|non-?exist\w+|nonexistent|bad|undefined|unbekannte\w*|inconnu) (local )?(user(?![ -]agent)|recipient|mailbox|address|account|e-?mail|rcpt|local|destination|person|empf\w+)(?! (headers?|format|(in|of) (the )?(from|reply-to|to|cc|headers?|attachments?))\b)/i,
      /no mailbox/i,
      /there is no (user|mailbox|account|one)/i,
      /(does ?n[o']t|not) have an? .{0,40}account/i,
      /not a (valid|known) (user|mailbox|address|recipient)/i,
      /user .{0,40}doesn'?t exist/i,
      /dest(inataire|inatario)? (invalide|inconnu)/i,
      /RecipNotFound/i,
      /RecipientNotFound/i,
      /address unknown/i,
      /unknown or illegal alias/i,
      /no longer exists/i,
      /unrouteable address/i,
      /not an? (valid |known )?local (user|mailbox|recipient|address|account)/i,
      /is not a (valid|known)\b(?! (mail |smtp )?(server|host|sender|client|relay|network|ip))/i,
    ),
  },
  {
    category: 'no_such_address',
    code: /^5/,
    stages: RECIPIENT,
    text: anyPhrase(
      /not present in (the )?directory/i,
      /no ?(one|body) (here )?(by|with|of|under) (that|this) name/i,
      /\bnot known (here|at|to us)/i,
      /has no (account|mailbox|mail ?box)/i,
      /(does|did) not live here/i,
      /(person|employee|user|recipient|@[\w.-]{1,255}) (is )?no longer (here|with|works)/i,
      /not (a |an )?(registered|recogni[sz]ed|known) one/i,
      /\brecipient (address )?(verif(y|ication)|validation) failed(?!.{0,100}(time.?out|timed out|unreach|connect|response|temporar|later|unavailable|error|server|lookup|dns))/i,
      /^\W*\d{3}[ -]+(\d\.\d\.\d +)?<?[\w.+-]{1,64}(@[\w.-]{1,255})?>?((\.{2,3}|:) *| +)(is )?unknown\W*$/i,
      /^\W*\d{3}[ -]+(\d\.\d\.\d +)?unknown:? <?[\w.+-]{1,64}@(?!\S{1,255} is not allowed)/i,
      /^\W*\d{3}[ -]+[\w.-]{1,64} is unknown/i,
      /not a deliverable/i,
      /ldap.{0,30}(not found|no such)/i,
      /(mailbox|user|recipient) (is )?not present/i,
      /(can'?t|cannot) accept user/i,
      /server rejected recipients/i,
      /no (account|mailbox|user|mail ?box) (by|with|of|for|available|under) (that|this)/i,
      /no mail ?box/i,
      /no existe (dicha|ese|esa|el|la|este)/i,
      /badr(cpt|ecipient)to/i,
      /missing home directory/i,
      /inconnue?\b/i,
      /unbekannt\w*/i,
      /onbekend/i,
      /sconosciut/i,
      /desconocid/i,
      /inexistent/i,
      /invalid or unknown/i,
      /(unable to|could ?n[o']t|cannot) (find|locate) (the )?(recipient|user|mailbox|address|account)/i,
      /(recipient|user|mailbox|account|address)\b.{0,40}(could|can) ?n[o']t be (found|located)/i,
      /is not known here/i,
      /not known at this/i,
      /unroutable address/i,
      /domain must exist/i,
      /name or service not known/i,
      /mailbox unavailable \(S\d+\)/i,
      /not our (customer|user)/i,
      /\b5\.1\.0 address rejected/i,
      /\b(?:user|recipient|mailbox) (?:is )?not local\W*$/i,
    ),
  },
  {
    category: 'no_such_address',
    code: /^550$/,
    host: /\.(hotmail|outlook|live)\.com$/,
    stages: ['rcpt'],
    text: /requested action not taken: mailbox unavailable/i,
  },
  ...[...DEAD_WORDS, ...DEAD_WORDS_ABROAD, UNKNOWN_IDENTIFIER].map(
    (text): ReplyRule => ({ category: 'no_such_address', code: /^5/, stages: RECIPIENT, text }),
  ),
  { category: 'address_disabled', code: /^5/, stages: RECIPIENT, text: DISABLED_IDENTIFIER },
  // A code of policy or routing speaks of something else that is missing.
  {
    category: 'no_such_address',
    code: /^5/,
    enhanced: /^($|0\.0|1\.\d|5\.0)$/,
    stages: ['rcpt'],
    isOfReply: true,
    text: BARE_MISSING,
  },
  // Gateways give each refusal the code 5.7.1: hard, without suppression.
  {
    category: 'mailbox_unavailable',
    code: /^55[04]$/,
    enhanced: /^7\.1$/,
    stages: ['rcpt'],
    isOfReply: true,
    text: BARE_ABSENT,
  },
  // The words imply a missing address but do not state it: hard, without suppression.
  {
    category: 'mailbox_unavailable',
    code: /^55[0134]$/,
    stages: ['rcpt'],
    text: CHECK_ADDRESS,
    isOfReply: true,
  },
  // RFC 5321 section 4.2.2: a syntax that this server does not allow.
  {
    category: 'malformed_address',
    code: /^553$/,
    enhanced: /^($|0\.0|3\.0)/,
    stages: ['rcpt'],
    text: /mailbox name (not allowed|invalid)/i,
  },
  // RFC 5321 section 4.2.2 lets it mean a mailbox that is not found, no access, or a policy.
  {
    category: 'mailbox_unavailable',
    code: /^550$/,
    enhanced: /^($|0\.0|1\.0|5\.0)/,
    stages: ['rcpt'],
    text: /\b(?:mail ?box|account) (is )?unavailable(?! (or (?!not local|no such|unknown)|and|due|because|for policy|temporar)|[^a-z]{1,3}(access|suspend|polic|temporar))/i,
  },
  // No reason, in reply to the address: most such addresses do not exist. A policy has its reason or its code.
  {
    category: 'mailbox_unavailable',
    code: /^55[03]$/,
    enhanced: /^($|0\.0|1\.\d|5\.0)$/,
    stages: ['rcpt'],
    isOfReply: true,
    text: /^\W*(?:55[03][ -]+)?(?:#?5\.\d\.\d +)?(?:<[^<>\s]{1,320}>[ :.]*|[^\s@]{1,64}@[^\s@]{1,255}[ :]+)?(?:sorry, )?(?:the )?(?:(?:recipient|rcpt|mailbox|user)(?: address)?|address) (?:is |was |has been )?(?:rejected|refused)(?: <[^<>\s]{1,320}>| [^\s@]{1,64}@[^\s@]{1,255})?\W*$/i,
  },
  // Exchange Online rejects an address that is not in the directory with this text before any filter runs ("Use Directory
  // Based Edge Blocking to reject messages sent to invalid recipients"). Its table of NDR codes has the same code for
  // `Relay Access Denied`, a domain with wrong MX records, and Postfix has the same words with 5.7.1 for a policy: only
  // both together mean a missing address.
  {
    category: 'no_such_address',
    code: /^550$/,
    enhanced: /^4\.1$/,
    text: /recipient address rejected: access denied/i,
    stages: RECIPIENT,
  },

  // About the domain, policy and systems.
  {
    category: 'relay_denied',
    text: /relay(ing)? (access )?(denied|not (permitted|allowed)|prohibited)|not permitted to relay|unable to relay|we do not relay|no relaying|not (a )?(local|gateway|relay)( domain)?\b(?! (user|mailbox|recipient|address|account))|rcpthosts|domain (is )?not (hosted|handled)|does not accept mail for|host does not accept mail/i,
  },
  { category: 'routing_loop', enhanced: /^4\.(6|14)$/ },
  { category: 'routing_loop', text: /too many hops|hop count|routing loop|mail loop|loop detected/i },
  {
    category: 'no_such_domain',
    code: /^5/,
    stages: RECIPIENT,
    text: /(recipient|destination|rcpt)\b.{0,40}domain.{0,40}(not (found|exist)|unknown|invalid|find)|unknown (recipient )?domain|host unknown|(find|locate|resolve) the (recipient|destination) domain|domain( [^\s()[\]]{1,100})? (does ?n[o']t|did not) exist|no such domain|invalid domain|neither (an? )?(mx|mail exchangers?) nor (an? )?(a|address|host)\b|^\W*\d{3}[ -]+(\d\.\d\.\d )?domain unknown|no (dns )?(mx|a|address)( or (mx|a))? (record|data|entr)/i,
  },
  // Routing failures that do not concern the address.
  { category: 'expired', text: EXPIRED },
  { category: 'unreachable', text: UNREACHABLE },
  { category: 'too_large', code: /^552$/, enhanced: /^3\.\d+$/, stages: CONTENT },
  { category: 'mailbox_full', code: /^552$/, enhanced: /^2\.\d+$/, stages: RECIPIENT },
  { category: 'policy_refused', code: /^55[04]$/, enhanced: /^7\.\d+$/ },
  {
    category: 'policy_refused',
    code: /^5/,
    text: /polic(y|ies)|access denied|not allowed|denied|prohibited|not (accepted|permitted)|protocol violation|administrative(ly)? prohibit/i,
  },
  { category: 'system_trouble', enhanced: /^3\.\d+$/ },
  { category: 'system_trouble', enhanced: /^4\.\d+$/ },
  {
    category: 'system_trouble',
    text: /internal (server |system )?error|local error|system (error|problem|failure)|service (currently |temporarily )?(is )?(un|not )available|service refused?|try (again )?later|resources? temporarily|insufficient (system )?(storage|resources)|database|lookup (failure|error)|disk (full|space)|server (busy|overload|too busy)|temporar(y|ily) (failure|error|problem|unavailable|deferred|reject)|could not load/i,
  },
  { category: 'protocol_refused', code: /^(500|501|502|503|504|555)$/ },
  { category: 'policy_refused', enhanced: /^7\.\d+$/ },
  { category: 'temporary', code: /^4/ },
  { category: 'refused', code: /^5/ },
]
