import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../test/support/ports.ts'
import { NODE, runChild } from './support/children.ts'
import type { Sample, Scale } from './support/figure.ts'
import { startHaraka } from './support/haraka.ts'
import { measureThrough } from './support/measure-through.ts'
import { makeMessageFile } from './support/message-file.ts'
import { startMeter } from './support/meter.ts'
import { CLIENTS, RUN_LIMIT_MS } from './support/names.ts'
import { startNodemailer } from './support/nodemailer.ts'
import { startOpendkim } from './support/opendkim.ts'
import { Postfix, sendSmtpLoad } from './support/postfix.ts'
import { type Sink, startSink } from './support/sink.ts'

const SIGN_PROGRAM = join(import.meta.dirname, 'support', 'sign-loop.ts')
/** Time for the processes to start and to make their keys. */
const SIGN_LEAD_MS = 2_000

/** Measures a server that receives messages by SMTP at `port`. */
async function measureSmtp(sink: Sink, port: number, pids: number[], count: number): Promise<Sample> {
  const message = await makeMessageFile()
  const load = { port, sessions: CLIENTS, messagePath: message.path, keepAlive: true }
  try {
    return await measureThrough(sink, pids, count, (part) =>
      sendSmtpLoad({ ...load, count: part, timeLimitMs: RUN_LIMIT_MS }),
    )
  } finally {
    message.remove()
  }
}

export async function measurePostfix({ endToEndCount }: Scale, signing: boolean): Promise<Sample> {
  const sink = await startSink()
  const opendkim = signing ? await startOpendkim() : null
  const port = await findFreePort()
  const postfix = new Postfix({ port, sinkPort: sink.port, ...(opendkim && { milterPort: opendkim.port }) })
  try {
    await postfix.start('deliver')
    const pids = [postfix.pid, ...(opendkim === null ? [] : [opendkim.pid])]
    return await measureSmtp(sink, port, pids, endToEndCount)
  } finally {
    await postfix.stop()
    await opendkim?.stop()
    await sink.stop()
    postfix.remove()
  }
}

export async function measureHaraka({ endToEndCount }: Scale): Promise<Sample> {
  const sink = await startSink()
  try {
    const port = await findFreePort()
    const haraka = await startHaraka({ port, sinkPort: sink.port })
    try {
      return await measureSmtp(sink, port, [haraka.pid], endToEndCount)
    } finally {
      await haraka.stop()
    }
  } finally {
    await sink.stop()
  }
}

export async function measureNodemailer({ endToEndCount }: Scale): Promise<Sample> {
  const sink = await startSink()
  const nodemailer = await startNodemailer(sink.port)
  try {
    return await measureThrough(sink, [nodemailer.pid], endToEndCount, nodemailer.send)
  } finally {
    await nodemailer.stop()
    await sink.stop()
  }
}

/** Measures how many RSA-2048 signatures all processors together compute in a second, and nothing else. */
export async function measureSignatures({ signMs }: Scale): Promise<Sample> {
  const meter = startMeter([process.pid], { memory: false })
  const args = [SIGN_PROGRAM, `${signMs}`, `${Date.now() + SIGN_LEAD_MS}`]
  const loops = Array.from({ length: availableParallelism() }, () => runChild(NODE, args))
  const counts = (await Promise.all(loops)).map(({ stdout }) => Number(stdout))
  const count = counts.reduce((sum, one) => sum + one, 0)
  return { values: { rate: (1000 * count) / signMs }, count, cost: meter.stop() }
}
