import Type from 'typebox'
import { ROLES } from '../../access/roles.ts'
import {
  ADDRESS_CHARS_MAX,
  DeliveryKind,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../../http/route/schemas.ts'

/** Longer texts are not real passwords, and hashing costs grow with their length. */
const PASSWORD_CHARS_MAX = 4096

export const EmailAddress = Type.String({
  title: 'PersonAddress',
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'Address of the person.',
})
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the person.',
})
export const TeamName = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the team.' })
export const LinkToken = Type.String({
  title: 'LinkToken',
  minLength: 1,
  maxLength: 200,
  description: 'Value of `#token=` in the link.',
})
export const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_CHARS_MAX,
  description: 'Password.',
})
export const NewPassword = Type.String({
  title: 'NewPassword',
  maxLength: PASSWORD_CHARS_MAX,
  description: '10 to 1,024 characters. Not a common password, not the address.',
})
export const RoleName = Type.Enum(ROLES.toReversed(), {
  title: 'Role',
  description: 'Sets what the person may do in the team.',
})

export const USER_ID = '0198c0de-0000-7000-8000-0000000000f1'
const TEAM_ID = '0198c0de-0000-7000-8000-0000000000f2'
const AT = '2026-01-15 09:30:00'

const User = Type.Object(
  {
    id: Uuid,
    email: Text('Normalized address.'),
    name: Text('Name of the person.'),
    is_operator: Type.Boolean({ description: 'Whether the person is an operator.' }),
    has_password: Type.Boolean({ description: 'Whether a password is set.' }),
    totp_enabled: Type.Boolean({ description: 'Whether logins need an authenticator app.' }),
    passkey_count: Type.Integer({ description: 'Number of passkeys.' }),
    recovery_codes_left: Type.Integer({ description: 'Unused recovery codes.' }),
    created_at: Timestamp,
  },
  { title: 'User', description: 'Logged-in user.' },
)

const TeamOfUser = Type.Object(
  {
    id: Uuid,
    name: Text('Name of the team.'),
    role: RoleName,
    plan: Text('Plan of the team.'),
    sending_paused_at: TimestampOrNull,
    sending_paused_reason: TextOrNull('Why sending is paused, for people.'),
    sending_paused_by: TextOrNull('`operator`, or `reputation` (automatic).'),
    events_cursor: Text('`after` for `GET /events`.'),
    may_read: Type.Array(Type.String(), {
      description: 'Areas that the role may read.',
    }),
    may_change: Type.Array(Type.String(), { description: 'Areas that the role may change.' }),
  },
  { title: 'TeamMembership' },
)

const Installation = Type.Object(
  {
    delivery: DeliveryKind,
    public_url: Text('Setting `PUBLIC_URL`.'),
    smtp: Type.Object(
      {
        host: Text('Host name of this server.'),
        port: IntegerOrNull('Port with STARTTLS. Null: off.'),
        tls_port: IntegerOrNull('Port with implicit TLS. Null: off.'),
      },
      { description: 'Settings for SMTP submission.' },
    ),
    version: Text('Version of Sendwright.'),
  },
  { title: 'InstallationInfo', description: 'The installation.' },
)

export const SessionRecord = Type.Object(
  {
    object: Type.Literal('session'),
    id: Uuid,
    created_at: Timestamp,
    user: User,
    teams: Type.Array(TeamOfUser, { description: 'Oldest first.' }),
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
          id: USER_ID,
          email: 'ann@example.com',
          name: 'Ann',
          is_operator: true,
          has_password: true,
          totp_enabled: false,
          passkey_count: 0,
          recovery_codes_left: 0,
          created_at: AT,
        },
        teams: [
          {
            id: TEAM_ID,
            name: 'Acme',
            role: 'viewer',
            plan: 'unlimited',
            sending_paused_at: null,
            sending_paused_reason: null,
            sending_paused_by: null,
            events_cursor: 'MS40Mg',
            may_read: ['Emails'],
            may_change: [],
          },
        ],
        installation: {
          delivery: 'direct',
          public_url: 'https://mail.example.com',
          version: '1.0.0',
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
      description: 'Second factors that the person can use. One is enough.',
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
    is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    ip_address: Text('IP address of the login.'),
    user_agent: TextOrNull('User agent of the browser.'),
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
    name: Text('Name of the team.'),
    plan: Text('Plan of the team.'),
    sending_paused_at: TimestampOrNull,
    sending_paused_reason: TextOrNull('Why sending is paused, for people.'),
    sending_paused_by: TextOrNull('`operator`, or `reputation` (automatic).'),
    created_at: Timestamp,
  },
  {
    title: 'Team',
    examples: [
      {
        object: 'team',
        id: TEAM_ID,
        name: 'Acme',
        plan: 'unlimited',
        sending_paused_at: null,
        sending_paused_reason: null,
        sending_paused_by: null,
        created_at: AT,
      },
    ],
  },
)

export const MemberRecord = Type.Object(
  {
    object: Type.Literal('member'),
    id: Type.String({ format: 'uuid', description: 'Id of the user.' }),
    email: Text('Address of the person.'),
    name: Text('Name of the person.'),
    role: RoleName,
    is_you: Type.Boolean({ description: 'Whether it is the logged-in user.' }),
    created_at: Timestamp,
  },
  {
    title: 'Member',
    examples: [
      {
        object: 'member',
        id: USER_ID,
        email: 'ann@example.com',
        name: 'Ann',
        role: 'owner',
        is_you: true,
        created_at: AT,
      },
    ],
  },
)

const invitation = {
  object: Type.Literal('invitation'),
  id: Uuid,
  email: Text('Address of the invited person.'),
  role: RoleName,
  status: Type.Enum(['pending', 'expired'], {
    description: '`expired`: the link no longer works. Resend the invitation.',
  }),
  expires_at: Timestamp,
  created_at: Timestamp,
}
const INVITATION = {
  object: 'invitation',
  id: '0198c0de-0000-7000-8000-0000000000f5',
  email: 'bob@example.com',
  role: 'member',
  status: 'pending',
  expires_at: AT,
  created_at: AT,
}
export const InvitationRecord = Type.Object(invitation, { title: 'Invitation', examples: [INVITATION] })
export const SentInvitationRecord = Type.Object(
  {
    ...invitation,
    emailed: Type.Boolean({
      description: 'Whether Sendwright emails the link. If not, pass it on yourself.',
    }),
    printed: Type.Boolean({
      description: 'Whether the server printed the link to its terminal and log instead, as in capture mode.',
    }),
    link: Text('Works once, within an hour. Returned only in this response.'),
  },
  {
    title: 'SentInvitation',
    'x-extends': 'Invitation',
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

export const InvitationDetails = Type.Object(
  {
    object: Type.Literal('invitation'),
    team: Type.Object({ name: Text('Name of the team.') }, { description: 'Team that the person can join.' }),
    email: Text('Address of the invited person.'),
    role: RoleName,
    invited_by: TextOrNull('Name of the inviting person.'),
    has_account: Type.Boolean({
      description: 'Whether the person has an account, and must log in to it.',
    }),
    expires_at: Timestamp,
  },
  {
    title: 'InvitationDetails',
    examples: [
      {
        object: 'invitation',
        team: { name: 'Acme' },
        email: 'bob@example.com',
        role: 'member',
        invited_by: 'Ann',
        has_account: false,
        expires_at: AT,
      },
    ],
  },
)
