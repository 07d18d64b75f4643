import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import type { SentInvitation } from '../api/account-records.ts'
import { CodeBlock } from './copy.tsx'

interface SentNoteProps {
  invitation: SentInvitation
  onClose(): void
}

/** Shows whether the invitation was sent by email, and its link. */
export function SentNote({ invitation, onClose }: SentNoteProps) {
  return (
    <Stack gap="md">
      <Outcome invitation={invitation} />
      <Text size="sm">The link works once, within an hour, and is shown only once:</Text>
      <CodeBlock text={invitation.link} label="Copy link" />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

function Outcome({ invitation: { email, emailed, printed } }: Pick<SentNoteProps, 'invitation'>) {
  if (emailed)
    return (
      <Alert color="sea" icon={<IconMailCheck />} role="status">
        An email is on its way to <b className="foreign">{email}</b>.
      </Alert>
    )
  return (
    <Alert color="orange" role="status">
      {printed
        ? 'This server captures mail, so it sent no email. It printed the link in its terminal and log.'
        : 'Sendwright sent no email, because no verified domain can send it.'}{' '}
      Give this link to <b className="foreign">{email}</b> yourself.
    </Alert>
  )
}
