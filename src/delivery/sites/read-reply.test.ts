import { expect, test } from 'vitest'
import { classifyReply } from '../../classification/classify.ts'
import type { Stage } from '../../classification/stages.ts'
import type { DeliveryResult } from '../../queue/types.ts'
import { readReply } from './read-reply.ts'

const HOUR_MS = 3_600_000

test.each<[string, Stage, number]>([
  ['421 4.7.0 Try again in 24 hours', 'rcpt', 24 * HOUR_MS],
  ['451 4.7.1 Try again in 24 hours', 'mail', 24 * HOUR_MS],
  ['451 4.7.1 Try again in 24 hours', 'rcpt', HOUR_MS],
  ['451 4.7.1 Try again in 24 hours', 'dot', HOUR_MS],
  ['451 4.7.1 Try again in 5 minutes', 'rcpt', HOUR_MS / 12],
])('paused by %s at %s: a reply to one recipient stops others for an hour at most', (text, stage, ms) => {
  const [, code, enhanced, words] = /^(\d+) (\S+) (.*)$/.exec(text) as unknown as [
    string,
    string,
    string,
    string,
  ]
  const reply = { code: Number(code), enhanced, text: words }
  const verdict = classifyReply(reply, stage)
  const result = {
    smtpCode: reply.code,
    enhancedCode: enhanced,
    response: words,
    verdict,
  } as DeliveryResult
  expect(readReply({ replies: [] }, result, stage, true)).toMatchObject({ kind: 'pause', ms })
})
