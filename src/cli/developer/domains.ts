import { Command, Option } from 'commander'
import type { Sendwright } from '../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from './connect.ts'
import { CommandError } from './failures.ts'
import { addVerb } from './options.ts'
import { createOutput, writeText } from './output.ts'

const COLUMNS = ['id', 'name', 'status', 'status_reason', 'checked_at', 'created_at']
const PAGE_SIZE = 100
const FORMATS = ['zone', 'cloudflare', 'route53', 'google'] as const
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the id of a domain that is given by id or name. Throws CommandError. */
async function findId(client: Sendwright, text: string): Promise<string> {
  if (ID.test(text)) return text
  for await (const { id, name } of client.domains.list({ limit: PAGE_SIZE })) {
    if (name === text.toLowerCase()) return id
  }
  throw new CommandError(`There is no domain ${text}. Run "sendwright domains list" to list the domains.`)
}

interface RecordsOptions extends CommonOptions {
  format?: (typeof FORMATS)[number]
}

async function showRecords(text: string, options: RecordsOptions): Promise<void> {
  const { client } = connect(options)
  const id = await findId(client, text)
  const { format } = options
  if (format === undefined)
    return createOutput(options).blocks((await client.domains.get(id).orThrow()).records)
  const records = await client.domains.records(id, { format }).orThrow()
  writeText(Buffer.from(records).toString())
}

export function domainsCommand(): Command {
  const domains = new Command('domains').description('Show and verify the domains you send from')
  addVerb(domains, 'list', 'list the domains, newest first').action(async (options: CommonOptions) => {
    const rows = []
    for await (const domain of connect(options).client.domains.list({ limit: PAGE_SIZE })) rows.push(domain)
    createOutput(options).rows(rows, COLUMNS)
  })
  addVerb(domains, 'add', 'add a domain, and show the DNS records to publish')
    .argument('<name>', 'for example mail.example.com')
    .action(async (name: string, options: CommonOptions) => {
      createOutput(options).record(await connect(options).client.domains.create({ name }).orThrow())
    })
  addVerb(domains, 'records', 'show the DNS records to publish')
    .argument('<domain>', 'its id or name')
    .addOption(
      new Option('--format <format>', 'print a zone file, or the commands for the API of a DNS provider')
        .choices(FORMATS)
        .conflicts('json'),
    )
    .action(showRecords)
  addVerb(domains, 'get', 'show a domain with its DNS records')
    .argument('<domain>', 'its id or name')
    .action(async (text: string, options: CommonOptions) => {
      const { client } = connect(options)
      createOutput(options).record(await client.domains.get(await findId(client, text)).orThrow())
    })
  addVerb(domains, 'verify', 'check the DNS records now')
    .argument('<domain>', 'its id or name')
    .action(async (text: string, options: CommonOptions) => {
      const { client } = connect(options)
      createOutput(options).record(await client.domains.verify(await findId(client, text)).orThrow())
    })
  return domains
}
