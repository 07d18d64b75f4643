import { Button, Menu } from '@mantine/core'
import {
  IconCalendarClock,
  IconChevronDown,
  IconCopy,
  IconForbid2,
  IconRepeat,
  IconShare,
  IconX,
} from '@tabler/icons-react'
import type { EmailWhole } from '../../api/records.ts'
import { useChange, useMay } from '../../api/team.ts'
import { copyText } from '../../ui/clipboard.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { RescheduleDialog } from './reschedule-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'
import { ShareDialog } from './share-dialog.tsx'
import { useSuppress } from './use-suppress.ts'

/** The actions on an email. The page's address names the open dialog (`dialog`). */
export function EmailActions({ email }: { email: EmailWhole }) {
  const may = useMay()
  const dialog = useDialog('dialog')
  const isScheduled = email.status === 'scheduled'
  const mayChange = may.change('Emails')
  const mayShare = mayChange && !email.content_expired
  return (
    <>
      {mayChange && isScheduled && (
        <Button
          variant="default"
          leftSection={<IconCalendarClock />}
          onClick={() => dialog.open('reschedule')}
        >
          Reschedule
        </Button>
      )}
      {mayChange && !isScheduled && !email.content_expired && (
        <Button variant="default" leftSection={<IconRepeat />} onClick={() => dialog.open('resend')}>
          Send again
        </Button>
      )}
      <MoreActions email={email} onShare={mayShare ? () => dialog.open('share') : null} />
      <ResendDialog email={email} opened={dialog.value === 'resend' && mayChange} onClose={dialog.close} />
      <RescheduleDialog
        email={email}
        opened={dialog.value === 'reschedule' && isScheduled}
        onClose={dialog.close}
      />
      <ShareDialog email={email} opened={dialog.value === 'share' && mayShare} onClose={dialog.close} />
    </>
  )
}

/** @param onShare null for users who may not share the email */
function MoreActions({ email, onShare }: { email: EmailWhole; onShare: (() => void) | null }) {
  const may = useMay()
  const suppress = useSuppress()
  const cancel = useChange({ onDone: () => notifyDone('Email canceled.'), onError: notifyError })
  const askCancel = () =>
    confirm({
      title: 'Cancel this email?',
      children: 'The email is not sent and does not count toward your quota. You cannot schedule it again.',
      action: 'Cancel email',
      onConfirm: () => cancel.mutate({ path: `/emails/${email.id}/cancel`, method: 'POST' }),
    })
  const copyId = () => void copyText(email.id).then(() => notifyDone('ID copied.'), notifyError)
  return (
    <Menu position="bottom-end" shadow="md" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy />} onClick={copyId}>
          Copy ID
        </Menu.Item>
        {onShare !== null && (
          <Menu.Item leftSection={<IconShare />} onClick={onShare}>
            Share email
          </Menu.Item>
        )}
        {may.change('Emails') && email.status === 'scheduled' && (
          <Menu.Item color="red" leftSection={<IconX />} onClick={askCancel}>
            Cancel
          </Menu.Item>
        )}
        {may.change('Suppressions') && (
          <>
            <Menu.Divider />
            <Menu.Label>Suppress</Menu.Label>
            {email.recipients.slice(0, OFFERED_MAX).map(({ email: address, type }) => (
              <Menu.Item
                key={`${type} ${address}`}
                leftSection={<IconForbid2 />}
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

/** A menu cannot offer more addresses. The page of suppressions accepts many at once. */
const OFFERED_MAX = 8
