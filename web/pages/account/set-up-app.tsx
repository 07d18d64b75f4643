import { Box, Button, Center, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { encode } from 'uqr'
import type { NewTotp, RecoveryCodes } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'

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

/** Width of the quiet zone in modules (ISO/IEC 18004 section 6.3.8). */
const BORDER = 4

/** A QR code of the text, black on white in every colour scheme. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: BORDER })
    return { size: code.size, path: drawModules(code.data) }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      shapeRendering="crispEdges"
      className="qr-code"
    >
      <path d={path} />
    </svg>
  )
}

/** Returns an SVG path with a unit square for each dark module. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}
