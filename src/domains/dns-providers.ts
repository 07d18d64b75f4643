/** A company that hosts zones, and its page for DNS records. */
export interface DnsProvider {
  name: string
  url: string
}

/** Names of name servers end in one of these suffixes. To add a provider, add a row. */
const PROVIDERS: readonly (DnsProvider & { suffixes: readonly string[] })[] = [
  {
    name: 'Cloudflare',
    url: 'https://dash.cloudflare.com/?to=/:account/:zone/dns',
    suffixes: ['ns.cloudflare.com'],
  },
  {
    name: 'Google Cloud DNS',
    url: 'https://console.cloud.google.com/net-services/dns/zones',
    suffixes: ['googledomains.com'],
  },
  {
    name: 'Azure DNS',
    url: 'https://portal.azure.com',
    suffixes: ['azure-dns.com', 'azure-dns.net', 'azure-dns.org', 'azure-dns.info'],
  },
  { name: 'GoDaddy', url: 'https://dcc.godaddy.com/domains', suffixes: ['domaincontrol.com'] },
  {
    name: 'Namecheap',
    url: 'https://ap.www.namecheap.com/domains/list/',
    suffixes: ['registrar-servers.com'],
  },
  {
    name: 'DigitalOcean',
    url: 'https://cloud.digitalocean.com/networking/domains',
    suffixes: ['digitalocean.com'],
  },
  { name: 'Linode', url: 'https://cloud.linode.com/domains', suffixes: ['linode.com'] },
  {
    name: 'Hetzner',
    url: 'https://dns.hetzner.com',
    suffixes: [
      'ns.hetzner.com',
      'ns.hetzner.de',
      'your-server.de',
      'first-ns.de',
      'second-ns.de',
      'second-ns.com',
    ],
  },
  { name: 'OVHcloud', url: 'https://www.ovh.com/manager/', suffixes: ['ovh.net', 'ovh.ca', 'anycast.me'] },
  { name: 'Gandi', url: 'https://admin.gandi.net', suffixes: ['gandi.net'] },
  { name: 'Porkbun', url: 'https://porkbun.com/account/domainsSpeedy', suffixes: ['ns.porkbun.com'] },
  { name: 'Vercel', url: 'https://vercel.com/dashboard/domains', suffixes: ['vercel-dns.com'] },
  { name: 'NS1', url: 'https://my.nsone.net', suffixes: ['nsone.net'] },
  {
    name: 'DNSimple',
    url: 'https://dnsimple.com',
    suffixes: ['dnsimple.com', 'dnsimple-edge.net', 'dnsimple-edge.org'],
  },
  {
    name: 'IONOS',
    url: 'https://my.ionos.com/domains',
    suffixes: ['ui-dns.com', 'ui-dns.org', 'ui-dns.biz', 'ui-dns.de'],
  },
  { name: 'Name.com', url: 'https://www.name.com/account/domain', suffixes: ['name.com'] },
  { name: 'Hover', url: 'https://www.hover.com/control_panel', suffixes: ['hover.com'] },
  { name: 'Squarespace', url: 'https://account.squarespace.com/domains', suffixes: ['squarespacedns.com'] },
  { name: 'Wix', url: 'https://manage.wix.com', suffixes: ['wixdns.net'] },
  { name: 'DreamHost', url: 'https://panel.dreamhost.com', suffixes: ['dreamhost.com'] },
  { name: 'bunny.net', url: 'https://dash.bunny.net/dns', suffixes: ['bunny.net'] },
  { name: 'INWX', url: 'https://www.inwx.com', suffixes: ['inwx.de', 'inwx.eu', 'inwx.com', 'inwx.net'] },
  { name: 'STRATO', url: 'https://www.strato.de/apps/CustomerService', suffixes: ['rzone.de'] },
  { name: 'deSEC', url: 'https://desec.io/domains', suffixes: ['desec.io', 'desec.org'] },
  { name: 'ClouDNS', url: 'https://www.cloudns.net', suffixes: ['cloudns.net', 'cloudns.uk'] },
  { name: 'Hurricane Electric', url: 'https://dns.he.net', suffixes: ['he.net'] },
  {
    name: 'Infomaniak',
    url: 'https://manager.infomaniak.com',
    suffixes: ['infomaniak.ch', 'infomaniak.com'],
  },
  {
    name: 'TransIP',
    url: 'https://www.transip.eu/cp/',
    suffixes: ['transip.net', 'transip.nl', 'transip.eu'],
  },
  { name: 'netcup', url: 'https://www.customercontrolpanel.de', suffixes: ['netcup.net'] },
]

const ROUTE_53: DnsProvider = {
  name: 'Amazon Route 53',
  url: 'https://console.aws.amazon.com/route53/v2/hostedzones',
}
/** The names of its servers contain a number: `ns-12.awsdns-34.co.uk`. */
const ROUTE_53_SERVER = /\.awsdns-\d+\.(com|net|org|co\.uk)$/

/** Returns the provider of the first known name server; null if none is known. */
export function dnsProviderOf(servers: readonly string[]): DnsProvider | null {
  for (const server of servers) {
    if (ROUTE_53_SERVER.test(server)) return ROUTE_53
    const provider = PROVIDERS.find(({ suffixes }) =>
      suffixes.some((suffix) => server.endsWith(`.${suffix}`)),
    )
    if (provider !== undefined) return { name: provider.name, url: provider.url }
  }
  return null
}
