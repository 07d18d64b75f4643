import type { Static } from 'typebox'
import type { InstallationRecord } from '../../src/http/routes/getting-in.ts'
import type { Retention as RetentionRecord } from '../../src/http/routes/retention.ts'
import type {
  InvitationRecord,
  LoginChallengeRecord,
  MemberRecord,
  OwnSession as OwnSessionRecord,
  SentInvitationRecord,
  TeamRecord,
  ToldInvitationRecord,
} from '../../src/http/schemas-account.ts'
import type {
  NewPasskeyRecord,
  NewTotp as NewTotpRecord,
  PasskeyOptions as PasskeyOptionsRecord,
  PasskeyRecord,
  RecoveryCodes as RecoveryCodesRecord,
} from '../../src/http/schemas-second-factor.ts'

/** Records of people and teams, as records.ts has the others. */
export type Installation = Static<typeof InstallationRecord>
export type LoginChallenge = Static<typeof LoginChallengeRecord>
export type OwnSession = Static<typeof OwnSessionRecord>
export type Team = Static<typeof TeamRecord>
export type Member = Static<typeof MemberRecord>
export type Invitation = Static<typeof InvitationRecord>
export type SentInvitation = Static<typeof SentInvitationRecord>
export type ToldInvitation = Static<typeof ToldInvitationRecord>
export type Retention = Static<typeof RetentionRecord>
export type Passkey = Static<typeof PasskeyRecord>
export type NewPasskey = Static<typeof NewPasskeyRecord>
export type PasskeyOptions = Static<typeof PasskeyOptionsRecord>
export type NewTotp = Static<typeof NewTotpRecord>
export type RecoveryCodes = Static<typeof RecoveryCodesRecord>
