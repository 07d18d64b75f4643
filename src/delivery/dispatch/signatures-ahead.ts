import type { SigningKey } from '../../domains/domain-keys.ts'
import type { SignatureForm } from '../../mime/signature-form.ts'
import type { LoadedMessage } from '../../queue/types.ts'

interface Ahead {
  form: SignatureForm
  keys: readonly SigningKey[]
  signature: Promise<Buffer>
}

/** Signatures that were begun before their delivery. One lasts as long as the message in memory, or until it is taken. */
export class SignaturesAhead {
  readonly #byMessage = new WeakMap<LoadedMessage, Ahead>()

  begin(message: LoadedMessage, ahead: Ahead): void {
    // The delivery signs again if this fails, and reports why.
    ahead.signature.catch(() => this.#byMessage.delete(message))
    this.#byMessage.set(message, ahead)
  }

  /** Returns the signature of exactly this message, in this form and with these keys; null if there is none. */
  take(
    message: LoadedMessage,
    form: SignatureForm | null,
    keys: readonly SigningKey[],
  ): Promise<Buffer> | null {
    const ahead = this.#byMessage.get(message)
    if (ahead === undefined) return null
    this.#byMessage.delete(message)
    return ahead.form === form && ahead.keys === keys ? ahead.signature : null
  }
}
