import { Radio, Stack, Switch } from '@mantine/core'
import type { DomainWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'

/** What is done with emails of a domain. */
export function DomainSettings({ domain }: { domain: DomainWhole }) {
  const mayChange = useMay().change('Domains')
  const change = useChange({ onDone: () => tellDone('Saved.') })
  const save = (body: object) =>
    change.mutate({ path: `/domains/${domain.id}`, method: 'PATCH', body }, { onError: tellError })
  /** A switch moves as it is touched; where the change is refused it moves back. */
  const shown = { ...domain, ...(change.isPending ? (change.variables.body as Partial<DomainWhole>) : {}) }
  const isDisabled = !mayChange || change.isPending
  return (
    <Section title="Settings">
      <Stack gap="md">
        <Switch
          label="Track opens"
          description="A picture of one pixel in the html tells when it is loaded. Many mail programs load it by themselves: those loads are marked."
          checked={shown.open_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ open_tracking: event.currentTarget.checked })}
        />
        <Switch
          label="Track clicks"
          description="Links in the html lead over this service, which tells when one is followed."
          checked={shown.click_tracking}
          disabled={isDisabled}
          onChange={(event) => save({ click_tracking: event.currentTarget.checked })}
        />
        <Radio.Group label="TLS on the way to receivers" value={shown.tls} onChange={(tls) => save({ tls })}>
          <Stack gap="xs" mt={6}>
            <Radio
              value="opportunistic"
              disabled={isDisabled}
              label="Where it is offered"
              description="Nearly all receivers do; those that demand it (MTA-STS, DANE) always get it."
            />
            <Radio
              value="enforced"
              disabled={isDisabled}
              label="Always, with a certificate that fits"
              description="Emails wait, and fail in the end, rather than travel readable."
            />
          </Stack>
        </Radio.Group>
      </Stack>
    </Section>
  )
}
