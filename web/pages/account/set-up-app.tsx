import { Box, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewTotp, RecoveryCodes } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { QrCode } from './qr-code.tsx'

/** Shows the secret for the app, then verifies a code. */
export function SetUpApp({ setup, onDone }: { setup: NewTotp; onDone(codes: readonly string[]): void }) {
  const form = useForm({ initialValues: { code: '' } })
  const confirming = useChange<RecoveryCodes>({
    isTeamless: true,
    onDone: ({ recovery_codes: codes }) => onDone(codes),
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit(({ code }) =>
    confirming.mutate({ path: '/account/totp/confirm', method: 'POST', body: { code: code.trim() } }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">1. Scan this with the app.</Text>
        <Center>
          <QrCode text={setup.uri} label="QR code for the authenticator app" />
        </Center>
        <Box>
          <Text size="sm" c="dimmed" mb="xxs">
            If the app cannot scan it, type in this secret:
          </Text>
          <CopyValue text={inGroups(setup.secret)} label="Copy secret" />
        </Box>
        <TextInput
          label="2. Enter the code that the app shows"
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          classNames={{ input: 'code' }}
          {...form.getInputProps('code')}
        />
        <ErrorNote error={confirming.error} shownFields={['code']} />
        <Group justify="flex-end">
          <Button type="submit" loading={confirming.isPending} disabled={form.values.code.trim() === ''}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Groups of four characters are easier to read. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret
