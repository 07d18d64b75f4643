import { Button, Group, Text } from '@mantine/core'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import type { WebhookWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

/** The secret by which an endpoint verifies requests. Only users who may change webhooks can see it. */
export function SigningSecret({ webhook }: { webhook: WebhookWhole }) {
  const mayChange = useMay().change('Webhooks')
  const [isShown, setShown] = useState(false)
  const rotate = useChange({
    onDone: () => notifyDone(texts.signingSecret.secretReplacedOldSecret),
  })
  if (!mayChange || typeof webhook.signing_secret !== 'string') return null
  const ask = () =>
    confirm({
      title: texts.signingSecret.replaceTheSigningSecret,
      children: texts.signingSecret.bothSignatures,
      action: texts.signingSecret.replaceTheSecret,
      isDangerous: false,
      onConfirm: () =>
        rotate.mutate(
          { path: `/webhooks/${webhook.id}/rotate-secret`, method: 'POST', body: {} },
          { onError: notifyError },
        ),
    })
  return (
    <Section
      title={texts.signingSecret.signingSecret}
      description={texts.signingSecret.requestsSignedAccording}
      actions={
        <Button variant="default" leftSection={<IconRefresh />} onClick={ask}>
          {texts.signingSecret.replace}
        </Button>
      }
    >
      {isShown ? (
        <CodeBlock text={webhook.signing_secret} label={texts.signingSecret.copyTheSecret} />
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconEye />} onClick={() => setShown(true)}>
            {texts.signingSecret.showTheSecret}
          </Button>
        </Group>
      )}
      {webhook.previous_secret_until !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.signingSecret.oldSecretAlsoSigns} <Moment at={webhook.previous_secret_until} />.
        </Text>
      )}
    </Section>
  )
}
