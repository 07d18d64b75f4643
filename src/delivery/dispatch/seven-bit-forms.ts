import { isAscii } from 'node:buffer'
import { createHeavyJobQueue } from '../../lib/async/heavy-job-queue.ts'
import { toSevenBits } from '../../mime/raw/seven-bit.ts'
import type { LoadedMessage } from '../../queue/types.ts'
import type { Transcript } from '../client/transcript.ts'

/** From this size a conversion blocks the event loop noticeably. */
const HEAVY_BYTES_MIN = 2 * 1024 * 1024

interface Form {
  message: LoadedMessage
  /** The line in the attempt's transcript. */
  note: string
}

/** Returns a message in 7-bit form for a server without 8BITMIME, or unchanged where no conversion is possible. */
export type SevenBitForm = (message: LoadedMessage, transcript: Transcript) => Promise<LoadedMessage>

/**
 * Converts messages for servers without 8BITMIME. Acceptance already makes nearly all mail ASCII. The rest is converted
 * when a server needs it, once for all simultaneous deliveries of an email. The converted form lives as long as the
 * content, which holds a place in memory.
 */
export function createSevenBitForms(): SevenBitForm {
  const forms = new WeakMap<LoadedMessage, Promise<Form | null>>()
  const inTurn = createHeavyJobQueue()

  async function make(message: LoadedMessage): Promise<Form | null> {
    const convert = () => toSevenBits(message.bytes)
    const form = message.bytes.length < HEAVY_BYTES_MIN ? convert() : await inTurn(convert)
    if (form === null) return null
    const note = `the server does not offer 8BITMIME: the message was encoded in seven bits${
      form.isSignatureBroken ? ', which breaks a signature inside it' : ''
    }`
    return { message: { ...message, bytes: form.bytes, isWireReady: false, sevenBit: true }, note }
  }

  return async (message, transcript) => {
    if (isAscii(message.bytes)) return message
    const making = forms.get(message) ?? make(message)
    forms.set(message, making)
    const form = await making
    if (form === null) return message
    transcript.add('*', form.note)
    return form.message
  }
}
