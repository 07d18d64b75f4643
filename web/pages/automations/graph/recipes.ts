import type { Connections, Steps } from './edit-graph.ts'

/** A ready automation. Its templates and lists are chosen in the editor. */
export interface Recipe {
  name: string
  /** What it is for, in a sentence. */
  purpose: string
  steps: Steps
  connections: Connections
  settings?: object
}

type Part = readonly [key: string, type: string, config?: Record<string, unknown>]

/** Returns steps that follow each other. */
function chain(...parts: readonly Part[]): Pick<Recipe, 'steps' | 'connections'> {
  const steps = parts.map(([key, type, config = {}]) => ({ key, type, config }))
  const connections = steps.slice(1).map(({ key }, index) => {
    const { key: from = '', type = '' } = steps[index] ?? {}
    return { from, to: key, type: FIRST_OUTCOMES[type] ?? ('default' as const) }
  })
  return { steps, connections }
}

const FIRST_OUTCOMES: Readonly<Record<string, Connections[number]['type']>> = {
  condition: 'condition_met',
  wait_for_event: 'timeout',
}

const event = (name: string): Part => ['start', 'trigger', { type: 'event', event_name: name }]

export const RECIPES: readonly Recipe[] = [
  {
    name: 'Welcome series',
    purpose: 'Two emails to new subscribers of a list, three days apart.',
    ...chain(
      ['start', 'trigger', { type: 'list_joined' }],
      ['welcome', 'send_email'],
      ['pause', 'delay', { duration: '3 days' }],
      ['tips', 'send_email'],
    ),
  },
  {
    name: 'Onboarding with a goal',
    purpose: 'Tips after sign-up, until the first project is created.',
    ...chain(
      event('user.created'),
      ['welcome', 'send_email'],
      ['first_pause', 'delay', { duration: '2 days' }],
      ['first_tip', 'send_email'],
      ['second_pause', 'delay', { duration: '3 days' }],
      ['second_tip', 'send_email'],
    ),
    settings: { exits: [{ event_name: 'project.created' }] },
  },
  {
    name: 'Trial ending',
    purpose: 'A reminder some days before a trial ends, unless a plan is chosen.',
    ...chain(
      event('trial.started'),
      ['pause', 'delay', { duration: '11 days' }],
      ['reminder', 'send_email'],
      ['last_days', 'delay', { duration: '2 days' }],
      ['last_reminder', 'send_email'],
    ),
    settings: { reentry: 'after_exit', exits: [{ event_name: 'plan.chosen' }] },
  },
  {
    name: 'Failed payment',
    purpose: 'Three reminders after a payment failed, until it succeeds.',
    ...chain(
      event('payment.failed'),
      ['notice', 'send_email'],
      ['wait_3_days', 'wait_for_event', { event_name: 'payment.succeeded', timeout: '3 days' }],
      ['reminder', 'send_email'],
      ['wait_4_days', 'wait_for_event', { event_name: 'payment.succeeded', timeout: '4 days' }],
      ['last_notice', 'send_email'],
    ),
    settings: { reentry: 'after_exit' },
  },
  {
    name: 'Abandoned cart',
    purpose: 'A reminder if no order follows within an hour.',
    ...chain(
      event('cart.updated'),
      ['wait_1_hour', 'wait_for_event', { event_name: 'order.created', timeout: '1 hour' }],
      ['reminder', 'send_email'],
    ),
    settings: { reentry: 'after_exit', on_retrigger: 'restart' },
  },
  {
    name: 'Review request',
    purpose: 'Asks for a review a week after a delivery.',
    ...chain(event('order.delivered'), ['pause', 'delay', { duration: '7 days' }], ['ask', 'send_email']),
    settings: { reentry: 'every_time', reentry_gap: '30 days' },
  },
  {
    name: 'Birthday',
    purpose: 'An email every year on a date of the contact.',
    ...chain(
      [
        'start',
        'trigger',
        { type: 'date', property: 'birthday', repeat: 'yearly', time: '09:00', time_zone: 'contact' },
      ],
      ['greeting', 'send_email'],
    ),
    settings: { reentry: 'after_exit' },
  },
  {
    name: 'Win back',
    purpose: 'An email to contacts that enter a segment, such as those without a recent order.',
    ...chain(
      ['start', 'trigger', { type: 'segment_entered' }],
      ['offer', 'send_email'],
      ['wait_7_days', 'wait_for_event', { event_name: 'order.created', timeout: '7 days' }],
      ['last_offer', 'send_email'],
    ),
    settings: { reentry: 'after_exit', reentry_gap: '90 days' },
  },
  {
    name: 'Digest of activity',
    purpose: 'Collects events of an hour into one email.',
    ...chain(
      event('comment.created'),
      ['collect', 'digest', { duration: '1 hour' }],
      ['summary', 'send_email'],
    ),
    settings: { reentry: 'after_exit' },
  },
  {
    name: 'Upgrade by plan',
    purpose: 'Different emails for contacts on a paid plan and on a free one.',
    ...withBranch(),
  },
]

function withBranch(): Pick<Recipe, 'steps' | 'connections'> {
  const { steps, connections } = chain(
    event('user.created'),
    ['is_paid', 'condition', { type: 'rule', field: 'contact.plan', operator: 'neq', value: 'free' }],
    ['thanks', 'send_email'],
  )
  return {
    steps: [...steps, { key: 'offer', type: 'send_email', config: {} }],
    connections: [...connections, { from: 'is_paid', to: 'offer', type: 'condition_not_met' }],
  }
}
