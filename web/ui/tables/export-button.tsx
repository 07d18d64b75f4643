import {
  ActionIcon,
  Button,
  Group,
  Modal,
  Progress as ProgressBar,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { saveBlob } from '../../api/save-blob.ts'
import { notifyDone, notifyError } from '../notifications.tsx'
import { EXPORT_ROWS_MAX, type ExportOf, exportRows, type Progress } from './export-rows.ts'

/** Saves what matches as a CSV file. A dialog shows the progress and cancels it. */
export function ExportButton<T extends { id: string }>({ exported }: { exported: ExportOf<T> }) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const start = async () => {
    const stop = new AbortController()
    controller.current = stop
    setProgress({ rows: 0, total: null })
    try {
      let rows = 0
      const blob = await exportRows(
        exported,
        (now) => {
          rows = now.rows
          setProgress(now)
        },
        stop.signal,
      )
      saveBlob(blob, `${exported.file}.csv`)
      notifyDone(
        rows >= EXPORT_ROWS_MAX
          ? `One file holds at most ${EXPORT_ROWS_MAX.toLocaleString()} rows. Export the rest with narrower filters.`
          : `${rows.toLocaleString()} rows`,
      )
    } catch (error) {
      if (!stop.signal.aborted) notifyError(error)
    }
    setProgress(null)
  }
  const cancel = () => controller.current?.abort()
  return (
    <>
      <Tooltip label="Export as CSV">
        <ActionIcon aria-label="Export" size="lg" onClick={() => void start()}>
          <IconDownload />
        </ActionIcon>
      </Tooltip>
      <Modal opened={progress !== null} onClose={cancel} title="Export as CSV" size="sm">
        {progress !== null && <Running progress={progress} onCancel={cancel} />}
      </Modal>
    </>
  )
}

function Running({ progress: { rows, total }, onCancel }: { progress: Progress; onCancel(): void }) {
  const rowCount = total === null ? null : Math.min(Math.max(total, rows), EXPORT_ROWS_MAX)
  return (
    <Stack gap="sm">
      <ProgressBar
        value={rowCount === null || rowCount === 0 ? 0 : (100 * rows) / rowCount}
        aria-label="Export as CSV"
      />
      <Text size="sm" role="status">
        {rowCount === null
          ? `${rows.toLocaleString()} rows`
          : `${rows.toLocaleString()} of ${rowCount.toLocaleString()} rows`}
      </Text>
      <Text size="xs" c="dimmed">
        One file holds at most {EXPORT_ROWS_MAX.toLocaleString()} rows. Export the rest with narrower filters.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel export
        </Button>
      </Group>
    </Stack>
  )
}
