import { Box, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconFileText, IconPlus, IconSearch } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { TemplateFolder, TemplateSummary } from '../../../api/records.ts'
import { type ReadList, useList, useMay, useTeam } from '../../../api/team.ts'
import { useDialog } from '../../../ui/forms/dialog.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { actionsColumn, type Column } from '../../../ui/tables/column.ts'
import { DataTable } from '../../../ui/tables/data-table.tsx'
import { useFilters } from '../../../ui/tables/filters.ts'
import { ListTools } from '../../../ui/tables/list-tools.tsx'
import { type ListView, useListView } from '../../../ui/tables/list-view.ts'
import { momentColumn } from '../../../ui/tables/moment-column.tsx'
import { Folders } from './folders.tsx'
import { MoveTemplate } from './move-template.tsx'
import { NewTemplate } from './new-template.tsx'
import { TemplateMenu } from './template-menu.tsx'

const FILTERS = ['folder', 'q', 'status'] as const

/** The team's templates, by folder. */
export function TemplatesPage() {
  const mayChange = useMay().change('Templates')
  const { filters, field, choice, clear, isFiltered } = useFilters(FILTERS)
  const { folder, ...others } = filters
  const folders = useList<TemplateFolder>('/template-folders', { countAPage: 100 })
  const view = useListView('templates', useColumns(folders.rows, mayChange), FILTERS)
  const list = useList<TemplateSummary>('/templates', { query: { ...others, folder_id: folder } })
  const adding = useDialog('new')
  const newButton = (variant: 'filled' | 'default') => (
    <Button variant={variant} leftSection={<IconPlus />} onClick={() => adding.open()}>
      New template
    </Button>
  )
  return (
    <Page
      title="Templates"
      description="Reusable emails with variables."
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
              {...field('q')}
              style={{ flex: '1 1 200px', maxWidth: 320 }}
            />
            <Select
              aria-label="Status"
              placeholder="Any status"
              data={STATUSES}
              {...choice('status')}
              w={140}
            />
            <ListTools view={view} />
          </Group>
          <TemplateTable
            list={list}
            view={view}
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
  list: ReadList<TemplateSummary>
  view: ListView<TemplateSummary>
  empty: React.ReactNode
}

const ACTIONS: Column<TemplateSummary> = actionsColumn((template) => <TemplateMenu template={template} />)

function useColumns(
  folders: readonly TemplateFolder[],
  mayChange: boolean,
): readonly Column<TemplateSummary>[] {
  return useMemo(() => {
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
      {
        header: 'Status',
        render: ({ status }) => <StatusBadge status={status} />,
        sortOf: ({ status }) => status,
        width: 108,
      },
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
      {
        header: 'Version',
        render: ({ version }) => version,
        sortOf: ({ version }) => version,
        width: 84,
        isWide: true,
        align: 'right',
      },
      momentColumn('Updated', ({ updated_at: at }) => at, {
        isRelative: true,
        sortOf: ({ updated_at: at }) => at,
        width: 170,
      }),
    ]
    return mayChange ? [...columns, ACTIONS] : columns
  }, [folders, mayChange])
}

function TemplateTable({ list, view, empty }: TableProps) {
  const team = useTeam()
  return (
    <DataTable
      label="Templates"
      view={view}
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
