import { Alert, Anchor, Button, Group, Modal, TagsInput, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Sender, TemplatePreview } from '../../../api/records.ts'
import { requestJson } from '../../../api/request.ts'
import { useSession } from '../../../api/session.ts'
import { useChange, useMay, useTeam } from '../../../api/team.ts'
import { useAll } from '../../../api/whole-lists.ts'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { Link } from '../../../ui/link.tsx'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import type { Values } from '../checks/variables.ts'
import { type Draft, mailboxOf, previewToJson } from '../draft/draft.ts'

interface SendProps {
  templateId: string
  draft: Draft
  values: Values
  sender: Sender
}

const RECIPIENTS_MAX = 10

/** Sends the editor's content, saved or not, with the test values (`?send=true`). */
export function SendTest(props: SendProps) {
  const { isOpen, close } = useDialog('send', useMay().change('Emails'))
  return (
    <Modal opened={isOpen} onClose={close} title="Send test">
      {isOpen && <Form {...props} onClose={close} />}
    </Modal>
  )
}

function Form({ templateId, draft, values, sender, onClose }: SendProps & { onClose: () => void }) {
  const { id: teamId } = useTeam()
  const { user } = useSession()
  const [to, setTo] = useState([user.email])
  const [failure, setFailure] = useState<unknown>(null)
  const [isRendering, setRendering] = useState(false)
  const { data: senders = [] } = useAll<Sender>('/senders')
  const change = useChange<{ id: string }>()
  const from = senders.find(({ id }) => id === draft.senderId) ?? sender
  const send = async () => {
    setRendering(true)
    setFailure(null)
    try {
      const body = previewToJson(draft, values)
      const options = { method: 'POST', teamId, body } as const
      const preview = await requestJson<TemplatePreview>(`/templates/${templateId}/preview`, options)
      await change.mutateAsync({ method: 'POST', path: '/emails', body: emailOf(preview, draft, from, to) })
    } catch (error) {
      setFailure(error)
    } finally {
      setRendering(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Text size="sm" c="dimmed" mb="sm" component="div">
        Sends the content of the editor, saved or not, with your test values, from{' '}
        <span className="foreign">{from.email}</span>. The test email counts toward your quota.
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
      <ErrorNote error={failure} />
      {change.data !== undefined && failure === null && !isRendering && <Sent emailId={change.data.id} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" loading={isRendering || change.isPending} disabled={to.length === 0}>
          Send test
        </Button>
      </Group>
    </form>
  )
}

/** Returns the email as the template would produce it. Without a text, the API derives one from the HTML. */
const emailOf = (
  { subject, html, text }: TemplatePreview,
  draft: Draft,
  from: Sender,
  to: readonly string[],
) => ({
  from: mailboxOf(from),
  to,
  subject,
  ...(html === null ? {} : { html }),
  ...(text === null ? {} : { text }),
  reply_to: draft.replyTo === '' ? from.reply_to : draft.replyTo,
})

function Sent({ emailId }: { emailId: string }) {
  const team = useTeam()
  return (
    <Alert color="green" icon={<IconCircleCheck />} role="status" mt="sm">
      Accepted.{' '}
      <Anchor component={Link} to={`/${team.id}/emails/${emailId}`} size="sm" underline="always">
        View email
      </Anchor>
    </Alert>
  )
}
