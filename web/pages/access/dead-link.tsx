import type { ReactNode } from 'react'
import { ApiError } from '../../api/errors.ts'
import { AccessFrame, ToLogin } from './access-frame.tsx'

/** Returns whether a link's token was used, has expired, or is unknown. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'invalid_link' || 'token' in error.fields)

interface DeadLinkProps {
  /** Whether the address has no token, because the page was reloaded or the link was cut off. */
  isMissing: boolean
  /** How to get a new link. */
  children: ReactNode
}

/** Shown when the link's token is missing or no longer valid. */
export function DeadLink({ isMissing, children }: DeadLinkProps) {
  const title = isMissing ? 'Open your link again' : 'This link is no longer valid'
  const reason =
    isMissing && 'The page removes the secret from the address at once, so it cannot be reloaded. '
  return (
    <AccessFrame
      title={title}
      description={
        <>
          {reason}
          {children}
        </>
      }
    >
      <ToLogin>Go to the login page</ToLogin>
    </AccessFrame>
  )
}
