import { Badge, Group, Menu, Text } from '@mantine/core'
import { IconBan, IconKey, IconPencil } from '@tabler/icons-react'
import type { ApiKey, Domain } from '../../api/records.ts'
import { useList, useMay } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { DotsMenu } from '../../ui/dots-menu.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { KeyForm } from './key-form.tsx'

/** The team's keys for the API and SMTP. */
export function ApiKeysPage() {
  const mayChange = useMay().change('API keys')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<ApiKey>('/api-keys')
  const domains = useAll<Domain>('/domains')
  const columns: readonly Column<ApiKey>[] = [
    ...factColumns(domains.data ?? []),
    actionsColumn(
      (key) =>
        mayChange && key.status !== 'revoked' && <Actions apiKey={key} onEdit={() => editing.open(key.id)} />,
    ),
  ]
  return (
    <ResourcePage
      title="API keys"
      description="Programs authenticate with an API key: as a bearer token over HTTP, and as the password over SMTP. A key is shown only once, when you create it."
      add={mayChange && <AddButton dialog={creating}>Create API key</AddButton>}
      columns={columns}
      list={list}
      empty={{
        icon: IconKey,
        title: 'No API keys yet',
        children:
          'Create a key for each program that sends email, so that you can restrict and revoke each one separately.',
      }}
    >
      <KeyForm isOpen={creating.isOpen} onClose={creating.close} apiKey={null} domains={domains.data ?? []} />
      <KeyForm
        isOpen={editing.isOpen && list.rows.some(({ id }) => id === editing.value)}
        onClose={editing.close}
        apiKey={list.rows.find(({ id }) => id === editing.value) ?? null}
        domains={domains.data ?? []}
      />
    </ResourcePage>
  )
}

const factColumns = (domains: readonly Domain[]): readonly Column<ApiKey>[] => [
  { header: 'Name', render: (key) => <Name apiKey={key} /> },
  { header: 'Permission', render: (key) => <Scope apiKey={key} domains={domains} />, isWide: true },
  { header: 'Status', render: (key) => <StatusBadge status={key.status} />, width: 110 },
  momentColumn('Last used', (key) => key.last_used_at, { none: 'never', isRelative: true, width: 140 }),
  momentColumn('Expires', (key) => key.expires_at, { none: 'never', isRelative: true, width: 140 }),
]

function Name({ apiKey: { name, prefix } }: { apiKey: ApiKey }) {
  return (
    <>
      <Text size="sm" fw={500} className="foreign">
        {name}
      </Text>
      <Text size="xs" c="dimmed" className="code">
        {prefix}…
      </Text>
    </>
  )
}

function Scope({ apiKey, domains }: { apiKey: ApiKey; domains: readonly Domain[] }) {
  const { domain_id: domainId } = apiKey
  const domain = domains.find(({ id }) => id === domainId)?.name ?? domainId
  return (
    <Group gap="xs">
      <Badge>{apiKey.permission === 'full' ? 'Everything' : 'Send only'}</Badge>
      {domain !== null && <Badge>{domain}</Badge>}
    </Group>
  )
}

function Actions({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: () => void }) {
  const revoke = useDelete({
    path: `/api-keys/${apiKey.id}`,
    title: `Revoke “${apiKey.name}”?`,
    children: 'Requests with this key fail from now on. This can’t be undone, but you can create a new key.',
    action: 'Revoke key',
    done: `API key “${apiKey.name}” revoked.`,
  })
  return (
    <DotsMenu label={`Actions for ${apiKey.name}`}>
      <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
        Edit
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconBan />} onClick={revoke}>
        Revoke
      </Menu.Item>
    </DotsMenu>
  )
}
