/** One tool: a route that agents may call. The route's schemas, permission, limits and audit apply as for any request. */
export interface Tool {
  /** The name that agents use. */
  name: string
  /** The `operationId` of the route. */
  operationId: string
  /** Added to the description of the route: how an agent should use the tool. */
  hint?: string
  /** The call reaches servers of other parties: recipients, DNS. */
  isOpenWorld?: true
  /** The call ends or overwrites something, although its method does not say so. */
  isDestructive?: true
}

/**
 * All tools. Clients give agents every tool with its whole schema, so each one costs all conversations room: at most 31.
 * To add one, remove one that agents use less.
 */
export const TOOLS: readonly Tool[] = [
  {
    name: 'send_email',
    operationId: 'sendEmail',
    isOpenWorld: true,
    hint: 'Addresses such as bounced@simulator.test test the handling of results and reach nobody.',
  },
  { name: 'list_emails', operationId: 'listEmails' },
  {
    name: 'get_email',
    operationId: 'getEmail',
    hint: 'Each recipient has a status, a category and advice: the reason why an email bounced or is late.',
  },
  {
    name: 'list_attempts',
    operationId: 'listAttempts',
    hint: 'Use it to explain a bounce: each attempt has the SMTP dialogue, the category and advice.',
  },
  { name: 'cancel_email', operationId: 'cancelEmail', isDestructive: true },
  { name: 'validate_address', operationId: 'validateAddress', isOpenWorld: true },
  { name: 'list_domains', operationId: 'listDomains' },
  {
    name: 'verify_domain',
    operationId: 'verifyDomain',
    isOpenWorld: true,
    hint: 'Returns the DNS records that the domain needs, and which of them were found.',
  },
  { name: 'list_templates', operationId: 'listTemplates' },
  { name: 'get_template', operationId: 'getTemplate' },
  {
    name: 'update_template',
    operationId: 'updateTemplate',
    hint: 'If the template is published, the next email uses the change.',
  },
  { name: 'publish_template', operationId: 'publishTemplate', isDestructive: true },
  { name: 'list_suppressions', operationId: 'listSuppressions' },
  { name: 'suppress_address', operationId: 'suppressAddress' },
  { name: 'remove_suppression', operationId: 'removeSuppression' },
  { name: 'list_contacts', operationId: 'listContacts' },
  { name: 'update_contact', operationId: 'updateContact' },
  { name: 'delete_contact', operationId: 'deleteContact' },
  { name: 'get_metrics', operationId: 'getEmailMetrics' },
  { name: 'list_alerts', operationId: 'listAlerts' },
  { name: 'list_captured_emails', operationId: 'listCapturedEmails' },
  { name: 'list_campaigns', operationId: 'listCampaigns' },
  {
    name: 'get_campaign',
    operationId: 'getCampaign',
    hint: 'Has the number of recipients by state, and why a paused campaign waits.',
  },
  {
    name: 'send_campaign',
    operationId: 'sendCampaign',
    isOpenWorld: true,
    isDestructive: true,
    hint: 'Tell the user its name, subject and audience when you ask. What was sent cannot be taken back.',
  },
  { name: 'pause_campaign', operationId: 'pauseCampaign', hint: 'People can resume it in the dashboard.' },
  { name: 'list_automations', operationId: 'listAutomations', hint: 'Each has its whole graph.' },
  {
    name: 'list_automation_runs',
    operationId: 'listAutomationRuns',
    hint: 'Use the status failed to find contacts that are stuck, and contact_id to follow one.',
  },
  {
    name: 'get_automation_run',
    operationId: 'getAutomationRun',
    hint: 'Use it to explain why a contact got an email, or did not.',
  },
  { name: 'dry_run_automation', operationId: 'dryRunAutomation' },
  {
    name: 'pause_automation',
    operationId: 'stopAutomation',
    isDestructive: true,
    hint: 'People can resume it in the dashboard.',
  },
  { name: 'send_event', operationId: 'sendEvent', isOpenWorld: true },
]
