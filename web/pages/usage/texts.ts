import { plural } from '../../ui/plural.ts'

/** The texts of the usage pages. */
export const texts = {
  meter: {
    noLimit: (unit: string) => `${unit}, no limit`,
    ofLimitUnit: (limit: string, unit: string) => `of ${limit} ${unit}`,
    ofUsed: (percent: number, unit: string) => `${percent} % of ${unit} used`,
    percentUsed: (percent: number) => `${percent} % used. `,
    resets: 'Resets',
  },
  monthBars: {
    usageByMonth: 'Usage by month',
    month: 'Month',
    recipients: 'Recipients',
    emails: 'Emails',
    shareBusiestMonth: 'Share of the busiest month',
  },
  page: {
    recipients: 'recipients',
    requests: 'requests',
    usageAndLimits: 'Usage and limits',
    quotasCountRecipientsEmail:
      'Quotas count recipients: an email to three people counts as three. Months and days are in UTC.',
    thisMonth: 'This month',
    plan: (plan: string) => `Plan: ${plan}`,
    emailsAccepted: (count: number) =>
      plural(count, '1 email accepted', `${count.toLocaleString()} emails accepted`),
    today: 'Today',
    fromMidnightMidnightUtc: 'From midnight to midnight, UTC',
    sendingRequests: 'Sending requests',
    perMinutePostEmails: 'Per minute, for POST /emails and related endpoints',
    byMonth: 'By month',
    noEmailsSentYet: 'No emails sent yet',
    everyMonthSentEmail: 'Every month with sent email appears here.',
  },
} as const
