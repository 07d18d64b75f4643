import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import type { Webhook } from '../api/records.ts'
import { useMay, useTeam } from '../api/team.ts'
import { useAll } from '../api/whole-lists.ts'
import { Link } from '../ui/link.tsx'

/** Warnings that concern every page of the team, such as paused sending. */
export function Banners() {
  const team = useTeam()
  const may = useMay()
  const webhooks = useAll<Webhook>('/webhooks', { enabled: may.read('Webhooks') })
  const disabled =
    webhooks.data?.filter(
      ({ status, disabled_reason }) => status === 'disabled' && disabled_reason !== null,
    ) ?? []
  return (
    <>
      {team.sending_paused_at !== null && (
        <Alert color="orange" icon={<IconPlayerPause />} title="Sending is paused" mb="md">
          <span className="foreign">{team.sending_paused_reason ?? 'No reason was given.'}</span>{' '}
          {team.sending_paused_by === 'operator'
            ? 'An operator of this installation paused it.'
            : 'Sendwright paused it automatically to protect the reputation of this installation.'}{' '}
          New emails are rejected. Emails accepted before the pause are still delivered. An operator can
          resume sending.
        </Alert>
      )}
      {disabled.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title="A webhook endpoint is disabled" mb="md">
          {disabled.map(({ id, url, disabled_reason }) => (
            <div key={id}>
              <Anchor component={Link} to={`/${team.id}/webhooks/${id}`} size="sm">
                <span className="foreign">{url}</span>
              </Anchor>
              : <span className="foreign">{disabled_reason}</span>
            </div>
          ))}
        </Alert>
      )}
    </>
  )
}
