import Type from 'typebox'
import { TextOrNull } from '../../http/route/schemas.ts'

export const DnsProviderRecord = Type.Object(
  {
    object: Type.Literal('dns_provider'),
    zone: TextOrNull('The zone that contains the domain. Null: DNS did not answer.'),
    name_servers: Type.Array(Type.String(), { description: 'Those of the zone.' }),
    name: TextOrNull('The provider. Null: not known.'),
    url: TextOrNull('Its page for DNS records.'),
  },
  {
    title: 'DnsProvider',
    examples: [
      {
        object: 'dns_provider',
        zone: 'example.com',
        name_servers: ['ada.ns.cloudflare.com'],
        name: 'Cloudflare',
        url: 'https://dash.cloudflare.com/?to=/:account/:zone/dns',
      },
    ],
  },
)
