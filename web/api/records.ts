import type { Static } from 'typebox'
import type { AuditEntryAnswer } from '../../src/http/routes/audit.ts'
import type { Usage as UsageSchema } from '../../src/http/routes/usage.ts'
import type {
  EmailSummary as EmailSummarySchema,
  EmailWhole as EmailWholeSchema,
} from '../../src/http/schemas-email.ts'

/** Records of the API, by the schemas that it answers with: types alone, nothing of the server is loaded here. */
export type EmailSummary = Static<typeof EmailSummarySchema>
export type EmailWhole = Static<typeof EmailWholeSchema>
export type Usage = Static<typeof UsageSchema>
export type AuditEntry = Static<typeof AuditEntryAnswer>
