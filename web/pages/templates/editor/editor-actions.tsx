import { Button, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCopy,
  IconDeviceFloppy,
  IconEyeOff,
  IconHistory,
  IconRocket,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useChange, useMay, useTeam } from '../../../api/team.ts'
import { DotsMenu } from '../../../ui/dots-menu.tsx'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { Link } from '../../../ui/link.tsx'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import { savesDraft, type Work } from '../draft/work.ts'
import { useTemplateActions } from '../list/template-actions.ts'
import { confirmDelete } from '../list/template-menu.tsx'
import type { Editing } from './use-draft.ts'

interface ActionsProps {
  template: Work
  editing: Editing
  mayChange: boolean
  onSave(): void
}

/** The actions of the editor's header. */
export function EditorActions({ template, editing, mayChange, onSave }: ActionsProps) {
  const team = useTeam()
  const maySend = useMay().change('Emails')
  const sending = useDialog('send')
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
      {mayChange && <SaveButtons template={template} editing={editing} onSave={onSave} />}
      {mayChange && <MoreMenu template={template} editing={editing} isDraft={isDraft} />}
    </>
  )
}

function SaveButtons({ template, editing, onSave }: Omit<ActionsProps, 'mayChange'>) {
  const review = useDialog('review')
  const { isChanged, isSaving } = editing
  const isDraft = template.status === 'draft'
  const isLive = savesDraft(template)
  const publish = async () => {
    if (template.live.status === 'draft') {
      await editing.publish()
      return
    }
    if (isChanged && !(await editing.save())) return
    await editing.refresh()
    review.open()
  }
  return (
    <>
      <Tooltip label="Ctrl S or ⌘ S">
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy />}
          onClick={onSave}
          loading={isSaving}
          disabled={!isChanged}
        >
          {isLive ? 'Save draft' : 'Save'}
        </Button>
      </Tooltip>
      <Button
        leftSection={<IconRocket />}
        disabled={isSaving || (!isDraft && !isChanged && template.unpublished === null)}
        onClick={() => void publish()}
      >
        {!isDraft && 'Publish changes'}
        {isDraft && (isChanged ? 'Save and publish' : 'Publish')}
      </Button>
    </>
  )
}

function MoreMenu({ template, editing, isDraft }: { template: Work; editing: Editing; isDraft: boolean }) {
  const team = useTeam()
  const navigate = useNavigate()
  const { duplicate, remove } = useTemplateActions(template)
  const change = useChange({ onError: notifyError })
  const unpublish = () =>
    change.mutate(
      { method: 'PUT', path: `/templates/${template.id}`, body: { status: 'draft' } },
      { onSuccess: () => notifyDone('Template unpublished.') },
    )
  const askUnpublish = () =>
    confirm({
      title: 'Unpublish this template?',
      children: 'It becomes a draft. Requests that use it are rejected until you publish it again.',
      action: 'Unpublish',
      onConfirm: unpublish,
    })
  const askDiscard = () =>
    confirm({
      title: 'Discard the draft?',
      children: 'The unpublished changes are lost. Emails keep using the published version.',
      action: 'Discard draft',
      onConfirm: () => void editing.discard(),
    })
  // Unsaved changes are lost with the template.
  const leave = () => void navigate({ to: `/${team.id}/templates`, ignoreBlocker: true })
  return (
    <DotsMenu label="More actions" isFramed>
      {template.unpublished !== null && (
        <Menu.Item leftSection={<IconArrowBackUp />} onClick={askDiscard}>
          Discard draft
        </Menu.Item>
      )}
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
    </DotsMenu>
  )
}
