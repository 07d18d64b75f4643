import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { PasskeyOptions } from '../../api/account-records.ts'
import { PasskeyDismissed, requestPasskey } from '../../api/passkeys.ts'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'

interface PasskeyLogin {
  onEnter(session: Session): void
  onError?: (error: Error) => void
}

/**
 * Logs in with a passkey: as the second step of the login with this challenge id, or alone with null. Resolves to null
 * when the user cancels.
 */
export function usePasskeyLogin({
  onEnter,
  onError,
}: PasskeyLogin): UseMutationResult<Session | null, Error, string | null> {
  return useMutation({
    async mutationFn(challengeId: string | null) {
      const body = challengeId === null ? {} : { challenge_id: challengeId }
      const options = await requestJson<PasskeyOptions>('/session/passkey/options', {
        method: 'POST',
        body,
        teamId: null,
      })
      try {
        const response = await requestPasskey(options)
        return await requestJson<Session>('/session/passkey', {
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
    onError: (error) => onError?.(error),
  })
}
