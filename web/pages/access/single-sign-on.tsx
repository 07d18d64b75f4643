import { Button, Stack } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { requestJson } from '../../api/request.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'

interface SingleSignOnProps {
  /** The name of the provider. */
  label: string
  next: string | undefined
  /** Whether it is the only way to log in. */
  isOnly: boolean
}

/** Sends the browser to the login page of the OpenID provider. */
export function SingleSignOn({ label, next = '', isOnly }: SingleSignOnProps) {
  const start = useMutation({
    mutationFn: () =>
      requestJson<{ url: string }>('/session/oidc', { method: 'POST', body: { next }, teamId: null }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Stack gap="md">
      <ErrorNote error={start.error} />
      <Button
        fullWidth
        variant={isOnly ? 'filled' : 'default'}
        leftSection={<IconLogin2 aria-hidden />}
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Log in with {label}
      </Button>
    </Stack>
  )
}
