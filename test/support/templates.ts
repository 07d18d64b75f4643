import { expect } from 'vitest'
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

/** A team that sends emails with templates. */
export interface TemplateSender extends TemplateWorld {
  /** Returns a valid body for POST /emails. */
  email(id: string, variables: object | undefined, fields?: Record<string, unknown>): Record<string, unknown>
  /** Sends an email with a template, expects 202 and returns its id. */
  accepted(id: string, variables?: object, fields?: Record<string, unknown>): Promise<string>
  /** Expects 422 and returns the errors. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; a wrong access fails the test
  errorsOf(id: unknown, variables?: unknown, fields?: Record<string, unknown>): Promise<any>
}

/** Creates a team whose templates have a variable, and whose sender has a name that needs quotes. */
export async function makeTemplateSender(service: SharedSendwright): Promise<TemplateSender> {
  const sender = { name: 'Acme, "The" Shop', reply_to: 'help@acme.test' }
  const world = await makeTemplateWorld(service, sender)
  const { team } = world
  const content = {
    subject: 'For {{NAME}}',
    html_content: '<p>{{NAME}} {{{NAME}}}</p>',
    text_content: '{{NAME}}',
  }
  const email: TemplateSender['email'] = (id, variables, fields) => ({
    to: 'delivered@simulator.test',
    template: { id, variables },
    ...fields,
  })
  return {
    ...world,
    given: (fields) => world.given({ ...content, ...fields }),
    email,
    async accepted(id, variables, fields) {
      const reply = await team.post('/emails', email(id, variables, fields))
      expect(reply.status, reply.text).toBe(202)
      return reply.json.id
    },
    async errorsOf(id, variables, fields) {
      const reply = await team.post('/emails', { to: 'x@y.test', template: { id, variables }, ...fields })
      expect([reply.status, reply.json.name], reply.text).toEqual([422, 'validation_error'])
      return reply.json.errors
    },
  }
}
