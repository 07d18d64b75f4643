import type { Fault } from '../queue/types.ts'

export interface Category {
  fault: Fault | null
  /** What a permanent refusal of this kind makes of the delivery; a temporary one always defers it. */
  final: 'bounced' | 'rejected' | 'failed' | 'deferred'
  /** SUP-6: the address itself is dead, and it is nobody else's fault. */
  suppress?: true
  /** What happened and what its reader can do; what comes next is added by state. */
  advice: string
}

/** Every reason that a try can have, whoever gave it: a reply, DNS, the network, or ourselves. */
export const CATEGORIES = {
  accepted: { fault: null, final: 'bounced', advice: "The recipient's server took the message." },

  no_such_address: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'This address does not exist at its server.',
  },
  address_moved: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The recipient is no longer at this address.',
  },
  address_disabled: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The mailbox of this address is disabled.',
  },
  no_such_domain: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The domain of this address does not exist.',
  },
  null_mx: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The domain of this address says that it takes no mail (null MX).',
  },
  no_mail_host: {
    fault: 'recipient',
    final: 'bounced',
    advice: 'The domain of this address has no mail server.',
  },
  mailbox_unavailable: {
    fault: 'recipient',
    final: 'bounced',
    advice: "The recipient's server calls this mailbox unavailable; most often there is none.",
  },
  malformed_address: {
    fault: 'recipient',
    final: 'bounced',
    advice: "The recipient's server finds this address malformed.",
  },
  address_suspended: {
    fault: 'policy',
    final: 'bounced',
    advice: 'The mailbox of this address is suspended by its provider and may come back.',
  },
  address_doubted: {
    fault: 'policy',
    final: 'bounced',
    advice:
      'The server calls this address unknown, but not in answer to the address alone: filters say so too, hence it is not suppressed.',
  },
  recipient_declines: {
    fault: 'recipient',
    final: 'bounced',
    advice: 'The recipient does not want this mail.',
  },
  mailbox_full: { fault: 'quota', final: 'bounced', advice: "The recipient's mailbox is full." },

  spam: {
    fault: 'content',
    final: 'rejected',
    advice: "The recipient's server takes the content for spam; see its reply for the rule.",
  },
  virus: {
    fault: 'content',
    final: 'rejected',
    advice: "The recipient's server found a virus or a dangerous attachment.",
  },
  content_refused: {
    fault: 'content',
    final: 'rejected',
    advice: "The recipient's server refuses the content.",
  },
  malformed_message: {
    fault: 'content',
    final: 'rejected',
    advice: "The recipient's server finds the message's header or structure malformed.",
  },
  too_large: {
    fault: 'content',
    final: 'bounced',
    advice: 'The message is larger than the recipient or its server takes.',
  },

  authentication_failed: {
    fault: 'policy',
    final: 'bounced',
    advice: "The sender's domain fails SPF, DKIM or DMARC there: check its DNS records.",
  },
  policy_refused: {
    fault: 'policy',
    final: 'bounced',
    advice: "The recipient's server refuses the message by its own policy.",
  },
  relay_denied: {
    fault: 'policy',
    final: 'bounced',
    advice: 'The server named by DNS says that it is not responsible for this domain.',
  },
  greylisted: {
    fault: 'policy',
    final: 'deferred',
    advice: "The recipient's server asks unknown senders to come back later (greylisting).",
  },
  host_refuses: {
    fault: 'policy',
    final: 'deferred',
    advice: 'The server refuses this host before any recipient was named.',
  },
  blocked: {
    fault: 'reputation',
    final: 'bounced',
    advice:
      'The sending address or domain is on a block list or has a bad reputation; see the reply for how to be taken off.',
  },
  rate_limited: {
    fault: 'reputation',
    final: 'deferred',
    advice: "The recipient's server asks to send less.",
  },

  sender_refused: {
    fault: 'ours',
    final: 'failed',
    advice: 'The server refuses the return path of the message.',
  },
  no_reverse_dns: {
    fault: 'ours',
    final: 'failed',
    advice: "The sending address lacks matching reverse DNS (PTR): this server's operator can mend it.",
  },
  login_refused: {
    fault: 'ours',
    final: 'deferred',
    advice: "The relay wants another login or TLS: check this server's settings.",
  },
  protocol_refused: { fault: 'ours', final: 'failed', advice: 'The server did not understand a command.' },
  bad_address: { fault: 'ours', final: 'failed', advice: 'The address cannot be expressed in SMTP.' },
  eight_bit_unsupported: {
    fault: 'ours',
    final: 'failed',
    advice: 'The message has 8-bit content that the server does not take and that cannot be encoded.',
  },
  smtputf8_unsupported: {
    fault: 'policy',
    final: 'bounced',
    advice: "The address needs UTF-8 (SMTPUTF8), which the recipient's server does not offer.",
  },
  interrupted: { fault: 'ours', final: 'deferred', advice: 'We ended the conversation ourselves.' },

  system_trouble: {
    fault: 'network',
    final: 'bounced',
    advice: "The recipient's mail system has a fault of its own.",
  },
  routing_loop: {
    fault: 'network',
    final: 'bounced',
    advice: "The recipient's mail system sends the message in circles.",
  },
  expired: {
    fault: 'network',
    final: 'bounced',
    advice: 'A mail server on the way tried for its whole time and gave up.',
  },
  dns_trouble: {
    fault: 'network',
    final: 'deferred',
    advice: 'DNS gave no answer for the domain of this address.',
  },
  unreachable: {
    fault: 'network',
    final: 'deferred',
    advice: 'No connection to the mail server could be made.',
  },
  address_refused: {
    fault: 'network',
    final: 'failed',
    advice:
      "The domain's mail servers have only private addresses, and Sendwright does not connect to those.",
  },
  timeout: { fault: 'network', final: 'deferred', advice: 'The mail server did not answer in time.' },
  connection_lost: { fault: 'network', final: 'deferred', advice: 'The mail server ended the conversation.' },
  lost_after_content: {
    fault: 'network',
    final: 'deferred',
    advice:
      'The connection ended before the server confirmed the message; it may arrive twice, with the same Message-ID.',
  },
  protocol_broken: { fault: 'network', final: 'deferred', advice: 'The server does not keep to SMTP.' },
  tls_failed: { fault: 'network', final: 'deferred', advice: 'TLS with the mail server failed.' },
  mta_sts_failed: {
    fault: 'policy',
    final: 'deferred',
    advice:
      "The recipient's domain demands TLS with a valid certificate of the mail hosts that it names (MTA-STS); its server, " +
      'its DNS or its policy is to be mended there.',
  },
  dane_failed: {
    fault: 'policy',
    final: 'deferred',
    advice:
      "The recipient's domain demands TLS with the certificate that its DNS names (DANE); its server or its DNS records " +
      'are to be mended there.',
  },
  requiretls_unsupported: {
    fault: 'policy',
    final: 'bounced',
    advice:
      'The message requires TLS on all of its way (REQUIRETLS), which the mail server does not promise or nobody can prove.',
  },
  tls_required: {
    fault: 'policy',
    final: 'deferred',
    advice: 'This domain sends over verified TLS only, which the mail server does not offer.',
  },

  temporary: {
    fault: 'network',
    final: 'deferred',
    advice: "The recipient's server cannot take the message now.",
  },
  refused: {
    fault: 'policy',
    final: 'bounced',
    advice: "The recipient's server refuses the message; see its reply.",
  },
} satisfies Record<string, Category>

export type CategoryName = keyof typeof CATEGORIES
