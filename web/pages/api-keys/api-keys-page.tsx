import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconBan, IconDots, IconKey, IconPencil, IconPlus } from '@tabler/icons-react'
import type { ApiKey, Domain } from '../../api/records.ts'
import { useChange, useList, useMay } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { KeyForm } from './key-form.tsx'
import { texts } from './texts.ts'

/** The team's keys for the API and SMTP. */
export function ApiKeysPage() {
  const mayChange = useMay().change('API keys')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<ApiKey>('/api-keys')
  const domains = useAll<Domain>('/domains')
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      {texts.page.createApiKey}
    </Button>
  )
  const columns: readonly Column<ApiKey>[] = [
    ...factColumns(domains.data ?? []),
    {
      header: texts.page.actions,
      hasActions: true,
      align: 'right',
      width: 56,
      render: (key) =>
        mayChange && key.status !== 'revoked' && <Actions apiKey={key} onEdit={() => editing.open(key.id)} />,
    },
  ]
  return (
    <Page
      title={texts.page.apiKeys}
      description={texts.page.programsAuthenticateApiKey}
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label={texts.page.apiKeys}
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconKey} title={texts.page.noApiKeysYet} action={mayChange && add}>
              {texts.page.createKeyEachProgram}
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

const factColumns = (domains: readonly Domain[]): readonly Column<ApiKey>[] => [
  { header: texts.page.name, render: (key) => <Name apiKey={key} /> },
  { header: texts.page.permission, render: (key) => <Scope apiKey={key} domains={domains} />, isWide: true },
  { header: texts.page.status, render: (key) => <StatusBadge status={key.status} />, width: 110 },
  {
    header: texts.page.lastUsed,
    render: (key) => <Moment at={key.last_used_at} none={texts.page.never} isRelative />,
    isWide: true,
    width: 140,
  },
  {
    header: texts.page.expires,
    render: (key) => <Moment at={key.expires_at} none={texts.page.never} isRelative />,
    isWide: true,
    width: 140,
  },
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
      <Badge>{apiKey.permission === 'full' ? texts.page.everything : texts.page.sendOnly}</Badge>
      {domain !== null && <Badge>{domain}</Badge>}
    </Group>
  )
}

function Actions({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: () => void }) {
  const change = useChange({ onDone: () => notifyDone(texts.page.apiKeyRevoked(apiKey.name)) })
  const revoke = () =>
    confirm({
      title: texts.page.revokeQuestion(apiKey.name),
      children: texts.page.requestsKeyFailFrom,
      action: texts.page.revokeKey,
      onConfirm: () =>
        change.mutate({ path: `/api-keys/${apiKey.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={texts.page.actionsFor(apiKey.name)}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil />} onClick={onEdit}>
          {texts.page.change}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconBan />} onClick={revoke}>
          {texts.page.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
