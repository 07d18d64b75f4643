import { Button, Menu } from '@mantine/core'
import {
  IconCalendarClock,
  IconChevronDown,
  IconCopy,
  IconForbid2,
  IconRepeat,
  IconX,
} from '@tabler/icons-react'
import type { EmailWhole } from '../../api/records.ts'
import { ask } from '../../api/request.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { copyText } from '../../ui/clipboard.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { RescheduleDialog } from './reschedule-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'

/** What can be done with an email. Dialogs stand in the address of the page: `dialog`. */
export function EmailActions({ email }: { email: EmailWhole }) {
  const may = useMay()
  const dialog = useDialog('dialog')
  const isScheduled = email.status === 'scheduled'
  const mayChange = may.change('Emails')
  return (
    <>
      {mayChange && isScheduled && (
        <Button
          variant="default"
          leftSection={<IconCalendarClock size={16} />}
          onClick={() => dialog.open('reschedule')}
        >
          Reschedule
        </Button>
      )}
      {mayChange && !isScheduled && !email.content_expired && (
        <Button
          variant="default"
          leftSection={<IconRepeat size={16} />}
          onClick={() => dialog.open('resend')}
        >
          Send again
        </Button>
      )}
      <MoreActions email={email} />
      <ResendDialog email={email} opened={dialog.value === 'resend' && mayChange} onClose={dialog.close} />
      <RescheduleDialog
        email={email}
        opened={dialog.value === 'reschedule' && isScheduled}
        onClose={dialog.close}
      />
    </>
  )
}

function MoreActions({ email }: { email: EmailWhole }) {
  const may = useMay()
  const suppress = useSuppress()
  const cancel = useChange({ onDone: () => tellDone('The email is canceled; it is not sent.') })
  const askCancel = () =>
    confirm({
      title: 'Cancel this email?',
      children: 'It is not sent, and what it took of your quota is given back. It cannot be scheduled again.',
      action: 'Cancel the email',
      onConfirm: () =>
        cancel.mutate({ path: `/emails/${email.id}/cancel`, method: 'POST' }, { onError: tellError }),
    })
  const copyId = () => void copyText(email.id).then(() => tellDone('The id is copied.'), tellError)
  return (
    <Menu position="bottom-end" shadow="md" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={copyId}>
          Copy the id
        </Menu.Item>
        {may.change('Emails') && email.status === 'scheduled' && (
          <Menu.Item color="red" leftSection={<IconX size={16} />} onClick={askCancel}>
            Cancel
          </Menu.Item>
        )}
        {may.change('Suppressions') && (
          <>
            <Menu.Divider />
            <Menu.Label>Send no more to</Menu.Label>
            {email.recipients.slice(0, OFFERED_MAX).map(({ email: address, type }) => (
              <Menu.Item
                key={`${type} ${address}`}
                leftSection={<IconForbid2 size={16} />}
                onClick={() => suppress(address)}
              >
                <span className="foreign">{address}</span>
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A menu of more is no menu: the page of suppressions takes many at once. */
const OFFERED_MAX = 8

/** Puts an address on the list of suppressions; as long as the notice stands, it can be taken back. */
function useSuppress(): (address: string) => void {
  const team = useTeam()
  const change = useChange()
  return (address) => {
    const undo = () =>
      void ask(`/suppressions/${encodeURIComponent(address)}`, { method: 'DELETE', teamId: team.id }).then(
        () => tellDone(`${address} gets email again.`),
        tellError,
      )
    change.mutate(
      { path: '/suppressions', method: 'POST', body: { email: address } },
      { onSuccess: () => tellDone(`${address} gets no more email.`, undo), onError: tellError },
    )
  }
}
