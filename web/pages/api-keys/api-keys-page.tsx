import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconBan, IconDots, IconKey, IconPencil, IconPlus } from '@tabler/icons-react'
import type { ApiKey, Domain } from '../../api/records.ts'
import { useChange, useList, useMay } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { KeyForm } from './key-form.tsx'

/** The keys by which programs use the API and SMTP. */
export function ApiKeysPage() {
  const mayChange = useMay().change('API keys')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<ApiKey>('/api-keys')
  const domains = useAll<Domain>('/domains')
  const nameOf = (id: string) => domains.data?.find((domain) => domain.id === id)?.name ?? id
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open()}>
      Create a key
    </Button>
  )
  const columns: readonly Column<ApiKey>[] = [
    { header: 'Name', render: (key) => <Name apiKey={key} /> },
    { header: 'May', render: (key) => <Scope apiKey={key} nameOf={nameOf} />, isWide: true },
    { header: 'Status', render: (key) => <StatusBadge status={key.status} />, width: 110 },
    {
      header: 'Last used',
      render: (key) => <Moment at={key.last_used_at} none="never" isRelative />,
      isWide: true,
      width: 140,
    },
    {
      header: 'Expires',
      render: (key) => <Moment at={key.expires_at} none="never" isRelative />,
      isWide: true,
      width: 140,
    },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 56,
      render: (key) =>
        mayChange && key.status !== 'revoked' && <Actions apiKey={key} onEdit={() => editing.open(key.id)} />,
    },
  ]
  return (
    <Page
      title="API keys"
      description="A program proves by its key which team it acts for: as bearer token of the API, and as the password of SMTP. A key is shown once, when it is created."
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label="API keys"
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconKey} title="No key yet" action={mayChange && add}>
              Create one for each program that sends: then each can be told apart, limited to one domain, and
              revoked by itself.
            </EmptyState>
          }
        />
      </Section>
      <KeyForm isOpen={creating.isOpen} onClose={creating.close} apiKey={null} domains={domains.data ?? []} />
      <KeyForm
        isOpen={editing.isOpen && list.rows.some(({ id }) => id === editing.value)}
        onClose={editing.close}
        apiKey={list.rows.find(({ id }) => id === editing.value) ?? null}
        domains={domains.data ?? []}
      />
    </Page>
  )
}

function Name({ apiKey: { name, prefix } }: { apiKey: ApiKey }) {
  return (
    <>
      <Text size="sm" fw={550} className="foreign">
        {name}
      </Text>
      <Text size="xs" c="dimmed" className="code">
        {prefix}…
      </Text>
    </>
  )
}

function Scope({ apiKey, nameOf }: { apiKey: ApiKey; nameOf(id: string): string }) {
  return (
    <Group gap={6}>
      <Badge color={apiKey.permission === 'full' ? 'sea' : 'gray'}>
        {apiKey.permission === 'full' ? 'Everything' : 'Send only'}
      </Badge>
      {apiKey.domain_id !== null && <Badge color="gray">{nameOf(apiKey.domain_id)}</Badge>}
    </Group>
  )
}

function Actions({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: () => void }) {
  const change = useChange({ onDone: () => tellDone(`The key “${apiKey.name}” is revoked.`) })
  const revoke = () =>
    confirm({
      title: `Revoke “${apiKey.name}”?`,
      children:
        'Programs that use it are refused from now on. This cannot be undone; a new key can be created.',
      action: 'Revoke the key',
      onConfirm: () =>
        change.mutate({ path: `/api-keys/${apiKey.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`What can be done with ${apiKey.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onEdit}>
          Change
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconBan size={15} />} onClick={revoke}>
          Revoke
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
