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
 * Returns the fields of a backup about the secret key: a check value that only the same key opens and, on request,
 * the key itself. Throws CannotStart when the key is missing or does not belong to this database, because the backup
 * would be useless.
 */
export async function describeSecret(
  db: Queryable,
  place: Place,
  isWithSecret: boolean,
): Promise<Pick<BackupHeader, 'sealed_check' | 'secret_key'>> {
  const text = await requireSecretText(db, place)
  const check = seal(deriveKey(digestSecret(text), PURPOSE), CHECK, PURPOSE).toString('base64')
  return { sealed_check: check, ...(isWithSecret ? { secret_key: text } : {}) }
}

/**
 * Returns the text of the secret key that the servers of this database use. Throws CannotStart when it is missing here
 * or belongs to another database: what a command sealed or hashed with it, no server could read or find again.
 */
export async function requireSecretText(db: Queryable, place: Place): Promise<string> {
  const text = findSecretText(place.dataDir, place.secretKey) ?? makeMissingSecret(place)
  if (text === null) {
    throw new CannotStart(
      'The secret key of the installation was not found. Set SENDWRIGHT_SECRET_KEY, or set SENDWRIGHT_DATA_DIR to the directory ' +
        'that contains the file secret-key. A new installation gets its key when its server first starts.',
    )
  }
  if (await opensDkimKeys(db, digestSecret(text))) return text
  throw new CannotStart(
    'The secret key (SENDWRIGHT_SECRET_KEY, or secret-key in the data directory) does not belong to this database: it cannot ' +
      'decrypt the DKIM keys. Use the key of the server.',
  )
}

/**
 * Creates the secret key of an embedded database that has sealed nothing yet. Returns null for an external database.
 */
function makeMissingSecret({ databaseUrl, dataDir }: Place): string | null {
  return databaseUrl === null ? makeSecretFile(dataDir) : null
}

/**
 * Returns the secret key that fits the backup: the configured or stored one, or else the one inside the backup.
 * Throws CannotStart when none fits.
 */
export function chooseSecret(place: Place, header: BackupHeader): string {
  const text = findSecretText(place.dataDir, place.secretKey) ?? header.secret_key
  if (text === undefined) {
    throw new CannotStart(
      'The backup does not contain its secret key. Set SENDWRIGHT_SECRET_KEY to the key of the original installation, ' +
        'or copy its file secret-key into the data directory. Without the key, no domain can sign.',
    )
  }
  if (fits(text, header)) return text
  throw new CannotStart(
    'The configured secret key (SENDWRIGHT_SECRET_KEY, or secret-key in the data directory) is not the key of the installation ' +
      'that made the backup. It cannot decrypt the DKIM keys and webhook secrets.',
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
