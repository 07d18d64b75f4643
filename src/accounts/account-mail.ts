import type { Db } from '../db/db-types.ts'
import { findDomainOwner } from '../delivery/tls-reports/tls-reports-queries.ts'
import { findFirstVerifiedDomain } from '../domains/domains-queries.ts'
import type { AcceptMime } from '../emails/accept/accept-mime.ts'
import { ApiError } from '../lib/api-error.ts'
import { CannotStart } from '../lib/cannot-start.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type Mailbox, parseAddress, parseMailbox } from '../mime/address.ts'
import { buildMessage } from '../mime/build.ts'
import { findFirstTeam } from '../teams/teams-queries.ts'
import type { AccountMail } from './mail-texts.ts'

/** `printed`: capture mode printed the link for the operator. `unsendable`: no verified domain can send the mail. */
export type AccountMailOutcome = 'accepted' | 'printed' | 'unsendable'

/** Sends a mail about an account, or prints its link. Throws DatabaseUnavailable. */
export type SendAccountMail = (mail: AccountMail) => Promise<AccountMailOutcome>

interface AccountMailDeps {
  db: Db
  clock: Clock
  log: Log
  acceptMime: AcceptMime
  /** SENDWRIGHT_ACCOUNT_FROM. Null: an address of the first team's oldest verified domain. */
  from: string | null
}

interface Sender {
  teamId: string
  mailbox: Mailbox
}

const NAME = 'Sendwright'

/**
 * Sends mail about accounts like any other: signed, queued and retried. Its content is withheld from readers of the
 * sending team's emails, because its link would log them in as another user. It is never tracked.
 */
export function createSendAccountMail(deps: AccountMailDeps): SendAccountMail {
  const from = deps.from === null ? null : readSender(deps.from)
  return async (mail) => {
    const { db, clock, log, acceptMime } = deps
    const sender = await findSender(db, from)
    const to = parseAddress(mail.to.email)
    if (sender === null || to === null) return 'unsendable'
    const { teamId, mailbox } = sender
    const now = clock.now()
    const { bytes } = buildMessage({
      messageId: `${newId(now.getTime())}@${mailbox.domain}`,
      date: now,
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
    const request = {
      envelope_from: mailbox.address,
      envelope_to: to.address,
      raw_message: bytes.toString('utf8'),
    }
    try {
      await acceptMime(request, { teamId, domainId: null }, null, { isWithheld: true })
      return 'accepted'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log.warn({ reason: error.message }, 'a mail about an account was not accepted')
      return 'unsendable'
    }
  }
}

function readSender(text: string): Mailbox {
  const mailbox = parseMailbox(text)
  if (mailbox === null) throw new CannotStart(`SENDWRIGHT_ACCOUNT_FROM: "${text}" is not an email address.`)
  return mailbox
}

async function findSender(db: Db, from: Mailbox | null): Promise<Sender | null> {
  if (from !== null) {
    const teamId = await findDomainOwner(db, from.domain)
    return teamId === null ? null : { teamId, mailbox: from }
  }
  const team = await findFirstTeam(db)
  const domain = team === null ? null : await findFirstVerifiedDomain(db, team.id)
  if (team === null || domain === null) return null
  return {
    teamId: team.id,
    mailbox: { name: NAME, local: 'no-reply', domain, address: `no-reply@${domain}` },
  }
}
