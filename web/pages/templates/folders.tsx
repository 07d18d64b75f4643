import { ActionIcon, Box, Button, Group, Menu, NavLink, Select, Text, Title } from '@mantine/core'
import { IconDots, IconFolder, IconFolderPlus, IconFolders, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { TemplateFolder } from '../../api/records.ts'
import { type ReadList, useChange, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { FolderForm } from './folder-form.tsx'

interface FoldersProps {
  folders: ReadList<TemplateFolder>
  /** The one that is looked into; null: all templates. */
  current: string | null
}

/** Where templates lie: a list beside the table; on a phone a field above it. */
export function Folders({ folders, current }: FoldersProps) {
  const team = useTeam()
  const mayChange = useMay().change('Template folders')
  const navigate = useNavigate()
  const form = useDialog('edit_folder')
  const sorted = folders.rows.toSorted((one, other) => one.name.localeCompare(other.name))
  const to = `/${team.id}/templates`
  return (
    <Box>
      <Box component="nav" aria-label="Folders" visibleFrom="sm">
        <Group justify="space-between" mb={6} pl={10}>
          <Title order={2} size="h3">
            Folders
          </Title>
          {mayChange && (
            <ActionIcon aria-label="New folder" onClick={() => form.open('new')}>
              <IconFolderPlus size={17} />
            </ActionIcon>
          )}
        </Group>
        <FolderLink to={to} label="All templates" isCurrent={current === null} icon={IconFolders} />
        {sorted.map(({ id, name }) => (
          <Group key={id} gap={2} wrap="nowrap">
            <FolderLink to={to} folder={id} label={name} isCurrent={id === current} icon={IconFolder} />
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
          <Text size="xs" c="dimmed" px={10} py={4}>
            No folders yet. They keep what belongs together in sight of each other.
          </Text>
        )}
      </Box>
      <Group hiddenFrom="sm" gap="xs" wrap="nowrap" mb="sm">
        <Select
          aria-label="Folder"
          style={{ flex: 1 }}
          leftSection={<IconFolder size={16} />}
          allowDeselect={false}
          value={current ?? ALL}
          data={[
            { value: ALL, label: 'All templates' },
            ...sorted.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) =>
            void navigate({ to, search: (id === ALL || id === null ? {} : { folder: id }) as never })
          }
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
            <IconFolderPlus size={18} />
          </ActionIcon>
        )}
      </Group>
      <FolderForm folders={folders.rows} />
    </Box>
  )
}

const ALL = 'all'

interface LinkProps {
  to: string
  folder?: string
  label: string
  isCurrent: boolean
  icon: typeof IconFolder
}

function FolderLink({ to, folder, label, isCurrent, icon: Glyph }: LinkProps) {
  return (
    <NavLink
      component={Link}
      to={to}
      search={(folder === undefined ? {} : { folder }) as never}
      label={<span className="one-line">{label}</span>}
      leftSection={<Glyph size={16} aria-hidden />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      variant="light"
      style={{ borderRadius: 8, minWidth: 0, flex: 1 }}
      px={10}
      py={6}
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
      tellDone('The folder is gone; its templates are kept.')
      if (isCurrent) await navigate({ to: `/${team.id}/templates` })
    } catch (error) {
      tellError(error)
    }
  }
  const ask = () =>
    confirm({
      title: 'Delete this folder?',
      children: (
        <>
          <span className="foreign">{name}</span> goes; the templates in it are kept, in no folder.
        </>
      ),
      action: 'Delete folder',
      onConfirm: () => void remove(),
    })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={`Actions of folder ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={ask}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
