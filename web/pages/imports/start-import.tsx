import { Alert, Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Import } from '../../api/records.ts'
import { useChange, useGet, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import type { ChosenFile } from './csv-head.ts'
import { ImportErrors } from './import-errors.tsx'
import { isAllSkipped } from './import-status.tsx'
import type { ImportKind } from './kinds.ts'
import { faultOf, type Mapping, writeMapping } from './mapping.ts'

interface StartImportProps extends Pick<ChosenFile, 'file' | 'head'> {
  kind: ImportKind
  mapping: Mapping
  listIds: readonly string[]
  /** What happens to contacts that exist. */
  existing: string
}

const POLL_MS = 500

/**
 * Checks all rows before it imports any, in a dry run on the server. If rows would be skipped, it shows them and asks
 * first; else the import follows at once.
 */
export function StartImport({ kind, file, head, mapping, listIds, existing }: StartImportProps) {
  const fault = faultOf(head.columns, mapping)
  const { delimiter, encoding, columns } = head
  const query = { delimiter, encoding, mapping: writeMapping(columns, mapping) }
  const wholeQuery = { ...query, list_ids: listIds.join(','), ...(kind === 'contacts' ? { existing } : {}) }
  const { upload, error, isUploading, dryRun } = useUploads(kind, file)
  const isChecking = dryRun !== undefined && !isOver(dryRun)
  const start = () => upload({ ...query, dry_run: true })
  const goOn = () => upload(wholeQuery)
  const isFaultless = dryRun?.status === 'completed' && dryRun.rows_failed === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the import follows its check once
  useEffect(() => {
    if (isFaultless) goOn()
  }, [isFaultless])
  return (
    <>
      {dryRun !== undefined && isOver(dryRun) && !isFaultless && <CheckResult kind={kind} dryRun={dryRun} />}
      <Stack gap="xs" align="flex-end">
        {fault !== null && (
          <Alert color="yellow" role="status" w="100%">
            {fault}
          </Alert>
        )}
        <ErrorNote error={error} />
        {(isUploading || isChecking) && (
          <Text size="sm" c="dimmed" role="status">
            {isUploading
              ? 'Uploading the file. Stay on this page until the upload is complete.'
              : 'Checking all rows. Nothing is imported yet.'}
          </Text>
        )}
        {dryRun === undefined || isChecking || isFaultless ? (
          <Button onClick={start} disabled={fault !== null} loading={isUploading || isChecking}>
            {'Start import'}
          </Button>
        ) : (
          <Button onClick={goOn} disabled={!hasGoodRows(dryRun)} loading={isUploading}>
            {importOthers(dryRun.rows_read - dryRun.rows_failed)}
          </Button>
        )}
      </Stack>
    </>
  )
}

const isOver = ({ status }: Import) => status === 'completed' || status === 'failed'
const hasGoodRows = (dryRun: Import) => dryRun.status === 'completed' && !isAllSkipped(dryRun)

function CheckResult({ kind, dryRun }: { kind: ImportKind; dryRun: Import }) {
  const { status, reason, rows_read, rows_failed } = dryRun
  return (
    <>
      <Alert
        color={hasGoodRows(dryRun) ? 'yellow' : 'red'}
        role="alert"
        mb="md"
        title={'Nothing is imported yet'}
      >
        {status === 'failed' ? (
          <span className="foreign">{reason}</span>
        ) : (
          `${rows_failed.toLocaleString()} of ${rows_read.toLocaleString()} rows would be skipped.`
        )}
      </Alert>
      {rows_failed > 0 && <ImportErrors of={dryRun} kind={kind} />}
    </>
  )
}

/** Uploads the file: for a check, whose state `dryRun` follows, or for the import, whose page it opens. */
function useUploads(kind: ImportKind, file: File) {
  const team = useTeam()
  const navigate = useNavigate()
  const [checkId, setCheckId] = useState<string | null>(null)
  const change = useChange<Import>({
    onDone: ({ id, dry_run }) => {
      if (dry_run) setCheckId(id)
      else void navigate({ to: `/${team.id}/imports/${kind}/${id}` })
    },
  })
  const { data: dryRun, error } = useGet<Import>(`/${kind}/imports/${checkId}`, {
    enabled: checkId !== null,
    refetchIntervalMs: POLL_MS,
    refetchWhile: (of) => !isOver(of),
  })
  return {
    dryRun: checkId === null ? undefined : dryRun,
    error: change.error ?? error,
    isUploading: change.isPending,
    upload: (query: Record<string, string | boolean>) =>
      change.mutate({
        path: `/${kind}/import`,
        method: 'POST',
        query,
        // The system may assign another type to the file.
        body: new Blob([file], { type: 'text/csv' }),
      }),
  }
}

const importOthers = (count: number) =>
  count === 1 ? 'Import the other row' : `Import the other ${count.toLocaleString()} rows`
