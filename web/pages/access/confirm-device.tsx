import { Alert, Anchor, Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeviceLogin } from '../../api/account-records.ts'
import { keyOf } from '../../api/query-keys.ts'
import type { ApiKey } from '../../api/records.ts'
import { requestJson } from '../../api/request.ts'
import { type TeamOfSession, useSession } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'

const LIFETIMES = [
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: '', label: 'Never, until the key is revoked' },
]

/** The area of docs/permissions.md that a confirmed login needs. */
const AREA = 'API keys'
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
  const ownTeams = teams.filter(({ may_change }) => may_change.includes(AREA))
  const form = useForm<NewKey>({
    initialValues: {
      teamId: ownTeams[0]?.id ?? '',
      name: `Command line on ${login.client_name}`,
      permission: 'send',
      lifetime: '90',
    },
  })
  const { approve, deny } = useAnswer(login, form)
  if (approve.isSuccess) return <DeviceDone keyName={approve.data.name} teamId={form.values.teamId} />
  if (deny.isSuccess) return <DeviceDone keyName={null} teamId={null} />
  return (
    <AccessFrame
      title="Confirm this login"
      description={
        <>
          Requested <Moment at={login.created_at} isRelative /> by{' '}
          <b className="foreign">{login.client_name}</b> from {login.ip_address}.
        </>
      }
    >
      <form onSubmit={form.onSubmit((values) => approve.mutate(values))} noValidate>
        <Stack gap="md">
          <Text className="device-code" aria-label="Code">
            {login.user_code}
          </Text>
          <Caution isOwnNetwork={login.is_own_network} />
          {ownTeams.length === 0 ? (
            <Text size="sm">
              <b className="foreign">{user.email}</b> cannot create API keys. Ask an admin or owner of your
              team to confirm this login.
            </Text>
          ) : (
            <KeyFields form={form} teams={ownTeams} />
          )}
          <ErrorNote error={approve.error ?? deny.error} shownFields={FIELDS} />
          <Group grow>
            <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
              Reject login
            </Button>
            {ownTeams.length > 0 && (
              <Button type="submit" loading={approve.isPending}>
                Confirm login
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </AccessFrame>
  )
}

function Caution({ isOwnNetwork }: { isOwnNetwork: boolean }) {
  return (
    <Alert color="orange" icon={<IconShieldExclamation />}>
      Confirm only if you started this login yourself and your terminal shows this code.
      {!isOwnNetwork && (
        <Text size="sm" fw={600} mt="xs">
          This program is on a different network from your browser. If you did not start it there, reject this
          login.
        </Text>
      )}
    </Alert>
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
        label="Team"
        data={teams.map(({ id, name }) => ({ value: id, label: name }))}
        allowDeselect={false}
        {...form.getInputProps('teamId')}
      />
      <TextInput label="Name of the API key" required {...form.getInputProps('name')} />
      <Radio.Group label="Permission" {...form.getInputProps('permission')}>
        <Stack gap="xs" mt="xs">
          <Radio value="send" label="Send only" description="Only emails send and emails get." />
          <Radio value="full" label="Everything" description="All commands." />
        </Stack>
      </Radio.Group>
      <Select
        label="Access ends"
        data={LIFETIMES}
        allowDeselect={false}
        {...form.getInputProps('lifetime')}
      />
    </>
  )
}

interface DeviceDoneProps {
  /** The name of the API key; null if the login was rejected. */
  keyName: string | null
  teamId: string | null
}

/** Shown after a login of the command line is confirmed or rejected. */
function DeviceDone({ keyName, teamId }: DeviceDoneProps) {
  if (keyName === null)
    return (
      <AccessFrame title="Login rejected" description="The command line has no access.">
        <Anchor component={Link} to="/" size="sm">
          Go to the dashboard
        </Anchor>
      </AccessFrame>
    )
  return (
    <AccessFrame
      title="Login confirmed"
      description="Go back to your terminal. You can close this page."
      foot={
        <Anchor component={Link} to={`/${teamId}/api-keys`} size="sm">
          Go to the API keys
        </Anchor>
      }
    >
      <Text size="sm">
        The command line uses the API key <b className="foreign">{keyName}</b>. Revoke the key to end its
        access.
      </Text>
    </AccessFrame>
  )
}
