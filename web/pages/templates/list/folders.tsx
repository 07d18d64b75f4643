import { ActionIcon, Box, Button, Group, Menu, NavLink, Select, Text, Title } from '@mantine/core'
import { IconFolder, IconFolderPlus, IconFolders, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { TemplateFolder } from '../../../api/records.ts'
import { type ReadList, useChange, useMay, useTeam } from '../../../api/team.ts'
import { DotsMenu } from '../../../ui/dots-menu.tsx'
import { confirm } from '../../../ui/forms/confirm.tsx'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { Link } from '../../../ui/link.tsx'
import { notifyDone, notifyError } from '../../../ui/notifications.tsx'
import { FolderForm } from './folder-form.tsx'

interface FoldersProps {
  folders: ReadList<TemplateFolder>
  /** The id of the open folder; null for all templates. */
  current: string | null
}

/** The folders: a list next to the table, or a select above it on a phone. */
export function Folders({ folders, current }: FoldersProps) {
  const sorted = folders.rows.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <Box>
      <FolderList folders={folders} sorted={sorted} current={current} />
      <FolderField sorted={sorted} current={current} />
      <FolderForm folders={folders.rows} />
    </Box>
  )
}

function FolderList({ folders, sorted, current }: FoldersProps & { sorted: readonly TemplateFolder[] }) {
  const mayChange = useMay().change('Template folders')
  const form = useDialog('edit_folder')
  return (
    <Box component="nav" aria-label="Folders" visibleFrom="sm">
      <Group justify="space-between" mb="xs" pl="sm">
        <Title order={2} size="h3">
          Folders
        </Title>
        {mayChange && (
          <ActionIcon aria-label="New folder" onClick={() => form.open('new')}>
            <IconFolderPlus />
          </ActionIcon>
        )}
      </Group>
      <FolderLink label="All templates" isCurrent={current === null} icon={IconFolders} />
      {sorted.map(({ id, name }) => (
        <Group key={id} gap="hair" wrap="nowrap">
          <FolderLink folder={id} label={name} isCurrent={id === current} icon={IconFolder} />
          {mayChange && (
            <FolderMenu folder={{ id, name }} isCurrent={id === current} onRename={() => form.open(id)} />
          )}
        </Group>
      ))}
      {folders.hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={folders.readMore} loading={folders.isFetching}>
          More folders
        </Button>
      )}
      {sorted.length === 0 && !folders.isPending && (
        <Text size="xs" c="dimmed" px="sm" py="xxs">
          No folders yet. Use folders to group related templates.
        </Text>
      )}
    </Box>
  )
}

interface FolderFieldProps {
  sorted: readonly TemplateFolder[]
  current: string | null
}

/** The same choice on a phone. */
function FolderField({ sorted, current }: FolderFieldProps) {
  const team = useTeam()
  const mayChange = useMay().change('Template folders')
  const navigate = useNavigate()
  const form = useDialog('edit_folder')
  const choose = (id: string | null) =>
    void navigate({
      to: `/${team.id}/templates`,
      search: (id === ALL || id === null ? {} : { folder: id }) as never,
    })
  return (
    <Group hiddenFrom="sm" gap="xs" wrap="nowrap" mb="sm">
      <Select
        aria-label="Folder"
        style={{ flex: 1 }}
        leftSection={<IconFolder />}
        allowDeselect={false}
        value={current ?? ALL}
        data={[
          { value: ALL, label: 'All templates' },
          ...sorted.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={choose}
      />
      {mayChange && current !== null && (
        <FolderMenu
          folder={{ id: current, name: sorted.find(({ id }) => id === current)?.name ?? '' }}
          isCurrent
          onRename={() => form.open(current)}
        />
      )}
      {mayChange && (
        <ActionIcon size="lg" aria-label="New folder" onClick={() => form.open('new')}>
          <IconFolderPlus />
        </ActionIcon>
      )}
    </Group>
  )
}

const ALL = 'all'

interface LinkProps {
  folder?: string
  label: string
  isCurrent: boolean
  icon: typeof IconFolder
}

function FolderLink({ folder, label, isCurrent, icon: Glyph }: LinkProps) {
  const team = useTeam()
  return (
    <NavLink
      component={Link}
      to={`/${team.id}/templates`}
      search={(folder === undefined ? {} : { folder }) as never}
      label={<span className="one-line">{label}</span>}
      leftSection={<Glyph aria-hidden />}
      active={isCurrent}
      aria-current={isCurrent ? 'true' : undefined}
      variant="light"
      style={{ minWidth: 0, flex: 1 }}
      px="sm"
      py="xs"
    />
  )
}

interface MenuProps {
  folder: Pick<TemplateFolder, 'id' | 'name'>
  isCurrent: boolean
  onRename(): void
}

function FolderMenu({ folder: { id, name }, isCurrent, onRename }: MenuProps) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({ touches: ['/templates'] })
  const remove = async () => {
    try {
      await change.mutateAsync({ method: 'DELETE', path: `/template-folders/${id}` })
      notifyDone('Folder deleted. Its templates are kept.')
      if (isCurrent) await navigate({ to: `/${team.id}/templates` })
    } catch (error) {
      notifyError(error)
    }
  }
  const ask = () =>
    confirm({
      title: 'Delete this folder?',
      children: (
        <>
          <span className="foreign">{name}</span> is deleted. Its templates are kept outside of any folder.
        </>
      ),
      action: 'Delete folder',
      onConfirm: () => void remove(),
    })
  return (
    <DotsMenu label={`Actions for folder ${name}`}>
      <Menu.Item leftSection={<IconPencil />} onClick={onRename}>
        Rename
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash />} color="red" onClick={ask}>
        Delete
      </Menu.Item>
    </DotsMenu>
  )
}
