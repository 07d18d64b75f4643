import { notOfSender } from './of-sender.ts'

/** Words for the domain or host of a recipient. */
const NAMED = '(?:(?:domain|host|dns|zone)(?:[- ]?name)?|mail (?:domain|host)|fqdn)'
/** Words for a name that does not exist in DNS; not for a failed lookup. */
const MISSING =
  '(?:(?:does|do|did) ?(?:not|n.t) (?:appear|seem) to (?:exist|be (?:registered|valid|known))|(?:appears?|seems?) (?:not to (?:exist|be (?:registered|valid))|to be (?:invalid|non-?existent|unregistered|misspelled))|(?:is|was) (?:not|n.t|un) ?(?:registered|known to (?:the )?dns|in (?:the )?dns)|(?:has|have) no (?:mx|a|dns) records?\\b|no longer (?:exists|registered)|(?:is|was) not (?:a )?(?:valid|existing|registered))'

/** Matches a domain that does not exist, in the words of mail systems and resolvers (c-ares, getaddrinfo, BIND). */
export const NO_DOMAIN = new RegExp(
  [
    `${notOfSender(20)}\\b${NAMED}(?: of \\S{1,100}| ["'<]{0,2}(?:[\\w-]{1,63}\\.){1,8}[\\w-]{2,63}["'>]{0,2}| for \\S{1,100})? ${MISSING}`,
    '\\b(?:query\\w{0,8}|lookup|resolv\\w{0,6}|getaddrinfo|dns)\\b.{0,60}\\bENOTFOUND\\b',
    '\\b(?:dns|mx|host|domain|name)(?: name)? (?:lookup|query|resolution)(?: (?:of|for) \\S{1,255})? (?:failed|failure|error|returned)[:;, ].{0,40}(?:(?:domain|host|name)(?: name)? (?:(?:was |is )?not found|unknown|does not exist|non-?existent)|nxdomain|no such (?:host|domain|name))',
    '\\b(?:dns|mx|resolver) (?:error|failure)\\b[^:]{0,80}: .{0,20}(?:(?:domain|host)(?: name)? (?:(?:was |is )?not found|unknown|does not exist|non-?existent)|nxdomain|no such (?:host|domain|name))',
    '\\bno (?:a|mx|aaaa|a/mx|mx/a|address|dns)[- ]?records? (?:for|of|at|in) (?:the |this |that |recipient )?(?:domain|host)',
    '\\bunable to route(?: (?:to|mail (?:to|for)|messages? (?:to|for)))?(?: the| this)? (?:domain|host|recipient|address)',
    // Names for examples and tests, which nobody can register.
    `\\breserved by rfc${notOfSender(120)} ?(?:2606|6761)\\b`,
    '\\bunable to route: (?:no mail hosts?|unknown|no such)',
    '\\bno such (?:host|domain|hostname)(?: name)?(?: is)? (?:known|here|exists)',
    '\\b(?:name or service not known|nodename nor servname provided|no address associated with (?:host)?name)',
  ].join('|'),
  'i',
)
