import { ActionIcon, Checkbox, Group, Popover, Stack, Text, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isOptional, nameOf } from './column.ts'
import { ExportButton } from './export-button.tsx'
import type { ExportOf } from './export-rows.ts'
import type { ListView } from './list-view.ts'
import { ViewsMenu } from './views-menu.tsx'

interface ListToolsProps<T extends { id: string }> {
  view: ListView<T>
  /** How many records match. */
  count?: ReactNode
  /** What the CSV file holds; undefined for lists without an export here. */
  exported?: ExportOf<T> | undefined
}

/** At the right of the filters: the count, saved views, columns and export. */
export function ListTools<T extends { id: string }>({ view, count, exported }: ListToolsProps<T>) {
  return (
    <Group gap="xxs" ml="auto" wrap="nowrap" className="list-tools">
      {count}
      <ViewsMenu view={view} />
      <ColumnsMenu view={view} />
      {exported !== undefined && <ExportButton exported={exported} />}
    </Group>
  )
}

function ColumnsMenu<T>({ view: { all, columns, toggleColumn } }: { view: ListView<T> }) {
  const names = new Set(columns.map(nameOf))
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label="Columns">
          <ActionIcon aria-label="Columns" size="lg" visibleFrom="sm">
            <IconColumns3 />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label="Show columns">
        <Text size="xs" c="dimmed" mb="xs">
          Show columns
        </Text>
        <Stack gap="xs">
          {all
            .filter((column) => isOptional(column, all))
            .map((column) => (
              <Checkbox
                key={column.header}
                size="xs"
                label={column.header}
                checked={names.has(nameOf(column))}
                onChange={() => toggleColumn(nameOf(column))}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
