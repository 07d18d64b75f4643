import { Alert, Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeviceLogin } from '../../api/account-records.ts'
import type { ApiKey } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import { type TeamOfSession, useSession } from '../../api/session.ts'
import { keyOf } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DeviceDone } from './device-done.tsx'
import { texts } from './texts.ts'

/** The area of docs/permissions.md that a confirmed login needs. */
const AREA = texts.confirmDevice.apiKeys
const FIELDS = ['name', 'permission'] as const
const DAY_MS = 24 * 3_600_000

/** What the person chooses for the API key. */
interface NewKey {
  teamId: string
  name: string
  permission: string
  /** In days; empty for a key without end. */
  lifetime: string
}
type KeyForm = UseFormReturnType<NewKey>

/** Asks the person to confirm that the login is their own, and creates its API key. */
export function ConfirmDevice({ login }: { login: DeviceLogin }) {
  const { user, teams } = useSession()
  const own = teams.filter(({ may_change }) => may_change.includes(AREA))
  const form = useForm<NewKey>({
    initialValues: {
      teamId: own[0]?.id ?? '',
      name: texts.confirmDevice.commandLineOn(login.client_name),
      permission: 'send',
      lifetime: '90',
    },
  })
  const { approve, deny } = useAnswer(login, form)
  if (approve.isSuccess) return <DeviceDone keyName={approve.data.name} teamId={form.values.teamId} />
  if (deny.isSuccess) return <DeviceDone keyName={null} teamId={null} />
  return (
    <AccessFrame
      title={texts.confirmDevice.confirmThisLogin}
      description={
        <>
          {texts.confirmDevice.requested} <Moment at={login.created_at} isRelative /> {texts.confirmDevice.by}{' '}
          <b className="foreign">{login.client_name}</b> {texts.confirmDevice.fromIpAddress(login.ip_address)}
        </>
      }
    >
      <form onSubmit={form.onSubmit((values) => approve.mutate(values))} noValidate>
        <Stack gap="md">
          <Text className="device-code" aria-label={texts.confirmDevice.code}>
            {login.user_code}
          </Text>
          <Alert color="orange" icon={<IconShieldExclamation />}>
            {texts.confirmDevice.confirmOnlyIfStarted}
            {!login.is_own_network && (
              <Text size="sm" fw={600} mt="xs">
                {texts.confirmDevice.otherNetwork}
              </Text>
            )}
          </Alert>
          {own.length === 0 ? (
            <Text size="sm">
              <b className="foreign">{user.email}</b> {texts.confirmDevice.cannotCreateApiKeys}
            </Text>
          ) : (
            <KeyFields form={form} teams={own} />
          )}
          <ErrorNote error={approve.error ?? deny.error} shownFields={FIELDS} />
          <Group grow>
            <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
              {texts.confirmDevice.rejectLogin}
            </Button>
            {own.length > 0 && (
              <Button type="submit" loading={approve.isPending}>
                {texts.confirmDevice.confirmLogin}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </AccessFrame>
  )
}

/** Returns the mutations that confirm or reject a login. */
function useAnswer({ user_code }: DeviceLogin, form: KeyForm) {
  const client = useQueryClient()
  const approve = useMutation({
    mutationFn: ({ teamId, lifetime, ...key }: NewKey) => {
      const expires_at =
        lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
      const body = { user_code, ...key, expires_at }
      return requestJson<ApiKey>('/device-logins/approve', { method: 'POST', body, teamId })
    },
    onSuccess: (_key, { teamId }) => client.invalidateQueries({ queryKey: keyOf(teamId, '/api-keys') }),
    onError: (error) => showFieldErrors(form, error),
  })
  const deny = useMutation({
    mutationFn: () =>
      requestJson('/device-logins/deny', { method: 'POST', body: { user_code }, teamId: null }),
  })
  return { approve, deny }
}

interface KeyFieldsProps {
  form: KeyForm
  teams: readonly TeamOfSession[]
}

function KeyFields({ form, teams }: KeyFieldsProps) {
  return (
    <>
      <Select
        label={texts.confirmDevice.team}
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
        allowDeselect={false}
        {...form.getInputProps('teamId')}
      />
      <TextInput label={texts.confirmDevice.nameApiKey} required {...form.getInputProps('name')} />
      <Radio.Group label={texts.confirmDevice.permission} {...form.getInputProps('permission')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="send"
            label={texts.confirmDevice.sendOnly}
            description={texts.confirmDevice.onlyEmailsSendEmails}
          />
          <Radio
            value="full"
            label={texts.confirmDevice.everything}
            description={texts.confirmDevice.allCommands}
          />
        </Stack>
      </Radio.Group>
      <Select
        label={texts.confirmDevice.expires}
        data={texts.confirmDevice.lifetimes}
        allowDeselect={false}
        {...form.getInputProps('lifetime')}
      />
    </>
  )
}
