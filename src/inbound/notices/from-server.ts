import { type Fields, findField } from './fields.ts'

/** How mail systems call themselves where they write. */
const WRITER =
  /mailer-daemon|microsoftexchange|microsoft outlook|mail delivery|postmaster|post_master|mail(?:er)? (?:system|administrator|daemon)|maildaemon|mdaemon|mail-daemon|mailsystem|double-bounce|system administrator|systemadministrator|mail server/i

/** Whether a header's From names a mail system, not a person. */
export function isFromServer({ fields }: { fields: Fields }): boolean {
  return WRITER.test(findField(fields, 'from') ?? '')
}
