import type { SendAccountMail } from '../accounts/account-mail.ts'
import type { Passwords } from '../accounts/passwords/password-hash.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Signer } from '../delivery/sign-message.ts'
import type { AcceptEmail } from '../emails/accept/accept-email.ts'
import type { AcceptEmails } from '../emails/accept/accept-emails.ts'
import type { AcceptMime } from '../emails/accept/accept-mime.ts'
import type { ResendEmail } from '../emails/accept/resend-email.ts'
import type { Idempotent } from '../emails/idempotency/idempotency.ts'
import type { ValidateAddress } from '../emails/validate/validate-address.ts'
import type { FeedWatch } from '../events/feed-watch.ts'
import type { WaitingPlaces } from '../events/waiting-places.ts'
import type { CountLimit } from '../lib/async/count-limit.ts'
import type { FairSemaphore } from '../lib/async/fair-semaphore.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import type { Log } from '../lib/log.ts'
import type { Guard } from '../lib/net/egress-guard.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { OperatorView } from '../operator/operator-view.ts'
import type { FindTemplate } from '../templates/template-cache.ts'
import type { VisitRecorder } from '../tracking/record-visits.ts'

/** What handlers need; made once in assemble.ts. */
export interface Services {
  config: Config
  db: Db
  /** For long lists, whose price is the caller's to set: few connections of their own, and the server ends what is slow. */
  lists: Db
  clock: Clock
  log: Log
  /** The installation's master key (lib/crypto/seal.ts); what is sealed or signed uses keys derived from it. */
  secret: Buffer
  /** What stands for addresses of people who were erased. */
  hashAddress: HashAddress
  /** What links in emails are signed with. */
  linkKeys: { unsubscribe: Buffer; tracking: Buffer }
  /** How often an unsubscription is taken back by its link: every time makes events. */
  undoLimit: CountLimit
  /** Writes what is known of people who open emails and follow links. */
  visits: VisitRecorder
  /** Judges addresses that customers name. */
  guard: Guard
  acceptEmail: AcceptEmail
  acceptMime: AcceptMime
  acceptEmails: AcceptEmails
  resendEmail: ResendEmail
  idempotent: Idempotent
  findTemplate: FindTemplate
  /** A key was changed or revoked here, and that is committed: no request that comes from now on is let in by what was. */
  forgetAccess(): void
  passwords: Passwords
  sendAccountMail: SendAccountMail
  signer: Signer
  /** A CSV import was accepted, and waits to be run. */
  wakeImports(): void
  validateAddress: ValidateAddress
  /** For those who wait for events. */
  feedWatch: FeedWatch
  waitingPlaces: WaitingPlaces
  /** For reading what weighs tens of megabytes: a few at a time, so that everything else goes on between them. */
  largeReads: FairSemaphore
  /** How the installation is, for operators. */
  operatorView: OperatorView
}
