import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import type { SentInvitation } from '../api/account-records.ts'
import { CodeBlock } from './copy.tsx'
import { texts } from './texts.ts'

interface SentNoteProps {
  sent: SentInvitation
  onClose(): void
}

/** Shows whether the invitation was sent by email, and its link. */
export function SentNote({ sent, onClose }: SentNoteProps) {
  return (
    <Stack gap="md">
      <Outcome sent={sent} />
      <Text size="sm">{texts.sentInvitation.linkWorksOnceWithin}</Text>
      <CodeBlock text={sent.link} label={texts.sentInvitation.copyTheLink} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{texts.sentInvitation.done}</Button>
      </Group>
    </Stack>
  )
}

function Outcome({ sent: { email, emailed, printed } }: Pick<SentNoteProps, 'sent'>) {
  if (emailed)
    return (
      <Alert color="sea" icon={<IconMailCheck />} role="status">
        {texts.sentInvitation.emailWay} <b className="foreign">{email}</b>.
      </Alert>
    )
  return (
    <Alert color="orange" role="status">
      {texts.sentInvitation.giveThisLinkTo(
        printed ? texts.sentInvitation.serverCapturesMailSo : texts.sentInvitation.sendwrightSentNoEmail,
      )}{' '}
      <b className="foreign">{email}</b> {texts.sentInvitation.yourself}
    </Alert>
  )
}
