import '../templates.css'
import { Box, Group, Select, Skeleton, Text } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Template, TemplateVersion, VersionSummary } from '../../../api/records.ts'
import { useGet, useList, useMay, useTeam } from '../../../api/team.ts'
import { ErrorNote } from '../../../ui/page/error-note.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { RestoreButton, RestoreConflict, useRestoring } from './restore-version.tsx'
import { VersionDiff } from './version-diff.tsx'
import { VersionList } from './version-list.tsx'

/** The history of a template. An earlier version can be restored. */
export function VersionsPage() {
  const team = useTeam()
  const { templateId = '' } = useParams({ strict: false }) as { templateId?: string }
  const path = `/templates/${encodeURIComponent(templateId)}`
  const { data: template, error } = useGet<Template>(path)
  const list = useList<VersionSummary>(`${path}/versions`)
  const comparison = useChosen(list.rows)
  const restoring = useRestoring(templateId)
  const mayChange = useMay().change('Templates')
  const failure = error ?? list.error
  return (
    <Page
      title="Versions"
      trail={[
        { label: 'Templates', to: `/${team.id}/templates` },
        { label: template?.name ?? 'Template', to: `/${team.id}/templates/${templateId}` },
      ]}
      description="Every save that changes the email creates a version. Compare versions, and restore an earlier one."
      actions={
        mayChange &&
        comparison.version !== null &&
        !comparison.version.is_current &&
        template !== undefined && <RestoreButton restoring={restoring} version={comparison.version.version} />
      }
    >
      <RestoreConflict restoring={restoring} />
      <ErrorNote error={failure} onRetry={list.refetch} />
      {failure === null && (
        <Box className="beside beside-wide">
          <Section isFlush>
            {list.isPending ? (
              <Skeleton height={240} />
            ) : (
              <VersionList list={list} current={comparison.version?.version ?? null} />
            )}
          </Section>
          <Comparison path={path} rows={list.rows} {...comparison} />
        </Box>
      )}
    </Page>
  )
}

interface Chosen {
  version: VersionSummary | null
  /** Null when there is no earlier version. */
  against: number | null
}

/** Returns the versions that the page's address names. Default: the newest and the one before it. */
function useChosen(rows: readonly VersionSummary[]): Chosen {
  const { version, against } = useSearch({ strict: false }) as { version?: string; against?: string }
  const current = rows.find((row) => String(row.version) === version) ?? rows[0] ?? null
  if (current === null) return { version: null, against: null }
  const before = rows.find((row) => row.version < current.version)?.version ?? null
  return { version: current, against: against === undefined ? before : Number(against) }
}

/** The older version is on the left, whichever of the two was chosen first. */
function inOrder(one: TemplateVersion | null, other: TemplateVersion) {
  return one !== null && one.version > other.version
    ? { before: other, after: one }
    : { before: one, after: other }
}

interface ComparisonProps extends Chosen {
  path: string
  rows: readonly VersionSummary[]
}

function Comparison({ path, rows, version, against }: ComparisonProps) {
  const navigate = useNavigate()
  const after = useGet<TemplateVersion>(`${path}/versions/${version?.version}`, { enabled: version !== null })
  const before = useGet<TemplateVersion>(`${path}/versions/${against}`, { enabled: against !== null })
  const others = rows.filter((row) => row.version !== version?.version)
  const error = after.error ?? before.error
  return (
    <Section isFlush>
      <Group p="sm" gap="sm" justify="space-between">
        <Text size="sm" fw={600}>
          {version === null ? ' ' : `Version ${version.version}`}
        </Text>
        {others.length > 0 && (
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" c="dimmed" id="against">
              compared with
            </Text>
            <Select
              aria-labelledby="against"
              w={150}
              size="xs"
              allowDeselect={false}
              placeholder="nothing"
              data={others.map((row) => ({
                value: String(row.version),
                label: `Version ${row.version}`,
              }))}
              value={against === null ? null : String(against)}
              onChange={(next) =>
                void navigate({
                  to: '.',
                  search: ((search: object) => ({ ...search, against: next ?? undefined })) as never,
                  replace: true,
                })
              }
            />
          </Group>
        )}
      </Group>
      {error !== null && (
        <Box px="sm">
          <ErrorNote error={error} />
        </Box>
      )}
      {error === null && (after.data === undefined || (against !== null && before.data === undefined)) && (
        <Skeleton height={360} m="sm" aria-busy />
      )}
      {error === null && after.data !== undefined && (against === null || before.data !== undefined) && (
        <VersionDiff {...inOrder(against === null ? null : (before.data ?? null), after.data)} />
      )}
    </Section>
  )
}
