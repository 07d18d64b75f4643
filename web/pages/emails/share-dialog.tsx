import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { EmailWhole } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

interface DialogProps {
  email: EmailWhole
  opened: boolean
  onClose(): void
}

interface SharedLink {
  url: string
  expires_at: string
}

/** As the API takes them (`expires_in`). */
const LIFETIMES = ['2 hours', '48 hours', '7 days', '30 days']

/** Creates a public link to the email. */
export function ShareDialog({ email, opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Share this email">
      <ShareForm email={email} onClose={onClose} />
    </Modal>
  )
}

function ShareForm({ email, onClose }: Omit<DialogProps, 'opened'>) {
  const [lifetime, setLifetime] = useState('48 hours')
  const share = useChange<SharedLink>()
  if (share.data !== undefined) return <CreatedLink link={share.data} onClose={onClose} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        share.mutate({ path: `/emails/${email.id}/share`, method: 'POST', body: { expires_in: lifetime } })
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          Anyone with the link can read the email and its attachments, without hidden recipients. You cannot
          revoke the link.
        </Text>
        <Select
          label="The link expires after"
          data={LIFETIMES}
          value={lifetime}
          allowDeselect={false}
          onChange={(value) => setLifetime(value ?? lifetime)}
        />
        <ErrorNote error={share.error} />
        <FormFooter onCancel={onClose} isPending={share.isPending}>
          Create link
        </FormFooter>
      </Stack>
    </form>
  )
}

function CreatedLink({ link, onClose }: { link: SharedLink; onClose(): void }) {
  return (
    <Stack gap="sm">
      <CopyValue text={link.url} label="Copy link" />
      <Text size="sm">
        The link expires: <Moment at={link.expires_at} />
      </Text>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
