import { expect } from 'vitest'
import { made } from './client.ts'
import type { SharedSendwright } from './shared-sendwright.ts'

type Fields = Record<string, unknown>
type GivenSender = Awaited<ReturnType<SharedSendwright['givenSender']>>

/** A step of a chain: its key, type and config. */
export type ChainStep = readonly [key: string, type: string, config?: Fields]

/** Returns the steps and connections of a chain; a condition goes on where it is met, and a wait where its event comes. */
export function chainOf(...steps: readonly ChainStep[]) {
  return {
    steps: steps.map(([key, type, config = {}]) => ({ key, type, config })),
    connections: steps.slice(1).map(([to], at) => {
      const [from, type] = steps[at] as ChainStep
      return { from, to, type: BY[type] ?? 'default' }
    }),
  }
}

const BY: Readonly<Record<string, string>> = {
  condition: 'condition_met',
  wait_for_event: 'event_received',
}

export const onEvent = (name: string, more: Fields = {}): ChainStep => [
  'start',
  'trigger',
  { type: 'event', event_name: name, ...more },
]

/** A team with a sender and templates. */
export interface AutomationWorld {
  ann: GivenSender
  /** The domain of all contacts. */
  to: string
  /** Creates a published template, and returns the config of a step that sends it. */
  givenEmail(fields?: Fields): Promise<Fields>
  /** Creates an active automation, and returns its id. */
  activate(graph: ReturnType<typeof chainOf>, fields?: Fields): Promise<string>
  /** Reports an event of a contact `c<no>@<to>`. */
  report(event: string, no?: number, payload?: Fields): Promise<void>
  runs(automationId: string): Promise<Fields[]>
  /** Waits until so many runs of the automation have a status, and returns them, newest first. */
  reached(automationId: string, status: string, count?: number): Promise<Fields[]>
  /** Returns the steps that a run took, as `key status`. */
  trail(automationId: string, runId: unknown): Promise<string[]>
  /** Returns the subjects of the emails to a contact, in order. */
  subjects(no?: number): Promise<string[]>
}

export async function givenAutomations(service: SharedSendwright): Promise<AutomationWorld> {
  const ann = await service.givenSender({ plan: 'unlimited' })
  const to = service.givenDestination()
  const senderId = await made(ann, '/senders', { name: 'Ann', username: 'ann', domain_id: ann.domainId })
  const runs = async (id: string) =>
    (await ann.get(`/automations/${id}/runs?per_page=100`)).json.data as Fields[]
  return {
    ann,
    to,
    async givenEmail(fields = {}) {
      const template = {
        name: 'T',
        sender_id: senderId,
        subject: 'Hello',
        text_content: 'Hi',
        status: 'published',
      }
      return { template: { id: await made(ann, '/templates', { ...template, ...fields }) } }
    },
    async activate(graph, fields = {}) {
      return made(ann, '/automations', { name: 'A', status: 'active', ...graph, ...fields })
    },
    async report(event, no = 0, payload = {}) {
      const reply = await ann.post('/events/send', { event, email: `c${no}@${to}`, payload })
      expect(reply.status, reply.text).toBe(202)
    },
    runs,
    async reached(id, status, count = 1) {
      const fitting = async () => (await runs(id)).filter((run) => run.status === status)
      await expect.poll(async () => (await fitting()).length).toBe(count)
      return fitting()
    },
    async trail(id, runId) {
      const { steps } = (await ann.get(`/automations/${id}/runs/${runId}`)).json
      return steps.map(({ key, status }: Fields) => `${key} ${status}`)
    },
    async subjects(no = 0) {
      const { data } = (await ann.get(`/emails?to=c${no}@${to}&per_page=100`)).json
      return data.map(({ subject }: Fields) => subject).reverse()
    },
  }
}
