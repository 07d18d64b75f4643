import type { SmtpLink } from './smtp-link.ts'
import { describeReply, type SmtpReply } from './smtp-reply.ts'
import type { SmtpFailure } from './smtp-types.ts'
import type { Transcript } from './transcript.ts'

export function isReply(answer: SmtpReply | SmtpFailure): answer is SmtpReply {
  return 'code' in answer
}

/**
 * Sends one command and reads its reply; with `line` null it only reads (the greeting). `shown` replaces the line in
 * the transcript when the line is a secret.
 */
export function exchange(
  link: SmtpLink,
  line: string | null,
  timeoutMs: number,
  transcript: Transcript,
  logged: string | null = line,
): Promise<SmtpReply | SmtpFailure> {
  if (link.failure !== null) return Promise.resolve(link.failure)
  return new Promise((resolve) => {
    const onReply = (reply: SmtpReply) => {
      link.listener = null
      link.disarm()
      transcript.add('S', describeReply(reply))
      resolve(reply)
    }
    link.listener = { onReply, onLost: resolve }
    if (logged !== null) transcript.add('C', logged)
    if (line === null) link.awaitReply()
    else link.write(`${line}\r\n`, 1)
    link.arm(timeoutMs, line === null ? 'greet' : 'answer')
  })
}
