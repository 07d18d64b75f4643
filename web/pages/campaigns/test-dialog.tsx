import { Anchor, Button, Group, Modal, Stack, TagsInput, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { CampaignTest } from '../../api/records.ts'
import { useSession } from '../../api/session.ts'
import { useChange, useTeam } from '../../api/team.ts'
import type { Dialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

const RECIPIENTS_MAX = 10

interface TestDialogProps {
  campaignId: string
  dialog: Dialog
}

/** Sends the saved campaign to a few addresses (`?test=true`), and shows what became of each. */
export function TestDialog({ campaignId, dialog: { isOpen, close } }: TestDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Send test">
      <Fields campaignId={campaignId} onClose={close} />
    </Modal>
  )
}

function Fields({ campaignId, onClose }: { campaignId: string; onClose(): void }) {
  const [to, setTo] = useState([useSession().user.email])
  const send = useChange<CampaignTest>({ touches: ['/emails', '/captured', '/usage'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate({ path: `/campaigns/${campaignId}/test`, method: 'POST', body: { to } })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sends the saved campaign, with the values of the contact that has the address. A test counts toward
          your quota.
        </Text>
        <TagsInput
          label="To"
          data-autofocus
          required
          value={to}
          onChange={setTo}
          maxTags={RECIPIENTS_MAX}
          splitChars={[',', ';', ' ']}
          acceptValueOnBlur
          placeholder={to.length === 0 ? 'name@example.com' : ''}
        />
        <ErrorNote error={send.error} />
        {send.data !== undefined && <Results results={send.data.data} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={send.isPending} disabled={to.length === 0}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Results({ results }: { results: CampaignTest['data'] }) {
  const team = useTeam()
  return (
    <Stack gap="xs" role="status" aria-label="Results">
      {results.map(({ to, id, error }) => (
        <Text key={to} size="sm" component="div" {...(error !== null && { c: 'red' })}>
          <span className="foreign">{to}</span>: {error ?? 'Accepted.'}{' '}
          {id !== null && (
            <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm" underline="always">
              View the email
            </Anchor>
          )}
        </Text>
      ))}
    </Stack>
  )
}
