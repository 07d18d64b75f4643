import { Badge, Group } from '@mantine/core'
import type { Domain } from '../../api/records.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** The state of a domain; a verification that counts in capture mode alone says so. */
export function DomainStatus({
  domain: { status, captured },
}: {
  domain: Pick<Domain, 'status' | 'captured'>
}) {
  return (
    <Group gap={6}>
      <StatusBadge status={status} />
      {captured && <Badge color="gray">capture mode</Badge>}
    </Group>
  )
}
