import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { PasskeyOptions } from '../../api/account-records.ts'
import { PasskeyDismissed, passkeyToJson } from '../../api/passkeys.ts'
import { ask } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'

interface PasskeyLogin {
  onEnter(session: Session): void
  onRefused?: (error: Error) => void
}

/** Logs in by a passkey: for the login that is half done, or, with null, by itself. Turning it down is no error. */
export function usePasskeyLogin({
  onEnter,
  onRefused,
}: PasskeyLogin): UseMutationResult<Session | null, Error, string | null> {
  return useMutation({
    async mutationFn(challengeId: string | null) {
      const body = challengeId === null ? {} : { challenge_id: challengeId }
      const options = await ask<PasskeyOptions>('/session/passkey/options', {
        method: 'POST',
        body,
        teamId: null,
      })
      try {
        const response = await passkeyToJson(options)
        return await ask<Session>('/session/passkey', {
          method: 'POST',
          body: { challenge_id: options.challenge_id, response },
          teamId: null,
        })
      } catch (error) {
        if (error instanceof PasskeyDismissed) return null
        throw error
      }
    },
    onSuccess: (session) => session !== null && onEnter(session),
    onError: (error) => onRefused?.(error),
  })
}
