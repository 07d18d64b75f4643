import type { Db } from '../../db/db-types.ts'
import { findDomainOwner } from '../../delivery/tls-reports/tls-reports-queries.ts'
import { findFirstVerifiedDomain } from '../../domains/domains-queries.ts'
import type { AcceptMime, MimeRequest } from '../../emails/accept/accept-mime.ts'
import { ApiError } from '../../lib/api-error.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Mailbox, parseAddress, parseMailbox } from '../../mime/address.ts'
import { buildMessage } from '../../mime/build.ts'
import { findFirstTeam } from '../../teams/teams-queries.ts'
import type { AccountMail } from './mail-texts.ts'

/** `printed`: capture mode printed the link for the operator. `unsendable`: no verified domain can send the mail. */
export type AccountMailOutcome = 'accepted' | 'printed' | 'unsendable'

/** Sends a mail about an account, or prints its link. Throws DatabaseUnavailable. */
export type SendAccountMail = (mail: AccountMail) => Promise<AccountMailOutcome>

export interface SystemMailDeps {
  db: Db
  clock: Clock
  log: Log
  acceptMime: AcceptMime
  /** SENDWRIGHT_ACCOUNT_FROM. Null: an address of the first team's oldest verified domain. */
  from: string | null
}

/** The address that system mail comes from, and the team that sends it. */
export interface SystemSender {
  teamId: string
  mailbox: Mailbox
}

const NAME = 'Sendwright'

/**
 * Sends mail about accounts like any other: signed, queued and retried. Its content is withheld from readers of the
 * sending team's emails, because its link would log them in as another user. It is never tracked.
 */
export function createSendAccountMail(deps: SystemMailDeps): SendAccountMail {
  const from = readSystemFrom(deps.from)
  return async (mail) => {
    const { db, clock, log, acceptMime } = deps
    const sender = await findSystemSender(db, from)
    if (sender === null) return 'unsendable'
    const now = clock.now()
    const request = writeSystemMail(sender, mail, { id: newId(now.getTime()), date: now })
    if (request === null) return 'unsendable'
    try {
      await acceptMime(request, { teamId: sender.teamId, domainId: null, keyId: null }, null, {
        isWithheld: true,
      })
      return 'accepted'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.warn({ reason: error.message }, 'a mail about an account was not accepted')
      return 'unsendable'
    }
  }
}

/** Builds a system mail. Returns null if the address of its recipient is not valid. */
export function writeSystemMail(
  { mailbox }: SystemSender,
  mail: Omit<AccountMail, 'link'>,
  { id, date }: { id: string; date: Date },
): MimeRequest | null {
  const to = parseAddress(mail.to.email)
  if (to === null) return null
  const { bytes } = buildMessage({
    messageId: `${id}@${mailbox.domain}`,
    date,
    from: mailbox,
    to: [{ ...to, name: mail.to.name }],
    cc: [],
    replyTo: [],
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: [['Auto-Submitted', 'auto-generated']],
    attachments: [],
  })
  return { envelope_from: mailbox.address, envelope_to: to.address, raw_message: bytes.toString('utf8') }
}

/** Reads SENDWRIGHT_ACCOUNT_FROM. Throws CannotStart. */
export function readSystemFrom(text: string | null): Mailbox | null {
  const mailbox = text === null ? null : parseMailbox(text)
  if (text !== null && mailbox === null)
    throw new CannotStart(`SENDWRIGHT_ACCOUNT_FROM: "${text}" is not an email address.`)
  return mailbox
}

/** Returns the sender of system mail, or null if no verified domain can send it. */
export async function findSystemSender(db: Db, from: Mailbox | null): Promise<SystemSender | null> {
  if (from !== null) {
    const teamId = await findDomainOwner(db, from.domain)
    return teamId === null ? null : { teamId, mailbox: from }
  }
  const team = await findFirstTeam(db)
  return team === null ? null : findSenderOf(db, team.id)
}

/** Returns an address of the team's oldest verified domain, or null if it has none. */
export async function findSenderOf(db: Db, teamId: string): Promise<SystemSender | null> {
  const domain = await findFirstVerifiedDomain(db, teamId)
  if (domain === null) return null
  return { teamId, mailbox: { name: NAME, local: 'no-reply', domain, address: `no-reply@${domain}` } }
}
