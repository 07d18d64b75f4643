import { Radio, Stack, Switch } from '@mantine/core'
import type { DomainWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'

/** Settings for emails from the domain. */
export function DomainSettings({ domain }: { domain: DomainWhole }) {
  const mayChange = useMay().change('Domains')
  const change = useChange({ onDone: () => notifyDone('Saved.'), onError: notifyError })
  const save = (body: object) => change.mutate({ path: `/domains/${domain.id}`, method: 'PATCH', body })
  /** A switch moves at once, and back when the API rejects the change. */
  const settings = { ...domain, ...(change.isPending ? (change.variables.body as Partial<DomainWhole>) : {}) }
  const isDisabled = !mayChange || change.isPending
  return (
    <Section title="Settings">
      <Stack gap="md">
        <Switch
          label="Track opens"
          description="Adds a tracking pixel to the HTML. Many mail clients load it automatically; those opens are marked as machine opens."
          checked={settings.open_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ open_tracking: event.currentTarget.checked })}
        />
        <Switch
          label="Track clicks"
          description="Links in the HTML redirect through this server, which records each click."
          checked={settings.click_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ click_tracking: event.currentTarget.checked })}
        />
        <Switch
          label="Second DKIM signature (Ed25519)"
          description="Adds a DNS record, and signs emails a second time while that record is published. Few receivers verify it."
          checked={settings.dkim_ed25519}
          disabled={isDisabled}
          onChange={(event) => save({ dkim_ed25519: event.currentTarget.checked })}
        />
        <Radio.Group label="TLS to receiving servers" value={settings.tls} onChange={(tls) => save({ tls })}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="opportunistic"
              disabled={isDisabled}
              label="Opportunistic"
              description="Uses TLS if the server offers it, as nearly all do. MTA-STS and DANE are always enforced."
            />
            <Radio
              value="enforced"
              disabled={isDisabled}
              label="Required, with a valid certificate"
              description="Emails fail rather than go unencrypted."
            />
          </Stack>
        </Radio.Group>
      </Stack>
    </Section>
  )
}
