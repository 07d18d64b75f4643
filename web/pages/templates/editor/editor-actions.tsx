import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import {
  IconCopy,
  IconDeviceFloppy,
  IconDots,
  IconEyeOff,
  IconHistory,
  IconRocket,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Template } from '../../../api/records.ts'
import { useChange, useMay, useTeam } from '../../../api/team.ts'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { Link } from '../../../ui/link.tsx'
import { notifyDone, notifyError } from '../../../ui/page/notifications.tsx'
import { useTemplateActions } from '../template-actions.ts'
import { confirmDelete } from '../template-menu.tsx'
import type { Editing } from './use-draft.ts'

interface ActionsProps {
  template: Template
  editing: Editing
  mayChange: boolean
  onSave(): void
}

/** The actions of the editor's header. */
export function EditorActions({ template, editing, mayChange, onSave }: ActionsProps) {
  const team = useTeam()
  const maySend = useMay().change('Emails')
  const sending = useDialog('send')
  const { isChanged, isSaving, save } = editing
  const isDraft = template.status === 'draft'
  const versions = (
    <Button
      variant="default"
      component={Link}
      to={`/${team.id}/templates/${template.id}/versions`}
      leftSection={<IconHistory />}
    >
      Versions
    </Button>
  )
  return (
    <>
      {versions}
      {maySend && (
        <Button variant="default" leftSection={<IconSend />} onClick={() => sending.open()}>
          Send test
        </Button>
      )}
      {mayChange && isDraft && (
        <Button
          variant="default"
          leftSection={<IconRocket />}
          disabled={isSaving}
          onClick={() => void save('published')}
        >
          {isChanged ? 'Save and publish' : 'Publish'}
        </Button>
      )}
      {mayChange && (
        <Tooltip label="Ctrl S or ⌘ S">
          <Button
            leftSection={<IconDeviceFloppy />}
            onClick={onSave}
            loading={isSaving}
            disabled={!isChanged}
          >
            Save
          </Button>
        </Tooltip>
      )}
      {mayChange && <MoreMenu template={template} isDraft={isDraft} />}
    </>
  )
}

function MoreMenu({ template, isDraft }: { template: Template; isDraft: boolean }) {
  const team = useTeam()
  const navigate = useNavigate()
  const { duplicate, remove } = useTemplateActions(template)
  const change = useChange()
  const unpublish = () =>
    change.mutate(
      { method: 'PUT', path: `/templates/${template.id}`, body: { status: 'draft' } },
      { onError: notifyError, onSuccess: () => notifyDone('Template unpublished.') },
    )
  const askUnpublish = () =>
    confirm({
      title: 'Unpublish this template?',
      children: 'It becomes a draft. Requests that use it are rejected until you publish it again.',
      action: 'Unpublish',
      onConfirm: unpublish,
    })
  // Unsaved changes are lost with the template.
  const leave = () => void navigate({ to: `/${team.id}/templates`, ignoreBlocker: true })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isDraft && (
          <Menu.Item leftSection={<IconEyeOff />} onClick={askUnpublish}>
            Unpublish
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy />} onClick={() => void duplicate()}>
          Duplicate the saved version
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash />}
          color="red"
          onClick={() => confirmDelete(template.name, () => void remove(leave))}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
