import { Command, InvalidArgumentError } from 'commander'
import { type CommonOptions, connect } from './connect.ts'
import { addVerb, definedOptions } from './options.ts'
import { createOutput } from './output.ts'

interface SendOptions extends CommonOptions {
  email?: string
  contact?: string
  payload?: Record<string, unknown>
  idempotencyKey?: string
}

function readPayload(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new InvalidArgumentError('It must be a JSON object, for example \'{"plan":"pro"}\'.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function send(event: string, options: SendOptions): Promise<void> {
  const { email, contact: contact_id, payload, idempotencyKey, ...common } = options
  const body = { event, ...definedOptions({ email, contact_id, payload }) }
  const { client } = connect(common)
  createOutput(common).record(await client.events.send(body, definedOptions({ idempotencyKey })).orThrow())
}

export function eventsCommand(): Command {
  const events = new Command('events').description('Report events of contacts, which automations follow')
  addVerb(events, 'send', 'report an event of a contact')
    .argument('<name>')
    .option('--email <address>', 'the contact by address, which is created if it is new')
    .option('--contact <id>', 'the contact by id')
    .option('--payload <json>', 'what rules and templates can use', readPayload)
    .option('--idempotency-key <key>', 'report it once, however often the command runs')
    .action(send)
  return events
}
