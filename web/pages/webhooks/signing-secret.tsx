import { Button, Group, Text } from '@mantine/core'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import type { WebhookWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'

/** By what an endpoint knows that a request is ours; who may change webhooks may see it. */
export function SigningSecret({ webhook }: { webhook: WebhookWhole }) {
  const mayChange = useMay().change('Webhooks')
  const [isShown, setShown] = useState(false)
  const rotate = useChange({
    onDone: () => tellDone('The secret is replaced. The one before signs beside it for 24 hours.'),
  })
  if (!mayChange || typeof webhook.signing_secret !== 'string') return null
  const ask = () =>
    confirm({
      title: 'Replace the signing secret?',
      children:
        'For 24 hours every request bears both signatures, so there is time to change your application.',
      action: 'Replace it',
      isDangerous: false,
      onConfirm: () =>
        rotate.mutate(
          { path: `/webhooks/${webhook.id}/rotate-secret`, method: 'POST', body: {} },
          { onError: tellError },
        ),
    })
  return (
    <Section
      title="Signing secret"
      description="Requests are signed as Standard Webhooks say (webhook-id, webhook-timestamp, webhook-signature): libraries of that name, and Svix’s, verify them."
      actions={
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={ask}>
          Replace
        </Button>
      }
    >
      {isShown ? (
        <CodeBlock text={webhook.signing_secret} label="Copy the secret" />
      ) : (
        <Group>
          <Button variant="default" leftSection={<IconEye size={16} />} onClick={() => setShown(true)}>
            Show the secret
          </Button>
        </Group>
      )}
      {webhook.previous_secret_until !== null && (
        <Text size="sm" c="dimmed" mt="xs">
          The secret before it signs too until <Moment at={webhook.previous_secret_until} />.
        </Text>
      )}
    </Section>
  )
}
