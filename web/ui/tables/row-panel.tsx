import { ActionIcon, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../link.tsx'
import type { OpenRow } from './use-open-row.ts'

export interface PanelOf<T> {
  /** The accessible name of the panel, such as `Email`. */
  label: string
  /** @param row null until the list has loaded it */
  title(row: T | null): ReactNode
  render(key: string, row: T | null): ReactNode
  /** Returns the page of the row. Default: none. */
  pageOf?: (key: string) => string
}

interface RowPanelProps<T> {
  open: OpenRow<T>
  panel: PanelOf<T>
  linkOf: ((row: T) => string) | undefined
}

/** The essential facts of one row, beside the list. The arrow keys go on to the next rows, and Escape closes it. */
export function RowPanel<T>({ open, panel, linkOf }: RowPanelProps<T>) {
  const { key, row, next, previous, close } = open
  const heading = useRef<HTMLHeadingElement>(null)
  // A new row is announced by its heading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the row
  useEffect(() => heading.current?.focus({ preventScroll: true }), [key])
  if (key === null) return null
  const to = row === null ? panel.pageOf?.(key) : (linkOf?.(row) ?? panel.pageOf?.(key))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (step === null) return
    event.preventDefault()
    event.stopPropagation()
    if (step === 'close') close()
    else (step === 'next' ? next : previous)?.()
  }
  return (
    <aside className="row-panel" aria-label={panel.label} onKeyDown={onKeyDown}>
      <div className="row-panel-head">
        <Title order={2} ref={heading} tabIndex={-1} className="foreign">
          {panel.title(row)}
        </Title>
        <Group gap="hair" wrap="nowrap">
          <Step label="Previous row" onClick={previous} icon={<IconChevronUp />} />
          <Step label="Next row" onClick={next} icon={<IconChevronDown />} />
          <Step label="Close" onClick={close} icon={<IconX />} />
        </Group>
      </div>
      <div className="row-panel-body">{panel.render(key, row)}</div>
      <div className="row-panel-foot">
        {to !== undefined && (
          <Button component={Link} to={to} variant="default">
            Open page
          </Button>
        )}
        <Text size="xs" c="dimmed" ml="auto" aria-hidden>
          ↑ ↓ next row · Esc close
        </Text>
      </div>
    </aside>
  )
}

function Step({ label, onClick, icon }: { label: string; onClick: (() => void) | null; icon: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={onClick === null} onClick={() => onClick?.()}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** Keys in a field belong to the field. */
function stepOf({
  key,
  target,
  ctrlKey,
  metaKey,
  altKey,
}: KeyboardEvent): 'next' | 'previous' | 'close' | null {
  if (ctrlKey || metaKey || altKey) return null
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"]') !== null)
    return null
  if (key === 'Escape') return 'close'
  if (key === 'ArrowDown' || key === 'j') return 'next'
  if (key === 'ArrowUp' || key === 'k') return 'previous'
  return null
}
