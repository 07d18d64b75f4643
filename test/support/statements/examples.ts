import type { Example } from './evaluate.ts'

const RANGE = { size: 1, offset: 0, after: null, before: null }
const FAR_RANGE = { size: 1, offset: 0, after: null, before: 'a' }
const TEMPLATES = { folderId: 'a', status: 'draft', namePrefix: 'a' }
const NOW = new Date(0)
const AUDIT = { actorId: 'a', targetId: 'a', action: 'a.', from: NOW, to: NOW }
const REQUESTS = {
  id: 'a',
  method: 'GET',
  statusFrom: 400,
  statusTo: 499,
  route: 'a',
  path: 'a/',
  apiKeyId: 'a',
  from: NOW,
  to: NOW,
}
const CONDITION = { sql: (place: (value: unknown) => string) => `c.email = ${place('a')}` }
const EMAILS = {
  toKey: 'a',
  tag: { name: 'a', value: 'b' },
  templateId: 'a',
  from: 'a',
  domainId: 'a',
  status: 'a',
  subjectPart: 'a',
  createdFrom: NOW,
  createdBefore: NOW,
}
const RUNS = { statuses: ['running', 'failed'], version: 1, step: 'a', contactId: 'a' }
const INDEXED = { lead: [{ table: 'delivery', condition: () => "s.address_key = 'a'" }], rest: [] }
const SCANNED = {
  lead: [{ table: 'email', condition: () => 'true' }],
  rest: [{ fits: () => "e.subject = 'a'" }],
}
const CONDITIONS = [
  { type: 'string', operator: 'equals', propertyId: 'a', value: 'a' },
  { type: 'number', operator: 'greater_than', propertyId: 'a', value: 1 },
]

const ofTables = (...tables: string[]): Example[] => tables.map((table) => ({ table }))

/** Example parameters for functions that compose a statement, by function name. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  listAutomations: [
    { teamId: '', status: null, range: RANGE },
    { teamId: '', status: 'active', range: FAR_RANGE },
  ],
  findMatchingContacts: [{ teamId: '', ids: ['a'], condition: CONDITION }],
  readSegmentMembers: [
    { teamId: '', segmentId: '', after: null, until: 'a', condition: CONDITION, countMax: 1 },
  ],
  findOldestWaiting: [{ domainId: null }, { domainId: 'a' }],
  lockAutomationFeed: [{ lock: 'wait' }, { lock: 'skip' }],
  lockKnownSegment: [{ lock: 'wait' }, { lock: 'skip' }],
  compareMembers: [
    {
      teamId: '',
      segmentId: '',
      sweepAfter: null,
      condition: CONDITION,
      counts: { compared: 1, entered: 1 },
    },
  ],
  listRuns: [{ teamId: '', automationId: '', filter: RUNS, range: RANGE }],
  countRuns: [{ teamId: '', automationId: '', filter: RUNS }],
  listBroadcastRecipients: [
    { teamId: '', id: '', type: 'clicked', email: 'a', bounceType: null, range: RANGE },
    { teamId: '', id: '', type: 'bounced', email: null, bounceType: 'permanent', range: RANGE },
  ],
  listWebhookDeliveries: [{ filter: { status: 'failed' }, range: RANGE, teamId: '', webhookId: '' }],
  findScanStop: [{ filter: {}, range: RANGE, teamId: '', webhookId: '' }],
  countWebhookDeliveries: [{ filter: {}, teamId: '', webhookId: '' }],
  listRequests: [
    { teamId: '', filter: REQUESTS, range: { ...RANGE, after: 'a' } },
    { teamId: '', filter: { path: 'a' }, range: FAR_RANGE },
  ],
  findRequestStop: [{ teamId: '', filter: REQUESTS, range: RANGE }],
  countLogged: [{ teamId: '', filter: REQUESTS }],
  findPendingLogin: [{ lock: '' }, { lock: 'for update' }],
  findTemplate: [{ idOrAlias: 'a' }, { idOrAlias: '01970000-0000-7000-8000-000000000000' }],
  holdTemplate: [{ idOrAlias: 'a' }, { idOrAlias: '01970000-0000-7000-8000-000000000000' }],
  listTemplates: [{ teamId: '', filter: TEMPLATES }],
  countTemplates: [{ teamId: '', filter: TEMPLATES }],
  putTeamRetention: [{ side: 'limit_days' }, { side: 'own_days' }],
  listSuppressions: [{ teamId: '', filter: { reason: 'bounce', emails: ['a'] } }],
  listByAddress: [
    { teamId: '', filter: { prefix: 'a' }, ...RANGE, afterAddress: 'a' },
    { teamId: '', filter: { prefix: 'a' }, ...FAR_RANGE, afterAddress: null },
  ],
  countSuppressions: [{ teamId: '', filter: { prefix: 'a' } }],
  deleteSuppressions: [{ named: { ids: [] } }, { named: { emails: [] } }],
  deleteUnsubscription: [{ target: { id: '' } }, { target: { scope: '', emails: [] } }],
  expireCampaignCounts: ofTables('campaign_metric', 'campaign_link'),
  expireEmails: ofTables('delivery', 'attempt', 'email_content', 'packed_content'),
  expireContents: ofTables('email_content', 'packed_content'),
  deleteContents: ofTables('email_content', 'packed_content', 'captured'),
  sweepErasedContents: ofTables('email_content', 'packed_content', 'captured'),
  expireAccounts: [{ table: 'throttle', at: 'forget_at' }],
  listTeamsWithin: ofTables('email', 'event', 'captured', 'webhook_delivery'),
  forgetMetrics: ofTables('metric', 'metric_delay'),
  findMetricNames: [{ dimension: 'domain' }, { dimension: 'template' }],
  chooseLead: [{ teamId: '', filter: EMAILS, range: RANGE }],
  readIndex: [{ teamId: '', search: INDEXED, range: RANGE }],
  scanPage: [{ teamId: '', search: SCANNED, range: RANGE }],
  findStop: [{ teamId: '', search: SCANNED, range: RANGE, scanMax: 1 }],
  'src/emails/read/list-emails-queries.ts countMatching': [
    { teamId: '', search: INDEXED },
    { teamId: '', search: SCANNED },
  ],
  'src/audience/contacts/list-contacts-queries.ts countMatching': [{ teamId: '', conditions: [CONDITION] }],
  countWalking: [{ teamId: '', conditions: [CONDITION], walkMax: 1, countMax: 1 }],
  countAudience: [{ teamId: '', scope: 'a', condition: CONDITION }],
  estimateAudience: [{ teamId: '', scope: 'a', condition: CONDITION, sampleCount: 1 }],
  addAudience: [
    {
      teamId: '',
      id: '',
      condition: CONDITION,
      after: null,
      until: '',
      countMax: 1,
      now: new Date(0),
      hasZones: true,
    },
  ],
  walk: [{ teamId: '', conditions: [CONDITION], range: RANGE, walkMax: 1 }],
  gather: [{ teamId: '', conditions: [CONDITION], range: FAR_RANGE }],
  readInOrder: [{ teamId: '', conditions: [CONDITION], range: RANGE }],
  classifyFallbacks: [{ conditions: CONDITIONS, fallbacks: new Map([['a', '1']]) }],
  listImportErrors: [{ before: null }, { before: 'a' }],
  // Commands, which PostgreSQL cannot describe.
  analyzeGrown: [],
  setSavepoint: [],
  rollBackTo: [],
  sweepPropertyValues: ['text_value', 'number_value', 'date_value'].map((column) => ({ column })),
  listAudit: [{ teamId: '', filter: AUDIT }],
  countAudit: [{ teamId: '', filter: AUDIT }],
  holdReferences: ['sender', 'template', 'segment', 'list'].map((kind) => ({ kind })),
}

/** Columns that may be null in their table but not in the result because of its conditions, by function name. */
export const NEVER_NULL: Readonly<Record<string, readonly string[]>> = {
  // The expiry is compared with two bounds.
  listEndingKeys: ['expires_at'],
  // It matches a `like` pattern.
  findNamingTexts: ['response'],
  // The address is cleared when the erasure completes, and a completed one is never due.
  claimErasure: ['address'],
  // It is joined to an id that is not null.
  findCampaignsOfEmails: ['email_id'],
  findSendingSteps: ['email_id'],
  // It is a condition that there is one.
  listStoppedAutomations: ['reason'],
  // It lies in a range.
  listDatedContacts: ['value'],
}
