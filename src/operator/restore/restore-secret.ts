import type { Config } from '../../config/config.ts'
import type { BackupHeader } from '../../db/backup/backup-header.ts'
import type { Queryable } from '../../db/db-types.ts'
import { opensDkimKeys } from '../../domains/domain-keys.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import {
  deriveKey,
  digestSecret,
  findSecretText,
  makeSecretFile,
  seal,
  unseal,
} from '../../lib/crypto/seal.ts'

const PURPOSE = 'backup check'
const CHECK = Buffer.from('sendwright')

type Place = Pick<Config, 'dataDir' | 'secretKey' | 'databaseUrl'>

/**
 * What a backup says of the secret key: a value that no other key opens, and the key itself where it was asked for. Throws
 * CannotStart when the key is not here, or is not the one of this database: the backup would be of no use.
 */
export async function describeSecret(
  db: Queryable,
  place: Place,
  isWithSecret: boolean,
): Promise<Pick<BackupHeader, 'sealed_check' | 'secret_key'>> {
  const text = findSecretText(place.dataDir, place.secretKey) ?? makeOwn(place)
  if (text === null) {
    throw new CannotStart(
      `The secret key of the installation is not here: set SENDWRIGHT_SECRET_KEY, or SENDWRIGHT_DATA_DIR to where its secret-key is.`,
    )
  }
  const secret = digestSecret(text)
  if (!(await opensDkimKeys(db, secret))) {
    throw new CannotStart('SENDWRIGHT_SECRET_KEY is not the one of this database: its DKIM keys do not open.')
  }
  const check = seal(deriveKey(secret, PURPOSE), CHECK, PURPOSE).toString('base64')
  return { sealed_check: check, ...(isWithSecret ? { secret_key: text } : {}) }
}

/** A data directory in which nothing was sealed yet is the only one that has no key though it has the database. */
function makeOwn({ databaseUrl, dataDir }: Place): string | null {
  return databaseUrl === null ? makeSecretFile(dataDir) : null
}

/**
 * The text of the secret key that fits the backup: the one that is set or kept here, else the one inside of the backup.
 * Throws CannotStart.
 */
export function chooseSecret(place: Place, header: BackupHeader): string {
  const text = findSecretText(place.dataDir, place.secretKey) ?? header.secret_key
  if (text === undefined) {
    throw new CannotStart(
      'The backup does not hold its secret key: set SENDWRIGHT_SECRET_KEY to the one of the installation that it is from, ' +
        'or put its file secret-key into the data directory. Without it no domain could sign.',
    )
  }
  if (fits(text, header)) return text
  throw new CannotStart(
    'The secret key here (SENDWRIGHT_SECRET_KEY, or secret-key in the data directory) is not the one of the installation ' +
      'that the backup is from: DKIM keys and webhook secrets would not open.',
  )
}

function fits(text: string, header: BackupHeader): boolean {
  try {
    const sealed = Buffer.from(header.sealed_check, 'base64')
    return unseal(deriveKey(digestSecret(text), PURPOSE), sealed, PURPOSE).equals(CHECK)
  } catch {
    return false
  }
}
