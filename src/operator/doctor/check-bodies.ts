import { type BodyStore, objectName } from '../../bodies/store/body-store.ts'
import { newId } from '../../lib/ids.ts'
import { type Finding, ok, reasonOf, warning } from './finding.ts'

const CHECK = 'bodies'
const TIMEOUT_MS = 10_000
/** No team has this id, so that the object is in nobody's way. */
const FOLDER = 'doctor'

/**
 * Checks that the store of bodies takes an object, returns it, and deletes it.
 * @param hasPacks whether messages were moved to it before, so that it must be the same one
 */
export async function checkBodies(store: BodyStore, hasPacks: boolean): Promise<Finding> {
  const name = objectName(FOLDER, newId())
  const object = Buffer.from(name)
  const limit = () => AbortSignal.timeout(TIMEOUT_MS)
  try {
    if (hasPacks) await store.recognize(false, limit())
    await store.write(name, object, limit())
    const back = await store.read(name, 0, object.length, limit())
    await store.remove(name, limit())
    if (back.equals(object)) return ok(CHECK, 'The store writes, reads and deletes.')
    return warning(CHECK, 'The store returned other bytes than were written.', 'Check SENDWRIGHT_BODIES.')
  } catch (error) {
    return warning(
      CHECK,
      `The store does not write, read and delete: ${reasonOf(error)}.`,
      'Mail is sent without it, but moved messages cannot be read. Check SENDWRIGHT_BODIES and its access key.',
    )
  }
}
