import type { Fault } from '../queue/types.ts'

export interface Category {
  fault: Fault | null
  /** The delivery's status after a permanent rejection of this kind. A temporary one always defers it. */
  final: 'bounced' | 'rejected' | 'failed' | 'deferred'
  /** SUP-6: the address itself is dead, and no other party is at fault. */
  suppress?: true
  /**
   * Explains the failure and what the sender can do about it. `{Server}` at the start of a sentence, and `{server}` inside one,
   * stand for the server that replied. The next step depends on the verdict (advise.ts).
   */
  advice: string
}

/** Every reason for the outcome of an attempt: a reply, DNS, the network, or Sendwright itself. */
export const CATEGORIES = {
  accepted: { fault: null, final: 'bounced', advice: '{Server} accepted the message.' },

  no_such_address: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The address does not exist.',
  },
  address_moved: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The recipient no longer uses this address.',
  },
  address_disabled: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: 'The mailbox is disabled.',
  },
  no_such_domain: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: "The recipient's domain does not exist.",
  },
  null_mx: {
    fault: 'recipient',
    final: 'bounced',
    suppress: true,
    advice: "The recipient's domain does not accept email (null MX).",
  },
  no_mail_host: {
    fault: 'recipient',
    final: 'bounced',
    advice: "The recipient's domain has no mail server.",
  },
  mailbox_unavailable: {
    fault: 'recipient',
    final: 'bounced',
    advice: '{Server} reports that the mailbox is unavailable. Most likely it does not exist.',
  },
  malformed_address: {
    fault: 'recipient',
    final: 'bounced',
    advice: '{Server} rejected the address as malformed.',
  },
  address_suspended: {
    fault: 'policy',
    final: 'bounced',
    advice: 'The provider has suspended the mailbox, which may become active again.',
  },
  address_doubted: {
    fault: 'policy',
    final: 'bounced',
    advice:
      '{Server} reported an unknown address, but not in reply to the address itself. Spam filters do this too, so the address is not suppressed.',
  },
  recipient_declines: {
    fault: 'recipient',
    final: 'bounced',
    advice: 'The recipient does not accept this email.',
  },
  mailbox_full: { fault: 'quota', final: 'bounced', advice: "The recipient's mailbox is full." },

  spam: {
    fault: 'content',
    final: 'rejected',
    advice: '{Server} classified the content as spam. Its reply may name the rule.',
  },
  virus: {
    fault: 'content',
    final: 'rejected',
    advice: '{Server} found a virus or a dangerous attachment.',
  },
  content_refused: {
    fault: 'content',
    final: 'rejected',
    advice: '{Server} rejected the content.',
  },
  malformed_message: {
    fault: 'content',
    final: 'rejected',
    advice: '{Server} rejected the message because its header or structure is malformed.',
  },
  too_large: {
    fault: 'content',
    final: 'bounced',
    advice: 'The message exceeds the size limit of the recipient or of {server}.',
  },

  authentication_failed: {
    fault: 'policy',
    final: 'bounced',
    advice: 'The message failed SPF, DKIM or DMARC. Check the DNS records of the sending domain.',
  },
  policy_refused: {
    fault: 'policy',
    final: 'bounced',
    advice: '{Server} rejected the message under its own policy.',
  },
  relay_denied: {
    fault: 'policy',
    final: 'bounced',
    advice: "The server that DNS names for the recipient's domain does not accept email for it.",
  },
  greylisted: {
    fault: 'policy',
    final: 'deferred',
    advice: '{Server} defers email from unknown senders for a short time (greylisting).',
  },
  host_refuses: {
    fault: 'policy',
    final: 'deferred',
    advice: '{Server} rejected the connection before a recipient was named.',
  },
  blocked: {
    fault: 'reputation',
    final: 'bounced',
    advice:
      'The sending IP address or domain is on a block list or has a poor reputation. See the reply for how to request removal.',
  },
  rate_limited: {
    fault: 'reputation',
    final: 'deferred',
    advice: '{Server} asked for a lower sending rate.',
  },

  sender_refused: {
    fault: 'ours',
    final: 'failed',
    advice: '{Server} rejected the return path of the message.',
  },
  no_reverse_dns: {
    fault: 'ours',
    final: 'failed',
    advice:
      'The sending IP address has no matching reverse DNS (PTR) record. The operator of this installation can fix this.',
  },
  login_refused: {
    fault: 'ours',
    final: 'deferred',
    advice: 'The relay rejected the login or requires TLS. Check the relay settings of this installation.',
  },
  second_signature_refused: {
    fault: 'ours',
    final: 'failed',
    advice:
      '{Server} accepts only one DKIM-Signature field. Turn off the second signature of the sending domain (dkim_ed25519), or remove the field from your own message.',
  },
  protocol_refused: {
    fault: 'ours',
    final: 'failed',
    advice: '{Server} did not understand an SMTP command.',
  },
  bad_address: { fault: 'ours', final: 'failed', advice: 'The address cannot be used in SMTP.' },
  eight_bit_unsupported: {
    fault: 'ours',
    final: 'failed',
    advice: 'The message has 8-bit content that {server} does not accept and that cannot be encoded.',
  },
  smtputf8_unsupported: {
    fault: 'policy',
    final: 'bounced',
    advice:
      'An address requires SMTPUTF8, which {server} does not support. The response names the address or the header field.',
  },
  interrupted: { fault: 'ours', final: 'deferred', advice: 'Sendwright ended the SMTP session itself.' },

  system_trouble: {
    fault: 'network',
    final: 'bounced',
    advice: "The recipient's mail system reported an internal error.",
  },
  routing_loop: {
    fault: 'network',
    final: 'bounced',
    advice: "The recipient's mail system routes the message in a loop.",
  },
  expired: {
    fault: 'network',
    final: 'bounced',
    advice: 'A mail server on the route retried until its time limit and gave up.',
  },
  dns_trouble: {
    fault: 'network',
    final: 'deferred',
    advice: "DNS did not answer for the recipient's domain.",
  },
  unreachable: {
    fault: 'network',
    final: 'deferred',
    advice: 'Sendwright could not connect to the mail server.',
  },
  address_refused: {
    fault: 'network',
    final: 'failed',
    advice:
      "The mail servers of the recipient's domain have only private IP addresses, and Sendwright does not connect to those.",
  },
  timeout: { fault: 'network', final: 'deferred', advice: '{Server} did not reply in time.' },
  connection_lost: { fault: 'network', final: 'deferred', advice: '{Server} closed the connection.' },
  lost_after_content: {
    fault: 'network',
    final: 'deferred',
    advice:
      'The connection was lost before {server} confirmed the message. The message may arrive twice, with the same Message-ID.',
  },
  protocol_broken: { fault: 'network', final: 'deferred', advice: '{Server} violated the SMTP protocol.' },
  tls_failed: { fault: 'network', final: 'deferred', advice: 'The TLS handshake with {server} failed.' },
  mta_sts_failed: {
    fault: 'policy',
    final: 'deferred',
    advice:
      "The recipient's domain requires TLS with valid certificates of the mail hosts in its MTA-STS policy. Its administrator must correct the server, the DNS records or the policy.",
  },
  dane_failed: {
    fault: 'policy',
    final: 'deferred',
    advice:
      "The recipient's domain requires TLS with a certificate that matches its TLSA records (DANE). Its administrator must correct the server or the DNS records.",
  },
  requiretls_unsupported: {
    fault: 'policy',
    final: 'bounced',
    advice:
      'The message requires TLS on its whole route (REQUIRETLS). {Server} does not support that, or its identity cannot be verified.',
  },
  tls_required: {
    fault: 'policy',
    final: 'deferred',
    advice: 'The sending domain requires verified TLS, which {server} does not offer.',
  },

  temporary: {
    fault: 'network',
    final: 'deferred',
    advice: '{Server} cannot accept the message at the moment.',
  },
  refused: {
    fault: 'policy',
    final: 'bounced',
    advice: '{Server} rejected the message. See its reply.',
  },
} satisfies Record<string, Category>

export type CategoryName = keyof typeof CATEGORIES
