import { decodeSubject } from '../../mime/raw/raw-mailbox.ts'
import { type Fields, findField } from './fields.ts'

/** Names of mail systems as authors. */
const WRITER =
  /mailer-daemon|microsoftexchange|microsoft outlook|mail delivery|postmaster|post_master|mail(?:er)? (?:system|administrator|daemon)|maildaemon|mdaemon|mail-daemon|mailsystem|double-bounce|system administrator|systemadministrator|mail server|(?:^|[<"\s])(?:e?mail|smtp)?[-_.]?gate(?:way)?@|administra(?:dor|teur|tore) (?:del? |di |do )?(?:sistema|syst[eè]me)|systeembeheerder|systemadministrat[oö]r|administrator systemu|системный администратор/iu

/** Returns whether the From field names a mail system, not a person. */
export function isFromServer({ fields }: { fields: Fields }): boolean {
  return WRITER.test(decodeSubject(findField(fields, 'from') ?? ''))
}
