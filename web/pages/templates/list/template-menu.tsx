import { Menu } from '@mantine/core'
import { IconCopy, IconFolderSymlink, IconHistory, IconTrash } from '@tabler/icons-react'
import type { TemplateSummary } from '../../../api/records.ts'
import { useTeam } from '../../../api/team.ts'
import { DotsMenu } from '../../../ui/dots-menu.tsx'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { Link } from '../../../ui/link.tsx'
import { useTemplateActions } from './template-actions.ts'

/** The menu of a template in the list. */
export function TemplateMenu({ template }: { template: TemplateSummary }) {
  const team = useTeam()
  const moving = useDialog('move')
  const { duplicate, remove } = useTemplateActions(template)
  const { id, name } = template
  return (
    <DotsMenu label={`Actions for ${name}`}>
      <Menu.Item leftSection={<IconCopy />} onClick={() => void duplicate()}>
        Duplicate
      </Menu.Item>
      <Menu.Item leftSection={<IconFolderSymlink />} onClick={() => moving.open(id)}>
        Move to folder
      </Menu.Item>
      <Menu.Item leftSection={<IconHistory />} component={Link} to={`/${team.id}/templates/${id}/versions`}>
        Versions
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconTrash />}
        color="red"
        onClick={() => confirmDelete(name, () => void remove())}
      >
        Delete
      </Menu.Item>
    </DotsMenu>
  )
}

/** Asks for confirmation, because a deleted template cannot be restored. */
export function confirmDelete(name: string, onConfirm: () => void): void {
  confirm({
    title: 'Delete this template?',
    children: (
      <>
        <strong className="foreign">{name}</strong> is deleted with all its versions. Requests that use it are
        then rejected. Accepted emails are not affected.
      </>
    ),
    action: 'Delete template',
    onConfirm,
  })
}
