import type { Webhook } from '../../api/records.ts'
import { State, StatusBadge } from '../../ui/status-badge.tsx'

/** The status of an endpoint: enabled, disabled, or enabled but failing. */
export function WebhookStatus({
  webhook: { status, failing_since },
}: {
  webhook: Pick<Webhook, 'status' | 'failing_since'>
}) {
  if (status === 'enabled' && failing_since !== null) return <State tone="amber">Failing</State>
  return <StatusBadge status={status} />
}
