import { expect } from 'vitest'
import { findFreePort } from '../../support/ports.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../../support/sendwright.ts'
import { type ReceivingPostfix, startReceivingPostfix } from './receiving-postfix.ts'
import { startVerifyingOpendkim } from './verifying-opendkim.ts'

/** The complete service in direct mode. The recipients' server is Postfix with opendkim, a common setup. */
export interface PostfixWorld {
  service: TestSendwright
  ann: Sender
  postfix: ReceivingPostfix
  /**
   * Sends to one recipient (or those given) and resolves to all copies in the mailbox; `count` of them must arrive.
   */
  arrived(fields: Record<string, unknown>, count?: number): Promise<Buffer[]>
  /** Resolves to the messages in the mailbox that contain this text, when there are `count`. */
  holding(text: string, count?: number): Promise<Buffer[]>
  stop(): Promise<void>
}

const ARRIVAL_LIMIT_MS = 20_000

export async function startPostfixWorld(): Promise<PostfixWorld> {
  const port = await findFreePort()
  const service = await startTestSendwright({ environment: { SENDWRIGHT_MX_PORT: `${port}` } })
  const ann = await service.givenSender({ dkimEd25519: true })
  const { json } = await ann.get(`/domains/${ann.domainId}`)
  const texts: { type: string; name: string; value: string }[] = json.records
  const opendkim = await startVerifyingOpendkim(
    Object.fromEntries(texts.filter(({ type }) => type === 'TXT').map(({ name, value }) => [name, value])),
  )
  const postfix = await startReceivingPostfix(port, opendkim.port)

  async function holding(text: string, count = 1): Promise<Buffer[]> {
    const found = () => postfix.messages().filter((raw) => raw.includes(text))
    await expect.poll(() => found().length, { timeout: ARRIVAL_LIMIT_MS }).toBe(count)
    return found()
  }
  return {
    service,
    ann,
    postfix,
    holding,
    async arrived(fields, count = 1) {
      const id = await ann.send({ to: `bob@${service.givenDestination()}`, ...fields })
      const { recipients } = await ann.settled(id)
      expect(recipients.map(({ status }: { status: string }) => status)).toEqual(
        Array(count).fill('delivered'),
      )
      return holding(`<${id}@${ann.domain}>`, count)
    },
    async stop() {
      await service.stop()
      await postfix.stop()
      await opendkim.stop()
    },
  }
}
