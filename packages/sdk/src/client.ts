import { Account, ApiKeys, Captured } from './resources/account.ts'
import { Automations } from './resources/automations.ts'
import { Broadcasts } from './resources/broadcasts.ts'
import { Contacts, Lists, Properties } from './resources/contacts.ts'
import { Domains, Senders } from './resources/domains.ts'
import { Emails, type Render } from './resources/emails.ts'
import { Events } from './resources/events.ts'
import { Logs } from './resources/logs.ts'
import { Operator } from './resources/operator.ts'
import { Campaigns, Segments } from './resources/segments.ts'
import { Suppressions, Unsubscriptions } from './resources/suppressions.ts'
import { TemplateFolders, Templates } from './resources/templates.ts'
import { Webhooks } from './resources/webhooks.ts'
import { type ClientOptions, createTransport } from './transport.ts'

/**
 * A client of one Sendwright server. Every call resolves to `{ data, error }` and does not throw; `.orThrow()` returns
 * the data or throws the error.
 *
 * Fields have the names of the API: `reply_to`, `scheduled_at`.
 */
export class Sendwright {
  readonly emails: Emails
  readonly templates: Templates
  readonly templateFolders: TemplateFolders
  readonly domains: Domains
  readonly senders: Senders
  readonly segments: Segments
  readonly campaigns: Campaigns
  readonly broadcasts: Broadcasts
  readonly automations: Automations
  readonly contacts: Contacts
  readonly lists: Lists
  readonly properties: Properties
  readonly suppressions: Suppressions
  readonly unsubscriptions: Unsubscriptions
  readonly webhooks: Webhooks
  readonly events: Events
  readonly apiKeys: ApiKeys
  readonly account: Account
  readonly captured: Captured
  readonly logs: Logs
  readonly operator: Operator

  /** Throws TypeError if the key or the URL is missing, or `headers` have an `Idempotency-Key`. */
  constructor(options: ClientOptions & { render?: Render } = {}) {
    const transport = createTransport(options)
    this.emails = new Emails(transport, options.render)
    this.templates = new Templates(transport)
    this.templateFolders = new TemplateFolders(transport)
    this.domains = new Domains(transport)
    this.senders = new Senders(transport)
    this.segments = new Segments(transport)
    this.campaigns = new Campaigns(transport)
    this.broadcasts = new Broadcasts(transport)
    this.automations = new Automations(transport)
    this.contacts = new Contacts(transport)
    this.lists = new Lists(transport)
    this.properties = new Properties(transport)
    this.suppressions = new Suppressions(transport)
    this.unsubscriptions = new Unsubscriptions(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.apiKeys = new ApiKeys(transport)
    this.account = new Account(transport)
    this.captured = new Captured(transport)
    this.logs = new Logs(transport)
    this.operator = new Operator(transport)
  }
}
