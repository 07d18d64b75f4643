import { Box, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconFileText, IconPlus, IconSearch } from '@tabler/icons-react'
import type { TemplateFolder, TemplateSummary } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import { useFilters } from '../../ui/tables/filters.ts'
import { Folders } from './folders.tsx'
import { MoveTemplate } from './move-template.tsx'
import { NewTemplate } from './new-template.tsx'
import { TemplateMenu } from './template-menu.tsx'

/** The team's templates, by folder. */
export function TemplatesPage() {
  const mayChange = useMay().change('Templates')
  const { filters, draft, setFilter, clear, isFiltered } = useFilters(['folder', 'q', 'status'])
  const { folder, ...others } = filters
  const list = useList<TemplateSummary>('/templates', { query: { ...others, folder_id: folder } })
  const folders = useList<TemplateFolder>('/template-folders', { countAPage: 100 })
  const adding = useDialog('new')
  const newButton = (variant: 'filled' | 'default') => (
    <Button variant={variant} leftSection={<IconPlus />} onClick={() => adding.open()}>
      New template
    </Button>
  )
  return (
    <Page
      title="Templates"
      description="Reusable content for emails, with variables for the parts that differ by recipient."
      actions={mayChange && newButton('filled')}
    >
      <Box className="beside">
        <Folders folders={folders} current={folder ?? null} />
        <Section isFlush>
          <Group p="sm" gap="sm">
            <TextInput
              aria-label="Search by name"
              placeholder="Name begins with"
              leftSection={<IconSearch />}
              value={draft.q ?? ''}
              onChange={(event) => setFilter('q', event.currentTarget.value)}
              style={{ flex: '1 1 200px', maxWidth: 320 }}
            />
            <Select
              aria-label="Status"
              placeholder="Any status"
              clearable
              data={STATUSES}
              value={filters.status ?? null}
              onChange={(value) => setFilter('status', value ?? '')}
              w={140}
            />
          </Group>
          <TemplateTable
            list={list}
            folders={folders.rows}
            mayChange={mayChange}
            empty={
              isFiltered ? (
                <NothingFound onClear={clear} />
              ) : (
                <NoTemplates action={mayChange ? newButton('default') : undefined} />
              )
            }
          />
        </Section>
      </Box>
      <NewTemplate folders={folders.rows} />
      <MoveTemplate folders={folders.rows} templates={list.rows} />
    </Page>
  )
}

const STATUSES = [
  { value: 'published', label: 'Published' },
  { value: 'draft', label: 'Draft' },
]

interface TableProps {
  list: Parameters<typeof DataTable<TemplateSummary>>[0]['list']
  folders: readonly TemplateFolder[]
  mayChange: boolean
  empty: React.ReactNode
}

function TemplateTable({ list, folders, mayChange, empty }: TableProps) {
  const team = useTeam()
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  const columns: Column<TemplateSummary>[] = [
    {
      header: 'Name',
      render: ({ name, subject }) => (
        <>
          <span className="one-line">{name}</span>
          <Text span className="one-line" size="xs" c="dimmed" fw={400}>
            {subject}
          </Text>
        </>
      ),
    },
    { header: 'Status', render: ({ status }) => <StatusBadge status={status} />, width: 108 },
    {
      header: 'Folder',
      render: ({ folder_id }) => (
        <Text span size="sm" c="dimmed" className="one-line">
          {folder_id === null ? '–' : (names.get(folder_id) ?? '–')}
        </Text>
      ),
      width: 150,
      isWide: true,
    },
    { header: 'Version', render: ({ version }) => version, width: 84, isWide: true, align: 'right' },
    {
      header: 'Updated',
      render: ({ updated_at }) => <Moment at={updated_at} isRelative />,
      width: 170,
      isWide: true,
    },
  ]
  if (mayChange)
    columns.push({
      header: 'Actions',
      render: (template) => <TemplateMenu template={template} />,
      width: 56,
      align: 'right',
      hasActions: true,
    })
  return (
    <DataTable
      label="Templates"
      columns={columns}
      list={list}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/${team.id}/templates/${id}`}
      empty={empty}
    />
  )
}

function NoTemplates({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState icon={IconFileText} title="No templates yet" action={action}>
      A template contains the subject, HTML and text. Requests refer to it and pass values for its variables.
      Change your emails here, without a new release of your program.
    </EmptyState>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconSearch}
      title="No matching templates"
      action={
        <Button variant="default" onClick={onClear}>
          Show all templates
        </Button>
      }
    >
      No template matches the search, or this folder is empty.
    </EmptyState>
  )
}
