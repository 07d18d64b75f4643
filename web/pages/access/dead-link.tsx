import type { ReactNode } from 'react'
import { ApiError } from '../../api/errors.ts'
import { AccessFrame, ToLogin } from './access-frame.tsx'

/** Used already, too old, or never one of ours. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'invalid_link' || 'token' in error.fields)

interface DeadLinkProps {
  /** There is no token at all: the page was reloaded, or the link was cut. */
  isMissing: boolean
  /** How to get another one. */
  children: ReactNode
}

/** A link that leads nowhere, or nowhere any more. */
export function DeadLink({ isMissing, children }: DeadLinkProps) {
  const title = isMissing ? 'Open your link once more' : 'This link does not work any more'
  const reason =
    isMissing && 'Its secret is taken out of the address at once, so this page cannot be reloaded. '
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
      <ToLogin>To the login</ToLogin>
    </AccessFrame>
  )
}
