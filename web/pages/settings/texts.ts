import { plural } from '../../ui/plural.ts'

/** The texts of the settings pages. */
export const texts = {
  general: {
    team: 'Team',
    teamRenamed: 'Team renamed.',
    name: 'Name',
    saveName: 'Save name',
    plan: 'Plan',
    sending: 'Sending',
    on: 'On',
    paused: 'Paused',
    created: 'Created',
    id: 'ID',
    copyTheId: 'Copy ID',
  },
  invitations: {
    invited: 'Invited',
    role: 'Role',
    expires: 'Expires',
    actions: 'Actions',
    pendingInvitations: 'Pending invitations',
    noPendingInvitations: 'No pending invitations.',
    inviteAPerson: 'Invite member',
    theInvitationIsReady: 'The invitation is ready',
    expired: 'Expired',
    pending: 'Pending',
    invitationOfWithdrawn: (email: string) => `Invitation of ${email} withdrawn.`,
    actionsInvitation: (email: string) => `Actions for the invitation of ${email}`,
    sendAgainNewLink: 'Send again with a new link',
    withdraw: 'Withdraw',
  },
  inviteForm: {
    inviteAPerson: 'Invite member',
    theInvitationIsReady: 'The invitation is ready',
    email: 'Email',
    role: 'Role',
    invite: 'Invite',
  },
  leaveTeam: {
    youHaveLeft: (name: string) => `You have left ${name}.`,
    leaveQuestion: (name: string) => `Leave ${name}?`,
    loseAccessOnceCome: 'You lose access at once. To come back, you need a new invitation.',
    leaveTeam: 'Leave team',
    leaveTheTeam: 'Leave team',
    onlyOwnerLeaveMake: 'You are the only owner. To leave, make another member an owner first.',
  },
  members: {
    person: 'Person',
    role: 'Role',
    since: 'Since',
    actions: 'Actions',
    members: 'Members',
    noMembers: 'No members',
    invitePersonAddMember: 'Invite a person to add a member.',
    you: 'You',
    isNow: (name: string, role: string) => `${name} is now ${role}.`,
    becomeRole: (role: string) => `Become ${role}?`,
    cannotUndoYourself: 'You cannot undo this yourself.',
    changeMyRole: 'Change my role',
    roleOf: (name: string) => `Role of ${name}`,
    removedFromTheTeam: (name: string) => `${name} removed from the team.`,
    removeQuestion: (name: string) => `Remove ${name}?`,
    losesAccessTeamOnce: (email: string) =>
      `${email} loses access to this team at once. Everything they created is kept, including API keys. You can invite them again.`,
    removeFromTheTeam: 'Remove from the team',
    removeNamed: (name: string) => `Remove ${name} from the team`,
  },
  periods: {
    days: (count: number) => plural(count, 'day', 'days'),
    forever: 'Forever',
    longestAllowed: (words: string) => `${words} (the longest allowed)`,
  },
  retentionPeriods: {
    periods: {
      content: {
        label: 'Content of emails',
        description: 'HTML, text, headers and attachments, and the captured mailbox.',
      },
      attempts: { label: 'Delivery attempts', description: 'Every attempt with its SMTP transcript.' },
      events: { label: 'Events', description: 'The event feed and the timelines of emails.' },
      webhook_deliveries: {
        label: 'Webhook deliveries',
        description: 'Requests to endpoints and their responses.',
      },
    },
    retention: 'Retention',
    howLongDataKept: 'How long data is kept after an email is accepted. The operator sets the maximum.',
    forever: 'Forever',
    retentionPeriodsChanged: 'Retention periods changed.',
    shortenTheRetentionPeriods: 'Shorten the retention periods?',
    dataOlderThanShortened: 'Data older than a shortened period is permanently deleted within hours.',
    shorten: 'Shorten',
    emailsRecipientsKeptLongest: (emails: string) =>
      `Emails and their recipients are kept for ${emails}, the longest of these periods.`,
    savePeriods: 'Save periods',
  },
  roleTable: {
    words: { change: 'Change', read: 'View', none: '–' },
    roles: 'Roles',
    youAreOfThis: (own: string) => `You are ${own} of this team.`,
    permissionsByArea: 'Permissions by area',
    permissionsEachRoleArea: 'Permissions of each role by area',
    area: 'Area',
  },
  notifications: {
    title: 'Alert emails',
    description:
      'For you alone. One email when alerts begin or end; the first one lists those that are open.',
    emailMe: 'Email me alerts of this team',
    kindsLabel: 'Alerts',
    kinds: {
      sending_paused: 'Sending is paused',
      campaign_paused: 'Campaign paused by Sendwright',
      domain_failing: 'Domain verification failed',
      domain_unverified: 'Domain not verified',
      bounce_rate: 'High bounce rate',
      complaint_rate: 'High complaint rate',
      quota_month: 'Monthly quota nearly used',
      quota_day: 'Daily quota nearly used',
      webhook_disabled: 'Webhook disabled',
      webhook_failing: 'Webhook failing',
      email_waiting: 'Emails waiting for 2 hours',
      site_paused: 'Delivery to a site on hold',
      api_key_expiring: 'API key expires soon',
    },
    every: 'At most one email',
    minutes: (count: number) =>
      count === 1
        ? 'every minute'
        : count < 60
          ? `every ${count} minutes`
          : count === 60
            ? 'every hour'
            : count === 1440
              ? 'every day'
              : `every ${Math.round(count / 60)} hours`,
    saved: 'Alert emails saved.',
    saveEmails: 'Save alert emails',
    sendTest: { email: 'Send a test to me', webhook: 'Send a test to the webhook' },
    testSent: 'Test queued. Its result appears below.',
    webhook: 'Alert webhook',
    webhookDescription: 'Posts the alerts of the team to a Slack channel or any URL.',
    url: 'Webhook URL',
    signingSecret: 'Signing secret',
    saveWebhook: 'Save webhook',
    webhookSaved: 'Alert webhook saved.',
    deleteWebhook: 'Delete webhook',
    webhookDeleted: 'Alert webhook deleted.',
    recent: 'Recent alert messages',
    reasons: { summary: 'Summary', change: 'Alerts', test: 'Test' },
    channels: { email: 'email', webhook: 'webhook' },
    message: (reason: string, channel: string, count: number) =>
      `${reason} by ${channel}: ${count} ${plural(count, 'alert', 'alerts')}`,
    statuses: { waiting: 'Queued', sent: 'Sent', failed: 'Failed' },
  },
  page: {
    teamSettings: 'Team settings',
    goLive: 'Go live',
    membersRolesDataRetention: 'Members, roles, alerts and data retention.',
    inviteAPerson: 'Invite member',
  },
} as const
