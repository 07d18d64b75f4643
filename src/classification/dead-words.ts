import { anyPhrase, oneOf } from '../lib/text/phrases.ts'
import { notOfSender } from './families/of-sender.ts'

/**
 * English phrases for a nonexistent mailbox: its names, and words for "missing". Every server has its own sentence, and
 * nearly all of them combine these.
 */
const NAMED =
  '(?:users?|user ?(?:name|id)|recipients?|mail[- ]?box(?:es)?|mail ?drops?|in-?box(?:es)?|mailbox name|address(?:es)?|addressees?|accounts?|alias(?:es)?|persons?|people|members?|subscribers?|customers?|local[- ]?parts?|logins?|e-?mails?|destinations?|employees?|(?<!(?:host|domain|server|file|attachment|machine|helo)[ -]?)names?|rcpt)'
const BOX = '(?:user|mail[- ]?box|in-?box|address|account|recipient|alias|addressee)'
const OF_KIND =
  '(?:local|virtual|valid|known|matching|existing|active|e-?mail|mail|user|recipient|mailbox|registered|individual|phone|mobile|such|account|x\\.400)'
const MISSING = oneOf(
  'unknown',
  'invalid',
  'incorrect',
  'misspelled',
  'mistyped',
  'undeliverable',
  'unrout\\w+',
  'un(?:registered|resolvable|identified|recogni[sz]ed|listed|assigned)',
  'non-?exist\\w+',
  'not[- ]found',
  'does ?n.?t[- ]exist',
  'do(?:es)? not exist',
  'did not exist',
  'do ?n.?t exist',
  'not exist\\w*',
  '(?:is |was |are )?no(?:t|n)(?: an?)? (?:known|valid|listed|recogni[sz]ed|defined|registered|deliverable|present|assigned|existing)',
  'is ?n.?t (?:known|valid|listed|recogni[sz]ed|defined|registered)',
  'never existed',
  '(?:was |has )?never (?:been )?(?:created|existed|assigned|registered|set up)',
  'not on (?:file|record)',
  'returned no (?:match|result|entry|record)\\w*',
  '(?:matches|matched) no(?:thing| \\w+)',
  '(?:does|did|do) ?n.?t match (?:any|an)',
  '(?:does|did|do) not (?:\\w+ly )?match (?:any|an?)\\b',
  '(?:is |are )?not (?:one )?(?:of|among|amongst) (?:our|the) \\w+',
  '(?:is |are )?not (?:in use|available (?:here|(?:at|on) this (?:server|system|host|domain|site))|on (?:this|our) (?:server|system|host|machine|site)|(?:served|handled|hosted|at) (?:here|this (?:site|server|domain|location|system)))',
  'is ?n.?t (?:served|handled|hosted|in use) ?(?:here)?',
  '(?:is ?n.?t|is not|no longer) (?:at this address|here|with us)',
  'no longer (?:exists?|works|employed|valid|with us)',
  '(?:(?:has been|is|was) )?(?:deleted|removed)',
  'can ?not be (?:found|verified|located|resolved)',
  'could not be resolved',
  'could ?n(?:.t|ot) be (?:found|verified|located)',
  'could not be (?:found|verified|located)',
)
const UNKNOWN =
  '(?:unknown|no|invalid|illegal|incorrect|wrong|bad|non[- ]?exist\\w+|unregistered|undefined|undeliverable|unrout\\w+|unresolvable|deleted|bogus|mistyped|misspelled)'

/** Words that name no mailbox: of the protocol, of the sender, of a program. */
const OF_OTHERS =
  '(?!\\w| (?:agent|list|format|(?:in|of) (?:the )?(?:from|reply-to|to|cc|headers?|attachments?)\\b|or password|and password|policy|authentication|storage|quota|input|data|header|messages?|traffic|content|from))'

/** Hosts and messages are missing in lists too. */
const NOT_OF_OTHERS = `${notOfSender(60)}(?<!\\b(?:you|hosts?|server|network|message|certificate|domain|relay|key|signature|file|attachment)\\b.{0,40})`

/** Nothing but the predicate, in reply to the address. */
const bare = (predicate: string) =>
  new RegExp(
    `^\\W*(?:5\\d\\d[ -]+)?(?:#?5\\.\\d\\.\\d{1,3} +)?(?:<[^<>\\s]{1,320}>[ :.]*)?(?:(?:sorry|error)[,: ]+)?(?:${predicate})\\W*$`,
    'i',
  )
const ABSENT =
  "(?:(?:this|that) (?!domain|host|server|message|sender|page|file|list|group|command|service)[a-z]{3,20} )?(?:does ?n.?t exist|does not exist|not exists?)|existiert nicht|n[’' ]?existe pas|no existe|non esiste|n[ãa]o existe|bestaat niet|nie istnieje|neexistuje|не существует|не існує"

/** `550 does not exist`. */
export const BARE_ABSENT = bare(ABSENT)
/** The same, or `550 not found`, which may also concern a rule or a host. */
export const BARE_MISSING = bare(`${ABSENT}|(?:was |is )?not found|is unknown|no such id`)

export const DEAD_WORDS: readonly RegExp[] = [
  // The user ann is not known; <ann@x.test> does not exist.
  new RegExp(
    `(?<!\\byour (?!recipient|destination|addressee)(?:\\w{1,20} )?)\\b${NAMED}\\b(?:[^.;]|\\.(?=\\w)){0,80}?(?<![\\w-])${MISSING}\\b(?! (?:sender|helo|client|host|domain|ip))`,
    'i',
  ),
  new RegExp(`@[\\w.-]{1,255}[>"')\\]]{0,2}[\\s:,]{1,3}(?:is )?${MISSING}\\b`, 'i'),
  // No such local user; unknown local-part; I could not find that account.
  new RegExp(`(?<![\\w-])${UNKNOWN}(?:[ /]${OF_KIND}){0,3}[ /]${NAMED}${OF_OTHERS}`, 'i'),
  new RegExp(
    `(?:could ?n.?t|could not|can ?not|can'?t|unable to|failed to) (?:find|locate|look ?up|identify|recogni[sz]e)(?: (?:that|the|this|a|an|any|specified|requested|such|local|recipient'?s?)){0,3} ${NAMED}\\b`,
    'i',
  ),
  new RegExp(
    `(?:do(?:es)? ?n.t|do(?:es)? not) (?:know|have) (?:an?|the|this|that|any|such)(?: ${OF_KIND}){0,2} ${NAMED}\\b`,
    'i',
  ),
  // Ann is not an address at x.test; we take no mail for this address.
  new RegExp(
    `(?:\\bnot|\\bisn.t) an? (?:${OF_KIND} )?${BOX} (?:at|of|on|in|here|known)\\b(?! th(?:is|e) (?:list|group))`,
    'i',
  ),
  // Nobody of that name.
  /\b(?:nobody|no ?one) (?:here )?(?:called|named|by|of|with|at|under)\b(?!.{0,40}\b(?:may|can|allowed|your|ip)\b)/i,
  // Ann is not a member of this domain.
  new RegExp(
    `\\b(?:user|recipient|address|account|mailbox)\\b${notOfSender(40)}.{0,40} not an? (?:\\w+ )?(?:member|user|part) of (?:this |the |our )?domain\\b(?!.s\\b)`,
    'i',
  ),
  // Without words after it, which would name another cause.
  new RegExp(
    `\\b(?:recipient|rcpt|user)\\b${notOfSender(40)}(?: (?:to|user))?:? ?(?:<[^<>\\s]{1,320}> )?(?:is )?not ok\\W*$`,
    'i',
  ),
  /\bno (?:<?[\w.+-]{1,64}@[\w.-]{1,255}>?|(?:such |matching )?(?:user|recipient|mailbox|address|account|alias|person|entry)) in (?:the |our |this )?(?:name|address|user|recipient)s? (?:directory|list|book|table|database)\b/i,
  // Exchange in German, with a relative clause in between.
  /\be-?mail-?konto ist in der organisation\b.{0,80}\bnicht vorhanden\b/i,
  new RegExp(
    `\\bnot${NOT_OF_OTHERS} (?:in|on) (?:the |our |my )?(?:(?:relay|local|valid|known) ){0,2}(?:recipients?|users?|mailbox(?:es)?|alias(?:es)?) (?:list|table|map|file)s?\\b`,
    'i',
  ),
  new RegExp(
    `\\bnot${NOT_OF_OTHERS} (?:(?:in|on) (?:the |our |my )?(?:address ?book|directory|database|file)\\b|in my (?:valid)?(?:rcpt|recipient))`,
    'i',
  ),
  // X.400, which Exchange used: originator/recipient name.
  /\bunrecogni[sz]ed (?:o\/?r|originator\/recipient)[- ]?name\b/i,
  // Ann isn't on this system.
  /^\W*5\d\d[ -]+(?:\d\.\d\.\d +)?<?(?!(?:this|it|that|you|your|signature|certificate|attachment|tls|ssl|spf|dkim|dmarc|mailer|postmaster|header|format|encoding|charset|token|key|password|login|command|syntax|code|mail|message|sender|host|relay\w*|access|service|server|content|domain|client|ip|here)\b)[\w.+-]{1,64}(?:@[\w.-]{1,255})?>?[:.]{0,3} +(?:is not|is ?n.t) (?!(?:on|in) (?:the |our |a )?(?:list|allow|member|group))(?:on|at|in|known|listed|valid|registered|recogni[sz]ed|here)\b/i,
  /\b(?:not valid|not known|not found|unknown|invalid): <?[\w.+-]{1,64}@(?!\S{0,255} (?:sender|host|is not allowed))/i,
  // We do not know ann@x.test.
  /(?:do(?:es)? ?n.t|do(?:es)? not) know (?:(?:the |this )?(?:recipient|user(?! agent)|addressee|mailbox)\b|[<"']?[^\s<>@]{1,64}@)/i,
  /(?:do(?:es)? ?n.?t|do(?:es)? not|no longer) (?:accepts?|takes?|receives?) (?:any )?e?-?mails? for (?:this|that) (?:address|user|recipient|mailbox|account)(?!.{0,20} (?:from|unless|without|until|over)\b)/i,
  // We could not find anybody under that address.
  /(?:could ?n.?t|could not|can ?not|can'?t|unable to|failed to|did not|did ?n.t) (?:find|locate|identify) (?:any ?(?:one|body)|any (?:matching |such )?\w+|a (?:match|matching \w+|record|person)) (?:under|at|with|for|by|of|called|named|in)\b(?! (?:the |an? )?(?:your|senders?|ip|host)\b)/i,
  // Replies of directories.
  anyPhrase(
    /\bno match(?:es)? (?:to|in|from|against) (?:the |our |this )?(?:name ?server|directory|ldap|query|search|address ?book|database|white pages)/i,
    /\b(?:directory|ldap|ph|query|search|lookup)(?: \w+){0,2} (?:fails?|failed) to (?:locate|find) (?:an?|any|the|either)(?! (?:sender|originator|host))/i,
    /\b(?:no|0|zero) (?:such )?(?:entry|entries|matches|records?|person|people|hits) (?:were |was )?(?:found|returned|listed|exists?)? ?(?:in|by|from) (?:the |our |this )?(?:\w+ )?(?:directory|ldap|database|address ?book|alias(?:es)?|list of)/i,
  ),
  /\bno (?:match(?:es|ing)?|entry|record|result)s?(?: (?:was|were|is|are|found|exists?|returned|available|known)){0,3} (?:for|of) (?:the |this |that |your )?(?:recipient|user|address|mailbox|addressee|account|name)\b/i,
]
