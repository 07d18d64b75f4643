import { MessageContent } from './message-content.ts'
import type { MessageRoom } from './message-room.ts'
import { reply, type ServerReply, type SmtpLimits, type SmtpPath } from './smtp-types.ts'
import type { SmtpWire } from './smtp-wire.ts'

const CROWDED = reply(
  452,
  '4.3.1',
  'Too many large messages are being received at once; try again in a moment',
)

/** Messages up to this size need no room, because the number of connections bounds their total. */
const SMALL_BYTES = 256 * 1024
/** SIZE is an estimate (RFC 1870 section 6.2): clients count line ends in their own form. */
const ANNOUNCED_SLACK = 1.1

/** The room that a large message takes, until its receiver gives it back. */
export interface HeldRoom {
  owner: string
  bytes: number
}

/**
 * Sends 354 and receives the content up to its final dot. After the first `SMALL_BYTES`, a message waits for room: for
 * the size that MAIL announced, or else the limit, but at most `keptBytesMax`.
 * @param held receives the room taken, in every case
 * @returns the content, a rejection, or null if the connection ended early or sent far too much
 */
export async function receiveContent(
  wire: SmtpWire,
  room: MessageRoom,
  held: HeldRoom,
  sender: SmtpPath,
  { messageBytesMax: bytesMax, keptBytesMax }: Pick<SmtpLimits, 'messageBytesMax' | 'keptBytesMax'>,
): Promise<MessageContent | ServerReply | null> {
  const announced = announcedBytes(sender)
  const content = new MessageContent(bytesMax, keptBytesMax)
  await wire.say(reply(354, null, 'End data with <CR><LF>.<CR><LF>'))
  let isCrowded = false
  const takeRoom = async () => {
    const expectedBytes = Math.min(bytesMax, announced ?? bytesMax)
    const bytes = Math.min(expectedBytes, keptBytesMax)
    isCrowded = !(await room.take(held.owner, bytes))
    if (!isCrowded) held.bytes = bytes
    content.limit(isCrowded ? 0 : expectedBytes)
    return true
  }
  const isWhole = await wire.readContent(content, () => {
    if (content.length > 2 * bytesMax) return false
    if (content.length <= SMALL_BYTES || held.bytes > 0 || content.isTooLarge) return true
    return takeRoom()
  })
  if (isCrowded && isWhole) return CROWDED
  if (isWhole) return content.isTooLarge ? tooLarge(content.length <= bytesMax, bytesMax) : content
  if (content.length > 2 * bytesMax) await wire.say(tooLarge(false, bytesMax))
  return null
}

/**
 * Returns the size that MAIL announced, with slack. Returns null without SIZE, and for 0, which means an unknown size.
 */
function announcedBytes({ parameters }: SmtpPath): number | null {
  const size = Number(parameters.get('SIZE') ?? 0)
  return size === 0 ? null : Math.ceil(size * ANNOUNCED_SLACK) + SMALL_BYTES
}

function tooLarge(isOverAnnounced: boolean, bytesMax: number): ServerReply {
  const text = isOverAnnounced
    ? 'The message is larger than the SIZE in MAIL'
    : `The message must not be greater than ${bytesMax} bytes`
  return reply(552, '5.3.4', text)
}
