import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Webhook } from '../api/records.ts'
import { useMay, useTeam } from '../api/team.ts'
import { useAll } from '../api/whole-lists.ts'

/** What concerns every page of the team: that nothing is sent, that nothing is told. */
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
        <Alert color="orange" icon={<IconPlayerPause size={18} />} title="Sending is paused" mb="md">
          <span className="foreign">{team.sending_paused_reason ?? 'No reason was given.'}</span>{' '}
          {team.sending_paused_by === 'operator'
            ? 'An operator of this installation paused it.'
            : 'The service itself did, to keep receivers’ trust in this installation.'}{' '}
          New emails are refused; what was accepted before is still delivered. An operator can let it go on.
        </Alert>
      )}
      {disabled.length > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={18} />}
          title="A webhook endpoint is disabled"
          mb="md"
        >
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
