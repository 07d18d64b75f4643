import type { Clock } from '../base/clock.ts'
import type { CountLimit } from '../base/count-limit.ts'
import type { Guard } from '../base/egress-guard.ts'
import type { HashAddress } from '../base/erased-address.ts'
import type { FairGate } from '../base/fair-gate.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { FeedWatch } from '../events/feed-watch.ts'
import type { AcceptEmail } from '../operations/accept-email.ts'
import type { AcceptEmails } from '../operations/accept-emails.ts'
import type { AcceptMime } from '../operations/accept-mime.ts'
import type { SendAccountMail } from '../operations/accounts/account-mail.ts'
import type { Passwords } from '../operations/accounts/password-hash.ts'
import type { Idempotent } from '../operations/idempotency.ts'
import type { OperatorView } from '../operations/operator-view/operator-view.ts'
import type { ResendEmail } from '../operations/resend-email.ts'
import type { Signer } from '../operations/sign-message.ts'
import type { FindTemplate } from '../operations/template-cache.ts'
import type { VisitRecorder } from '../operations/tracking/record-visits.ts'
import type { ValidateAddress } from '../operations/validate-address.ts'
import type { Db } from '../store/db.ts'
import type { WaitingPlaces } from './waiting-places.ts'

/** What handlers need; made once in assemble.ts. */
export interface Services {
  config: Config
  db: Db
  /** For long lists, whose price is the caller's to set: few connections of their own, and the server ends what is slow. */
  lists: Db
  clock: Clock
  log: Log
  /** The installation's master key (base/seal.ts); what is sealed or signed uses keys derived from it. */
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
  largeReads: FairGate
  /** How the installation is, for operators. */
  operatorView: OperatorView
}
