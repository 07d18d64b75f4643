import { Button, Group, Text } from '@mantine/core'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import type { WebhookWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'

/** The secret by which an endpoint verifies requests. Only users who may change webhooks can see it. */
export function SigningSecret({ webhook }: { webhook: WebhookWhole }) {
  const mayChange = useMay().change('Webhooks')
  const [isShown, setShown] = useState(false)
  const rotate = useChange({
    onDone: () => notifyDone('Secret replaced. The old secret also signs requests for 24 hours.'),
  })
  if (!mayChange || typeof webhook.signing_secret !== 'string') return null
  const ask = () =>
    confirm({
      title: 'Replace signing secret?',
      children:
        'For 24 hours, every request has both signatures, so that you have time to update your application.',
      action: 'Replace secret',
      isDangerous: false,
      onConfirm: () =>
        rotate.mutate(
          { path: `/webhooks/${webhook.id}/rotate-secret`, method: 'POST', body: {} },
          { onError: notifyError },
        ),
    })
  return (
    <Section
      title="Signing secret"
      description="Requests are signed according to Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Verify them with a Standard Webhooks or Svix library."
      actions={
        <Button variant="default" leftSection={<IconRefresh />} onClick={ask}>
          Replace
        </Button>
      }
    >
      {isShown ? (
        <CodeBlock text={webhook.signing_secret} label="Copy secret" />
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconEye />} onClick={() => setShown(true)}>
            Show secret
          </Button>
        </Group>
      )}
      {webhook.previous_secret_until !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          The old secret also signs requests until <Moment at={webhook.previous_secret_until} />.
        </Text>
      )}
    </Section>
  )
}
