/**
 * Keeps objects, which never change once written. Every operation rejects when `signal` aborts, or when the store cannot
 * be reached.
 */
export interface BodyStore {
  /**
   * Rejects if this cannot be the store that was written before: a directory whose file system is not mounted.
   * @param isNew nothing was written yet
   */
  recognize(isNew: boolean, signal: AbortSignal): Promise<void>
  /** Writes an object durably. An object of that name is replaced. */
  write(name: string, object: Buffer, signal: AbortSignal): Promise<void>
  /** Returns a part of an object. Rejects if the object is missing, or too short. */
  read(name: string, start: number, bytes: number, signal: AbortSignal): Promise<Buffer>
  /** Removes an object, if there is one. */
  remove(name: string, signal: AbortSignal): Promise<void>
}

/** The name of a pack's object. */
export function objectName(teamId: string, packId: string): string {
  return `${teamId}/${packId}`
}

export type StoreOperation = 'write' | 'read' | 'remove'

/** Called after each operation. Must not throw. */
export type OnStore = (operation: StoreOperation, seconds: number, isFailed: boolean) => void

/** Returns the store, with `onStore` called for each operation. */
export function observeStore(store: BodyStore, onStore: OnStore): BodyStore {
  async function observe<T>(operation: StoreOperation, work: Promise<T>): Promise<T> {
    const sinceMs = performance.now()
    const record = (isFailed: boolean) => onStore(operation, (performance.now() - sinceMs) / 1000, isFailed)
    try {
      const result = await work
      record(false)
      return result
    } catch (error) {
      record(true)
      throw error
    }
  }
  return {
    recognize: (...given) => store.recognize(...given),
    write: (...given) => observe('write', store.write(...given)),
    read: (...given) => observe('read', store.read(...given)),
    remove: (...given) => observe('remove', store.remove(...given)),
  }
}
