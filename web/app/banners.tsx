import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react'
import type { Webhook } from '../api/records.ts'
import { useMay, useTeam } from '../api/team.ts'
import { useAll } from '../api/whole-lists.ts'
import { Link } from '../ui/link.tsx'
import { texts } from './texts.ts'

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
        <Alert color="orange" icon={<IconPlayerPause />} title={texts.banners.sendingIsPaused} mb="md">
          <span className="foreign">{team.sending_paused_reason ?? texts.banners.noReasonWasGiven}</span>{' '}
          {texts.banners.newEmailsRejectedEmails(
            team.sending_paused_by === 'operator'
              ? texts.banners.operatorInstallationPaused
              : texts.banners.sendwrightPaused,
          )}
        </Alert>
      )}
      {disabled.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title={texts.banners.webhookEndpointDisabled} mb="md">
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
