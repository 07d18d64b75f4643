import type { Sender } from './sendwright.ts'
import type { SharedSendwright } from './shared-sendwright.ts'

/** A team with a sender, for creating templates. */
export interface TemplateWorld {
  service: SharedSendwright
  team: Sender
  senderId: string
  /** Creates another sender in the team's domain, or another team's; returns its id. */
  givenSender(fields?: Record<string, unknown>, owner?: Sender): Promise<string>
  /** Returns a valid body for POST /templates, with the given fields replaced. */
  template(fields?: Record<string, unknown>): Record<string, unknown>
  /** Posts a template, expects 201 and returns the response. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  given(fields?: Record<string, unknown>): Promise<any>
}

let count = 0

/** Creates a team with a sender of the given fields. */
export async function makeTemplateWorld(
  service: SharedSendwright,
  sender: Record<string, unknown> = {},
): Promise<TemplateWorld> {
  const team = await service.givenSender()
  const post = async (owner: Sender, path: string, body: Record<string, unknown>) => {
    const reply = await owner.post(path, body)
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status} ${reply.text}`)
    return reply.json
  }
  const givenSender: TemplateWorld['givenSender'] = async (fields, owner = team) => {
    const body = { name: 'The Shop', username: `shop${++count}`, domain_id: owner.domainId, ...fields }
    return (await post(owner, '/senders', body)).id
  }
  const senderId = await givenSender(sender)
  const template: TemplateWorld['template'] = (fields) => ({
    name: 'Receipt',
    sender_id: senderId,
    subject: 'Hi {{NAME}}',
    html_content: '<p>{{NAME}}</p>',
    ...fields,
  })
  return {
    service,
    team,
    senderId,
    givenSender,
    template,
    given: (fields) => post(team, '/templates', template(fields)),
  }
}
