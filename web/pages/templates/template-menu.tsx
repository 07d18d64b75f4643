import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconFolderSymlink, IconHistory, IconTrash } from '@tabler/icons-react'
import type { TemplateSummary } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { useTemplateActions } from './template-actions.ts'
import { texts } from './texts.ts'

/** The menu of a template in the list. */
export function TemplateMenu({ template }: { template: TemplateSummary }) {
  const team = useTeam()
  const moving = useDialog('move')
  const { duplicate, remove } = useTemplateActions(template)
  const { id, name } = template
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.menu.actionsFor(name)}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy />} onClick={() => void duplicate()}>
          {texts.menu.duplicate}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderSymlink />} onClick={() => moving.open(id)}>
          {texts.menu.moveToFolder}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory />} component={Link} to={`/${team.id}/templates/${id}/versions`}>
          {texts.menu.versions}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash />}
          color="red"
          onClick={() => confirmDelete(name, () => void remove())}
        >
          {texts.menu.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Asks for confirmation, because a deleted template cannot be restored. */
export function confirmDelete(name: string, onConfirm: () => void): void {
  confirm({
    title: texts.menu.deleteThisTemplate,
    children: (
      <>
        <strong className="foreign">{name}</strong> {texts.menu.deletedAllVersionsRequests}
      </>
    ),
    action: texts.menu.deleteTemplate,
    onConfirm,
  })
}
