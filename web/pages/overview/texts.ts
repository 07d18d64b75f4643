/** The texts of the overview pages. */
export const texts = {
  alerts: {
    urgent: 'Urgent',
    warning: 'Warning',
    info: 'Info',
    nothingNeedsAttention: 'Nothing needs attention.',
    needsAttention: 'Needs attention',
    since: 'since',
    view: 'View',
  },
  totals: {
    withAResult: 'With a result',
    recipients: 'recipients',
    timeToDeliver: 'Time to deliver',
    fromAcceptanceToDelivery: 'From acceptance to delivery.',
  },
  usageSection: {
    quota: 'Quota',
    plan: (plan: string) => `Plan: ${plan}`,
    usage: 'Usage',
    thisMonth: 'This month',
    today: 'Today',
    noLimit: ' · no limit',
    ofLimit: (limit: string) => ` of ${limit}`,
    shareUsed: (label: string, share: number) => `${label}: ${share} % used`,
    waiting: 'Waiting',
    emailsWithoutFinalStatus: 'Emails without a final status.',
    unknown: 'unknown',
    delayedLongest: 'Delayed longest:',
    accepted: 'accepted',
  },
  page: {
    home: 'Home',
    firstSteps: 'First steps',
    goLive: 'Go live',
    sendATest: 'Send a test',
  },
} as const
