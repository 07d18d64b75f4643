import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { ToldInvitation } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { DescribeInvitation } from './describe-invitation.tsx'
import { useEnter } from './use-enter.ts'

/** Creates an account for the invited address and joins the team. */
export function JoinAsNew({ invitation, token }: { invitation: ToldInvitation; token: string }) {
  const enter = useEnter()
  const form = useForm({ initialValues: { name: '', password: '' } })
  const accept = useMutation({
    mutationFn: (values: typeof form.values) =>
      requestJson<Session>('/invitations/accept', {
        method: 'POST',
        body: { token, ...values },
        teamId: null,
      }),
    onSuccess: enter,
    onError: (error) => showFieldErrors(form, error),
  })
  return (
    <AccessFrame
      title={`Join ${invitation.team.name}`}
      description={<DescribeInvitation invitation={invitation} />}
    >
      <form onSubmit={form.onSubmit((values) => accept.mutate(values))} noValidate>
        <Stack gap="md">
          <TextInput
            label="Email"
            value={invitation.email}
            readOnly
            type="email"
            autoComplete="username"
            description="You log in with it."
          />
          <TextInput
            label="Your name"
            autoComplete="name"
            autoFocus
            required
            withAsterisk={false}
            {...form.getInputProps('name')}
          />
          <NewPassword {...form.getInputProps('password')} />
          <ErrorNote error={accept.error} shownFields={['name', 'password']} />
          <Button type="submit" fullWidth loading={accept.isPending}>
            Create my account and join
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
