import { isAscii } from 'node:buffer'
import { createHeavyJobQueue } from '../../lib/async/heavy-job-queue.ts'
import { toSevenBits } from '../../mime/seven-bit.ts'
import type { LoadedMessage } from '../../queue/types.ts'
import type { Conversation } from '../client/transcript.ts'

/** From here on a conversion holds up everybody else for long enough to be noticed. */
const HEAVY_BYTES_MIN = 2 * 1024 * 1024

interface Form {
  message: LoadedMessage
  /** What the attempt shows. */
  note: string
}

/** A message as a server without 8BITMIME may have it, or as it is where nothing can be done. */
export type SevenBitForm = (message: LoadedMessage, log: Conversation) => Promise<LoadedMessage>

/**
 * Messages for servers without 8BITMIME. Nearly all mail is ASCII since its acceptance; what is left is encoded when such a
 * server is met, once for all recipients of an email that are served at the same time: a form lasts as long as the content that
 * it was made of, which has a place in memory of its own.
 */
export function createSevenBitForms(): SevenBitForm {
  const forms = new WeakMap<LoadedMessage, Promise<Form | null>>()
  const inTurn = createHeavyJobQueue()

  async function make(message: LoadedMessage): Promise<Form | null> {
    const convert = () => toSevenBits(message.bytes)
    const made = message.bytes.length < HEAVY_BYTES_MIN ? convert() : await inTurn(convert)
    if (made === null) return null
    const note = `the server does not offer 8BITMIME: the message was encoded in seven bits${
      made.isSealBroken ? ', which breaks a signature inside it' : ''
    }`
    return { message: { bytes: made.bytes, smtpUtf8: message.smtpUtf8, sevenBit: true }, note }
  }

  return async (message, log) => {
    if (isAscii(message.bytes)) return message
    const making = forms.get(message) ?? make(message)
    forms.set(message, making)
    const form = await making
    if (form === null) return message
    log.add('*', form.note)
    return form.message
  }
}
