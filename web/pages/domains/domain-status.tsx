import { Badge, Group } from '@mantine/core'
import type { Domain } from '../../api/records.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** The status of a domain. A badge marks verifications that apply only in capture mode. */
export function DomainStatus({
  domain: { status, captured },
}: {
  domain: Pick<Domain, 'status' | 'captured'>
}) {
  return (
    <Group gap="xs">
      <StatusBadge status={status} />
      {captured && <Badge>capture mode</Badge>}
    </Group>
  )
}
