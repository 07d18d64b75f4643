import { anyPhrase } from '../lib/text/phrases.ts'
import { SENDER_ABROAD } from './dead-words-abroad.ts'
import { RATE_LIMITED } from './families/rate-limited.ts'
import type { ReplyRule } from './reply-rule.ts'
import type { Stage } from './stages.ts'

const BEFORE_MAIL: readonly Stage[] = ['connect', 'greeting', 'ehlo', 'starttls', 'auth']

/** Rules about the sender and the sending host. They come first, because replies say "user unknown" about senders too. */
export const SENDER_RULES: readonly ReplyRule[] = [
  // The relay's login, and TLS demanded of us.
  { category: 'login_refused', code: /^(530|534|535|538)$/ },
  { category: 'login_refused', stages: ['auth'], code: /^[45]/ },
  {
    category: 'login_refused',
    text: /must issue a starttls|starttls (is )?required|authentication (is )?required|auth(entication)? credentials/i,
  },

  // Amazon SES and relays like it. The rules below would blame the records of the sending domain.
  {
    category: 'second_signature_refused',
    code: /^5/,
    text: /\b(?:duplicated?|multiple|repeated|second|more than one|too many|only (?:one|a single)) (?:(?:header|field|headers|fields)\b[ :'"]{0,4})?(?:['"]?dkim[- ]signature\b)|\bdkim[- ]signature\b['"]? (?:(?:header|field) )?(?:is |was |has been )?(?:duplicated?|repeated|already (?:present|exists))|\bdkim[- ]signature\b.{0,20}\b(?:more than once|twice|multiple times)/i,
  },

  // About the sending address.
  {
    category: 'no_reverse_dns',
    text: /reverse dns|\bptr\b|\brdns\b|ip name lookup failed|reverse (lookup|hostname)|cannot find your (reverse )?hostname|without a valid sender domain|\bhost ?name (that )?you (gave|use|sent|claim)/i,
  },
  {
    category: 'blocked',
    text: /dnsbl|\brbls?\b|spamhaus|barracuda|spamcop|sorbs|\bcbl\b|abuseat|(?<!may be )black ?list|block ?list|blocklist|deny ?list|banned sending ip|(client|sender|ip|host|address|network|domain)\S* (\S+ )?(is |was |has been )?(blocked|banned)|blocked (using|by|due)|(poor|low|bad|very low) reputation|reputation (of|is)|(?<!not )listed (at|in|on) |part of their network is on our|postmaster\.info\.aol\.com|\((?:HVU|RLY|DYN|RTR):[A-Z]\d\)|\((BL|RBL)\)/i,
  },
  { category: 'blocked', enhanced: /^7\.(60[6-9]|6[1-4]\d|511|512|513|514|705|708|750)$/ },
  {
    category: 'authentication_failed',
    enhanced: /^7\.(2[0-9]|515|509|30)$/,
    text: /spf|dkim|dmarc|authenticat/i,
  },
  { category: 'authentication_failed', enhanced: /^7\.(2[0-6]|509|515)$/ },
  {
    category: 'authentication_failed',
    text: /\bspf\b|\bdkim\b|\bdmarc\b|sender policy framework|unauthenticated (e?mail|message)|purported responsible address|not allowed to send from|(message|mail|sender) (is )?not authenticated/i,
  },
  {
    category: 'rate_limited',
    text: anyPhrase(
      /too many ((invalid|bad|unknown|incorrect|wrong) )?(connections|sessions|messages|recipients|errors|concurrent|emails|mails|users|addresses|rcpts?)/i,
      /rate[- ]?limit/i,
      /connection rate/i,
      /(exceeded|over|hit|reached).{0,40}(rate|connection|hourly|(sending|messages?) limit|messages per)/i,
      /unexpected volume/i,
      /unusual rate/i,
      /receiving mail at a rate/i,
      /throttl/i,
      /too (fast|much mail|frequent)/i,
      /sending too (fast|many)/i,
      /slow down/i,
      /(non-?existent|unknown|invalid|bad) (users?|recipients?|addresses|rcpts?)\b.{0,40}\b(too (often|many|much|high)|ratio|percent|limit)/i,
      /max(imum)? (number of )?connections/i,
      /concurrency limit/i,
      /temporar\w+ rate/i,
      /\[(TSS?\d+|TS0\d|GL01|CON\d|BL\d+)\]/i,
    ),
  },
  { category: 'rate_limited', code: /^4/, enhanced: /^7\.(28|500|501)$/ },
  {
    category: 'rate_limited',
    code: /^4/,
    enhanced: /^(3\.2|4\.5)$/,
    text: /rate|limit|connection|volume|thrott/i,
  },
  {
    category: 'greylisted',
    code: /^4/,
    text: /gr[ea]y-?list|come back later|first time (sender|seen)|unknown sender.{0,20}try/i,
  },
  { category: 'rate_limited', text: RATE_LIMITED },
  // Postfix's name for a host without one.
  { category: 'no_reverse_dns', text: /(?<!relay=)\bunknown\[[\da-f.:]{2,45}\]/i },
  { category: 'host_refuses', stages: BEFORE_MAIL },

  // About the sender's address: here, "user unknown" means the return path.
  { category: 'sender_refused', enhanced: /^1\.[78]$/ },
  {
    category: 'sender_refused',
    text: anyPhrase(
      /\b(sender|originator|reply-to|from|return|envelope)('?s)?:? (e-?mail )?(address )?validation (has |was )?(failed|failure|error)/i,
      /sender (address |domain )?((verif\w+|validation) failed|rejected|unknown|invalid|not (found|exist|verified))/i,
      /(verify|verification) (of )?sender/i,
      /sender verify/i,
      /callout(?! verification failed:? \d{3})/i,
      /return[- ](path|address)/i,
      /(invalid|bad|unknown) sender/i,
      /envelope (from|sender)/i,
      /\((the )?(sender|mail from|return path)\)/i,
      /domain of sender/i,
      /sender'?s? domain/i,
      /email address is not verified/i,
    ),
  },
  { category: 'sender_refused', stages: ['mail'], enhanced: /^1\.[0-4]$/ },
  {
    category: 'sender_refused',
    text: anyPhrase(
      /(?<!(return\w*|back) to )(?<!to the )\b(sender|originator|reply-to|message-id)('?s?)\b.{0,60}\b(unknown|not (an? )?(found|exist|valid|accepted|known|be (found|verified|resolved))|cannot be|does ?n[o']t exist|no such|invalid|reject|verif)/i,
      /\b(verif\w+|reject\w*|unrout\w+|unknown|invalid|refused?)\b.{0,40}\bsender\b/i,
      /\b(header |envelope[- ]|mail[- ]?)?(?<!\b(?:answer|response|reply) )from:? (address|domain|host|header (address|domain))/i,
      /\bheader address/i,
      /\bmail from:? ?(user|address|mailbox|sender|unknown)/i,
      /\bverify your/i,
      /\bclient (address|host|ip)\b/i,
      /\byour (\S{1,20} ){0,2}(address|domain|host(name)?|server|ip|network)\b.{0,60}\b(unknown|not (found|exist|resolve|known|registered|recogni|listed)|does ?n[o']t (exist|resolve)|invalid|reject)/i,
      /\b(allowed|authori[sz]ed|permitted|approved|registered) senders?\b/i,
      /\bas an? (\w+ )?sender\b/i,
      /\b(list|database|directory|table) of (\w+ )?senders?\b/i,
      /\bsenders? (list|database|directory|table)\b/i,
      /\bno (mx|a|dns|mx or a|address) records? (for|of|in) your\b/i,
      /(cannot|can'?t|could not|unable to) resolve (your|sender|domain of)/i,
    ),
  },
  { category: 'sender_refused', text: SENDER_ABROAD },
  {
    category: 'no_reverse_dns',
    text: /\b(no|unknown|invalid|missing|bad)\b.{0,30}\b(for|of|from) (the |your )?(sending|connecting|client|ip|remote)\b|\b(sending|connecting|remote|client) (host|ip)( ?name)?\b.{0,30}\b(unknown|not (found|exist)|does ?n.?t|invalid)/i,
  },
  // Lists that accept mail from members only.
  {
    category: 'policy_refused',
    text: /\bno (?:member|subscriber|subscription)s? (?:with|by|under|for) your\b|\b(?:only|just) (?:takes?|accepts?|allows?) (?:(?:mail|messages|posts?|postings) )?(?:of|from|by) (?:its |the )?(?:list )?(?:members|subscribers)/i,
  },
  {
    category: 'relay_denied',
    text: /\bno relay\w* (for|to)\b|\brelay\w* (for|to) .{0,60}\b(denied|refused|not)\b/i,
  },
  {
    category: 'policy_refused',
    text: /\b(in|of|at) (the |your )?(helo|ehlo)\b|\b(helo|ehlo)\b.{0,80}\b(reject|invalid|not found|unknown|name|host|bad|refused)|\b(bad|invalid|fake|forged) (helo|ehlo)\b/i,
  },
  {
    category: 'login_refused',
    text: /auth(enti\w+)?(:| (with|to|at) .{1,40}?)?( failed| failure|:)|(unknown|invalid|bad|wrong) user(name)? (or|and|\/) (bad |wrong )?password|user unknown or bad password|user(name)? (or|and) password|authorization required|\byour (e-?mail |mail |smtp )?account (does|do|is|was|has|could|name)\b|account for relay/i,
  },
]
