import { MAIL_PROVIDERS, type MailProviderName } from '../../lib/dns/mail-providers.ts'
import type { GivenShaping } from './shaping-rules.ts'

function mxOf(name: MailProviderName): { mx: string[] } {
  return { mx: [...MAIL_PROVIDERS[name].mx] }
}

/**
 * Rules for large providers: their rate limits, and the replies with which they ask a sender to slow down. Patterns
 * match the code, the enhanced code and the text of a reply (`421 4.7.28 Our system has detected ...`). The operator's
 * rules take precedence over these. The limits are conservative: lower than the providers' pages and the defaults of
 * other mail servers allow for a sender with a good reputation.
 */
export const BUILT_IN: readonly GivenShaping[] = [
  {
    // https://support.google.com/a/answer/3726730 (SMTP error reference), https://support.google.com/mail/answer/81126.
    // 4.7.0 and 4.7.28: an unusual rate from this address, address block or domain; 4.7.23 to 4.7.32: unauthenticated
    // mail, which is limited until it is authenticated.
    name: 'Google',
    match: mxOf('google'),
    connections_max: 20,
    messages_per_connection: 50,
    replies: [
      { pattern: '\\b4\\.7\\.28\\b', action: 'pause', for: '10m' },
      { pattern: 'unusual rate of (unsolicited|email)', action: 'pause', for: '10m' },
      {
        pattern: '\\b421 4\\.7\\.0\\b.{0,40}(try again later|temporary system problem)',
        action: 'slow_down',
      },
      { pattern: '\\b4\\.7\\.(23|24|25|26|27|29|30|31|32)\\b', action: 'slow_down' },
    ],
  },
  {
    // https://sendersupport.olc.protection.outlook.com/pm/troubleshooting: RP-001 (rate), RP-002 and RP-003 (rate or
    // connections of this address), RP-004, SC-... (blocked for reputation), S3140/S3150 (network on the block list).
    name: 'Microsoft consumer',
    match: mxOf('microsoft'),
    connections_max: 10,
    messages_per_connection: 30,
    replies: [
      { pattern: '\\bRP-00[1-4]\\b', action: 'pause', for: '10m' },
      { pattern: '\\bS77719\\b|\\b4\\.7\\.(500|65[0-9])\\b', action: 'pause', for: '5m' },
      { pattern: '\\bS(3140|3150)\\b|block list', action: 'pause', for: '1h' },
      { pattern: '\\bSC-00[1-4]\\b', action: 'pause', for: '1h' },
    ],
  },
  {
    // https://learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online:
    // 4.7.500-699 (server busy, throttled address), 4.7.650/651 (reputation), 5.7.606-649 (banned address), 4.4.62,
    // 4.3.2 (busy).
    name: 'Microsoft 365',
    match: mxOf('microsoft_365'),
    connections_max: 20,
    messages_per_connection: 30,
    replies: [
      { pattern: '\\b4\\.7\\.(5\\d\\d|6[0-4]\\d|65[0-9])\\b', action: 'pause', for: '5m' },
      { pattern: '\\b5\\.7\\.(60[6-9]|6[1-4]\\d)\\b', action: 'pause', for: '1h' },
      {
        pattern: '\\b451 4\\.7\\.\\d{1,3} .{0,80}(IP address throttled|server busy)',
        action: 'pause',
        for: '5m',
      },
      { pattern: '\\b432 4\\.3\\.2\\b', action: 'slow_down' },
    ],
  },
  {
    // https://senders.yahooinc.com/smtp-error-codes/: TSS04/TSS05 (user complaints), TSS06-TSS09 (volume, temporarily
    // deferred), TSS10/11 (connections), TS01-TS03 (4 hours and longer), GL01 (greylisting).
    name: 'Yahoo and AOL',
    match: mxOf('yahoo'),
    connections_max: 10,
    messages_per_connection: 20,
    replies: [
      { pattern: '\\[TS0[1-3]\\]|permanently deferred', action: 'pause', for: '4h' },
      { pattern: '\\[TSS04\\]|\\[TSS05\\]', action: 'pause', for: '15m' },
      { pattern: '\\[TSS(0[6-9]|1[01])\\]', action: 'pause', for: '5m' },
      { pattern: 'temporarily deferred due to', action: 'pause', for: '15m' },
      {
        pattern: 'too many (concurrent )?(connections|messages)|try again later',
        code: 421,
        action: 'slow_down',
      },
    ],
  },
  {
    // https://support.apple.com/102322 (postmaster information for iCloud Mail): [HM07], [HM08] local policy, [CS01].
    name: 'Apple iCloud',
    match: mxOf('apple'),
    connections_max: 10,
    messages_per_connection: 20,
    replies: [
      { pattern: '\\[HM0[78]\\]|\\[CS01\\]', action: 'pause', for: '15m' },
      { pattern: '\\b4\\.7\\.[01]\\b|too many (connections|messages)', action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.comcast.net/smtp-error-codes.php: RL000001-RL000010 (rate of messages or recipients),
    // BL000000-BL000010 (blocked), PT0... (policy), "too many sessions opened".
    name: 'Comcast',
    match: mxOf('comcast'),
    connections_max: 5,
    messages_per_connection: 50,
    replies: [
      { pattern: '\\bRL0000\\d\\d\\b', action: 'pause', for: '15m' },
      { pattern: '\\bBL0000\\d\\d\\b', action: 'pause', for: '1h' },
      { pattern: 'too many sessions', action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.gmx.net/en/error-messages and https://postmaster.web.de: "Requested mail action not taken:
    // mailbox unavailable / IP address is block listed", "Too many connections", "exceeded the maximum number of
    // messages per hour".
    name: 'GMX, web.de and 1&1',
    match: mxOf('gmx'),
    connections_max: 5,
    messages_per_connection: 20,
    replies: [
      { pattern: 'block ?list', stage: 'greeting', action: 'pause', for: '1h' },
      {
        pattern: 'too many (connections|recipients|messages)|maximum number of messages',
        action: 'pause',
        for: '5m',
      },
      { pattern: 'temporarily (rejected|not available|limited)', action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.t-online.de: "554 IP=... - A problem occurred", "Too many connections".
    name: 'Deutsche Telekom',
    match: mxOf('telekom'),
    connections_max: 3,
    messages_per_connection: 20,
    replies: [
      { pattern: 'a problem occurred', stage: 'greeting', action: 'pause', for: '1h' },
      { pattern: 'too many (connections|messages)', action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.orange.fr: OFR_104 and OFR004_104 (too many connections), OFR_108, OFR005_... (reputation),
    // OFR_109 (daily limit), OFR_421 (service temporarily limited); Wanadoo has the same servers.
    name: 'Orange',
    match: mxOf('orange'),
    connections_max: 2,
    messages_per_connection: 50,
    rate: '200/1m',
    replies: [
      { pattern: '\\bOFR(00\\d)?_?(104|108|109)\\b', action: 'pause', for: '15m' },
      { pattern: '\\bOFR_\\d+|too many connections', action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.free.fr, https://postmaster.sfr.fr, https://postmaster.laposte.net: "Too many spams from your
    // IP", LPN007_..., "too many sessions from your host".
    name: 'Free, SFR and La Poste',
    match: mxOf('free_sfr_laposte'),
    connections_max: 2,
    messages_per_connection: 50,
    replies: [
      { pattern: 'too many (spams|errors|mails) from your|\\bLPN007_\\d+', action: 'pause', for: '30m' },
      { pattern: 'too many (sessions|connections)', action: 'slow_down' },
    ],
  },
  {
    // https://yandex.com/support/postmaster: "try again later", "Sorry, too many connections", "service unavailable:
    // mail limit".
    name: 'Yandex',
    match: mxOf('yandex'),
    connections_max: 5,
    messages_per_connection: 30,
    replies: [
      { pattern: 'too many (connections|messages)|mail limit', action: 'pause', for: '10m' },
      { pattern: 'try again later', code: 451, action: 'slow_down' },
    ],
  },
  {
    // https://postmaster.mail.ru/en/: "Ratelimit exceeded", "message was rejected: too many messages", "Attempt again
    // later".
    name: 'Mail.ru',
    match: mxOf('mail_ru'),
    connections_max: 5,
    messages_per_connection: 30,
    replies: [
      { pattern: 'rate ?limit', action: 'pause', for: '10m' },
      { pattern: 'too many (connections|messages)|try again later', action: 'slow_down' },
    ],
  },
  {
    // https://open.mail.qq.com and https://help.mail.163.com: "frequency limited", "Connection frequency limited",
    // MI:CEL, MI:CTL, MI:DMC (connections and messages of an address or domain), MI:IPB (blocked for a while).
    name: 'QQ, NetEase and Sina',
    match: mxOf('qq_netease_sina'),
    connections_max: 2,
    messages_per_connection: 10,
    rate: '60/1m',
    replies: [
      { pattern: 'frequency limited|\\bMI:(CEL|CTL|DMC|CCL|RTL)\\b', action: 'pause', for: '15m' },
      { pattern: '\\bMI:(IPB|SPB)\\b', action: 'pause', for: '1h' },
      { pattern: 'too many (connections|messages)|mail rejected due to rate', action: 'slow_down' },
    ],
  },
  {
    // https://www.proofpoint.com/us/blog-faq and https://senderscore.org: hosted filters in front of many companies.
    name: 'Proofpoint and Mimecast',
    match: mxOf('proofpoint_mimecast'),
    connections_max: 10,
    messages_per_connection: 50,
    replies: [
      {
        pattern: 'too many (connections|concurrent)|try again later|rate limit',
        code: 421,
        action: 'slow_down',
      },
      { pattern: 'blocked.{0,60}(ipcheck|proofpoint)', action: 'pause', for: '1h' },
    ],
  },
  {
    // Any server: the default replies of Postfix (smtpd_client_connection_count_limit, anvil), Exim and Sendmail. Only
    // 4xx: a 5xx may quote one recipient's own text, which must not delay mail to others.
    name: 'anywhere',
    replies: [
      { pattern: '^4.{0,100}too many (concurrent )?(smtp )?(connections|sessions)', action: 'slow_down' },
      { pattern: 'rate limit|too many messages|connection rate', code: 421, action: 'slow_down' },
      { pattern: 'rate limit|too many messages|sending too fast', code: 450, action: 'slow_down' },
      { pattern: 'rate limit|too many messages|sending too fast', code: 451, action: 'slow_down' },
    ],
  },
]
