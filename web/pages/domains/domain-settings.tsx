import { Radio, Stack, Switch } from '@mantine/core'
import type { DomainWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

/** Settings for emails from the domain. */
export function DomainSettings({ domain }: { domain: DomainWhole }) {
  const mayChange = useMay().change('Domains')
  const change = useChange({ onDone: () => notifyDone(texts.settings.saved) })
  const save = (body: object) =>
    change.mutate({ path: `/domains/${domain.id}`, method: 'PATCH', body }, { onError: notifyError })
  /** A switch moves at once, and back when the API rejects the change. */
  const shown = { ...domain, ...(change.isPending ? (change.variables.body as Partial<DomainWhole>) : {}) }
  const isDisabled = !mayChange || change.isPending
  return (
    <Section title={texts.settings.settings}>
      <Stack gap="md">
        <Switch
          label={texts.settings.trackOpens}
          description={texts.settings.addsTrackingPixelHtml}
          checked={shown.open_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ open_tracking: event.currentTarget.checked })}
        />
        <Switch
          label={texts.settings.trackClicks}
          description={texts.settings.linksHtmlRedirectThrough}
          checked={shown.click_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ click_tracking: event.currentTarget.checked })}
        />
        <Switch
          label={texts.settings.secondSignature}
          description={texts.settings.signsWithEd25519}
          checked={shown.dkim_ed25519}
          disabled={isDisabled}
          onChange={(event) => save({ dkim_ed25519: event.currentTarget.checked })}
        />
        <Radio.Group
          label={texts.settings.tlsToReceivingServers}
          value={shown.tls}
          onChange={(tls) => save({ tls })}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="opportunistic"
              disabled={isDisabled}
              label={texts.settings.opportunistic}
              description={texts.settings.usesTlsIfServer}
            />
            <Radio
              value="enforced"
              disabled={isDisabled}
              label={texts.settings.requiredValidCertificate}
              description={texts.settings.withoutTlsEmailsDeferred}
            />
          </Stack>
        </Radio.Group>
      </Stack>
    </Section>
  )
}
