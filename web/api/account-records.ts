import type { Static } from 'typebox'
import type { DeviceLoginRecord } from '../../src/accounts/device-logins/device-login-schemas.ts'
import type {
  AlertMessageAnswer,
  NotificationsAnswer,
} from '../../src/accounts/notifications/notifications-schemas.ts'
import type { InstallationRecord } from '../../src/accounts/people/installation-schemas.ts'
import type {
  NewPasskeyRecord,
  NewTotp as NewTotpRecord,
  PasskeyOptions as PasskeyOptionsRecord,
  PasskeyRecord,
  RecoveryCodes as RecoveryCodesRecord,
} from '../../src/accounts/second-factor/second-factor-schemas.ts'
import type {
  InvitationDetails,
  InvitationRecord,
  LoginChallengeRecord,
  MemberRecord,
  OwnSession as OwnSessionRecord,
  SentInvitationRecord,
  TeamRecord,
} from '../../src/accounts/users/account-schemas.ts'
import type { Retention as RetentionRecord } from '../../src/privacy/retention/retention-schemas.ts'

/** Records of users and teams. records.ts has the other records. */
export type Installation = Static<typeof InstallationRecord>
export type LoginChallenge = Static<typeof LoginChallengeRecord>
export type DeviceLogin = Static<typeof DeviceLoginRecord>
export type OwnSession = Static<typeof OwnSessionRecord>
export type Team = Static<typeof TeamRecord>
export type Member = Static<typeof MemberRecord>
export type Invitation = Static<typeof InvitationRecord>
export type SentInvitation = Static<typeof SentInvitationRecord>
export type ToldInvitation = Static<typeof InvitationDetails>
export type Retention = Static<typeof RetentionRecord>
export type Passkey = Static<typeof PasskeyRecord>
export type NewPasskey = Static<typeof NewPasskeyRecord>
export type PasskeyOptions = Static<typeof PasskeyOptionsRecord>
export type NewTotp = Static<typeof NewTotpRecord>
export type RecoveryCodes = Static<typeof RecoveryCodesRecord>
export type Notifications = Static<typeof NotificationsAnswer>
export type AlertMessage = Static<typeof AlertMessageAnswer>
