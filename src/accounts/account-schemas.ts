import Type from 'typebox'
import { ROLES } from '../access/roles.ts'
import {
  ADDRESS_CHARS_MAX,
  DeliveryKind,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/schemas.ts'

/** Longer texts are nobody's password, and each costs as much as it is long. */
const PASSWORD_CHARS_MAX = 4096

export const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'The address of the person.',
})
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'What others call the person.',
})
export const TeamName = Type.String({ minLength: 1, maxLength: 255, description: 'The name of the team.' })
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What stands behind `#token=` in the link.',
})
export const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_CHARS_MAX,
  description: 'The password.',
})
export const NewPassword = Type.String({
  maxLength: PASSWORD_CHARS_MAX,
  description: 'At least 10 characters, at most 1,024; none of the most common, and not the address.',
})
export const RoleName = Type.Enum(ROLES.toReversed(), {
  title: 'Role',
  description: 'What the person may do in the team (docs/permissions.md).',
})

export const USER_ID = '0198c0de-0000-7000-8000-0000000000f1'
const TEAM_ID = '0198c0de-0000-7000-8000-0000000000f2'
const AT = '2026-01-15 09:30:00'

const User = Type.Object(
  {
    id: Uuid,
    email: Text('The address of the person, as addresses are compared.'),
    name: Text('What others call the person.'),
    is_operator: Type.Boolean({ description: 'Whether the person sees and changes the whole installation.' }),
    has_password: Type.Boolean({ description: 'Whether a password was ever set.' }),
    totp_enabled: Type.Boolean({ description: 'Whether logins need a code of an authenticator app.' }),
    passkey_count: Type.Integer({ description: 'How many passkeys the person has.' }),
    recovery_codes_left: Type.Integer({ description: 'How many of the recovery codes are not used yet.' }),
    created_at: Timestamp,
  },
  { title: 'User', description: 'Who is logged in.' },
)

const TeamOfUser = Type.Object(
  {
    id: Uuid,
    name: Text('The name of the team.'),
    role: RoleName,
    plan: Text('The plan of the team.'),
    sending_paused_at: TimestampOrNull,
    sending_paused_reason: TextOrNull('Why it may not send, in words for its people.'),
    sending_paused_by: TextOrNull('`operator`, or `reputation`: the service itself.'),
    may_read: Type.Array(Type.String(), {
      description: 'Areas that the role may read (docs/permissions.md).',
    }),
    may_change: Type.Array(Type.String(), { description: 'Areas that the role may change.' }),
  },
  { title: 'TeamMembership' },
)

const Installation = Type.Object(
  {
    delivery: DeliveryKind,
    public_url: Text('PUBLIC_URL.'),
    smtp: Type.Object(
      {
        host: Text('The name of this server.'),
        port: IntegerOrNull('For SMTP submission with STARTTLS; null: off.'),
        tls_port: IntegerOrNull('For SMTP submission with TLS from the first byte; null: off.'),
      },
      { description: 'Where mail is submitted by SMTP.' },
    ),
    version: Text('Of Sendwright.'),
  },
  { title: 'InstallationInfo', description: 'What runs here.' },
)

export const SessionRecord = Type.Object(
  {
    object: Type.Literal('session'),
    id: Uuid,
    created_at: Timestamp,
    user: User,
    teams: Type.Array(TeamOfUser, { description: 'Teams of the person, oldest first.' }),
    installation: Installation,
  },
  {
    title: 'Session',
    examples: [
      {
        object: 'session',
        id: '0198c0de-0000-7000-8000-0000000000f3',
        created_at: AT,
        user: {
          ...{ id: USER_ID, email: 'ann@example.com', name: 'Ann', is_operator: true, has_password: true },
          ...{ totp_enabled: false, passkey_count: 0, recovery_codes_left: 0, created_at: AT },
        },
        teams: [
          {
            ...{ id: TEAM_ID, name: 'Acme', role: 'viewer', plan: 'unlimited' },
            ...{ sending_paused_at: null, sending_paused_reason: null, sending_paused_by: null },
            ...{ may_read: ['Emails'], may_change: [] },
          },
        ],
        installation: {
          ...{ delivery: 'direct', public_url: 'https://mail.example.com', version: '1.0.0' },
          smtp: { host: 'mail.example.com', port: 2587, tls_port: 2465 },
        },
      },
    ],
  },
)

export const LoginChallengeRecord = Type.Object(
  {
    object: Type.Literal('login_challenge'),
    challenge_id: Uuid,
    methods: Type.Array(Type.Enum(['totp', 'passkey', 'recovery_code']), {
      description: 'What the person can show: one of them is enough.',
    }),
    expires_at: Timestamp,
  },
  {
    title: 'LoginChallenge',
    examples: [
      {
        object: 'login_challenge',
        challenge_id: '0198c0de-0000-7000-8000-0000000000f4',
        methods: ['totp', 'recovery_code'],
        expires_at: AT,
      },
    ],
  },
)

export const OwnSession = Type.Object(
  {
    object: Type.Literal('user_session'),
    id: Uuid,
    is_current: Type.Boolean({ description: 'Whether this request came with it.' }),
    ip_address: Text('Where the login came from.'),
    user_agent: TextOrNull('What the browser called itself.'),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
  },
  {
    title: 'SessionSummary',
    examples: [
      {
        object: 'user_session',
        id: '0198c0de-0000-7000-8000-0000000000f3',
        is_current: true,
        ip_address: '203.0.113.9',
        user_agent: 'Mozilla/5.0',
        created_at: AT,
        last_seen_at: AT,
        expires_at: AT,
      },
    ],
  },
)

export const TeamRecord = Type.Object(
  {
    object: Type.Literal('team'),
    id: Uuid,
    name: Text('The name of the team.'),
    plan: Text('Its plan.'),
    sending_paused_at: TimestampOrNull,
    sending_paused_reason: TextOrNull('Why it may not send, in words for its people.'),
    sending_paused_by: TextOrNull('`operator`, or `reputation`: the service itself.'),
    created_at: Timestamp,
  },
  {
    title: 'Team',
    examples: [
      {
        ...{ object: 'team', id: TEAM_ID, name: 'Acme', plan: 'unlimited', sending_paused_at: null },
        ...{ sending_paused_reason: null, sending_paused_by: null, created_at: AT },
      },
    ],
  },
)

export const MemberRecord = Type.Object(
  {
    object: Type.Literal('member'),
    id: Type.String({ format: 'uuid', description: 'Of the user.' }),
    email: Text('The address of the person.'),
    name: Text('What others call the person.'),
    role: RoleName,
    is_you: Type.Boolean({ description: 'Whether it is who asks.' }),
    created_at: Timestamp,
  },
  {
    title: 'Member',
    examples: [
      {
        ...{ object: 'member', id: USER_ID, email: 'ann@example.com', name: 'Ann', role: 'owner' },
        ...{ is_you: true, created_at: AT },
      },
    ],
  },
)

const invitation = {
  object: Type.Literal('invitation'),
  id: Uuid,
  email: Text('Who is invited.'),
  role: RoleName,
  status: Type.Enum(['pending', 'expired'], {
    description: '`expired`: its link is too old; send it again.',
  }),
  expires_at: Timestamp,
  created_at: Timestamp,
}
const INVITATION = {
  ...{ object: 'invitation', id: '0198c0de-0000-7000-8000-0000000000f5', email: 'bob@example.com' },
  ...{ role: 'member', status: 'pending', expires_at: AT, created_at: AT },
}
export const InvitationRecord = Type.Object(invitation, { title: 'Invitation', examples: [INVITATION] })
export const SentInvitationRecord = Type.Object(
  {
    ...invitation,
    emailed: Type.Boolean({
      description: 'Whether it is on its way by mail; else hand over the link yourself.',
    }),
    printed: Type.Boolean({
      description:
        'True in capture mode: the server sent no account mail and printed the link in its terminal and log.',
    }),
    link: Text('Works once, for an hour. Shown this once.'),
  },
  {
    title: 'SentInvitation',
    examples: [
      {
        ...INVITATION,
        emailed: true,
        printed: false,
        link: 'https://mail.example.com/app/invitation#token=...',
      },
    ],
  },
)

export const ToldInvitationRecord = Type.Object(
  {
    object: Type.Literal('invitation'),
    team: Type.Object(
      { name: Text('The name of the team.') },
      { description: 'The team that the invitation is for.' },
    ),
    email: Text('Who is invited.'),
    role: RoleName,
    invited_by: TextOrNull('The name of who invited.'),
    has_account: Type.Boolean({
      description: 'Whether the person must log in, rather than choose a password.',
    }),
    expires_at: Timestamp,
  },
  {
    title: 'InvitationDetails',
    examples: [
      {
        ...{ object: 'invitation', team: { name: 'Acme' }, email: 'bob@example.com', role: 'member' },
        ...{ invited_by: 'Ann', has_account: false, expires_at: AT },
      },
    ],
  },
)
