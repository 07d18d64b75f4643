import { Anchor, Text } from '@mantine/core'
import type { DnsProvider } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'

/** Where the records are edited, if the name servers belong to a known provider. */
export function ProviderLine({ domainId }: { domainId: string }) {
  const { data } = useGet<DnsProvider>(`/domains/${domainId}/provider`)
  if (data === undefined || data.zone === null) return null
  const { zone, name, url, name_servers: servers } = data
  return (
    <Text size="sm" mb="sm">
      The name servers of {zone} belong to{' '}
      {name === null || url === null ? (
        <span className="code">{servers[0]}</span>
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {name}: open its DNS page
        </Anchor>
      )}
    </Text>
  )
}
