import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DeviceLogin } from '../../api/account-records.ts'
import { ApiError } from '../../api/errors.ts'
import { requestJson } from '../../api/request.ts'
import { SessionGuard } from '../../app/session-guard.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { ConfirmDevice } from './confirm-device.tsx'

/** Confirms the login of a command line by the code that it shows. */
export function DevicePage() {
  const { hash } = useLocation()
  // Another link in the same window starts again.
  return (
    <>
      <DeviceCode key={hash} linked={new URLSearchParams(hash).get('code') ?? ''} />
      <SessionGuard />
    </>
  )
}

/** @param linked the code of the link; empty if the person types it */
function DeviceCode({ linked }: { linked: string }) {
  const [code, setCode] = useState(linked)
  const find = useMutation({
    mutationFn: (user_code: string) =>
      requestJson<DeviceLogin>('/device-logins/inspect', {
        method: 'POST',
        body: { user_code },
        teamId: null,
      }),
  })
  const isLinked = useRef(linked !== '')
  useEffect(() => {
    if (!isLinked.current) return
    // Once, because each attempt counts.
    isLinked.current = false
    find.mutate(linked)
  }, [find, linked])
  if (find.data !== undefined) return <ConfirmDevice login={find.data} />
  const isUnknown = find.error instanceof ApiError && find.error.status === 404
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find.mutate(code)
  }
  return (
    <AccessFrame
      title="Confirm a command line login"
      description="Enter the code that your terminal shows. Codes work for ten minutes."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="Code"
            placeholder="BCDF-GHJK"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            maxLength={50}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            error={isUnknown && 'No pending login has this code. It may have expired: run the command again.'}
          />
          <ErrorNote error={isUnknown ? null : find.error} />
          <Button type="submit" fullWidth loading={find.isPending} disabled={code.trim() === ''}>
            Continue
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
