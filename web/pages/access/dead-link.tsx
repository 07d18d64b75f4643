import type { ReactNode } from 'react'
import { ApiError } from '../../api/errors.ts'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { texts } from './texts.ts'

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
  const title = isMissing ? texts.deadLink.openYourLinkAgain : texts.deadLink.linkNoLongerValid
  const reason = isMissing && texts.deadLink.pageRemovesSecretFrom
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
      <ToLogin>{texts.deadLink.goLoginPage}</ToLogin>
    </AccessFrame>
  )
}
