import { presentTime } from '../../lib/time/format-time.ts'
import type { SentInvitation } from './invitations.ts'
import type { Invitation } from './invitations-queries.ts'

export function presentInvitation(invitation: Invitation, now: Date) {
  return {
    object: 'invitation',
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    status: invitation.expiresAt <= now ? 'expired' : 'pending',
    expires_at: presentTime(invitation.expiresAt),
    created_at: presentTime(invitation.createdAt),
  }
}

/** One that was made just now: whoever made it sees its link, this once. */
export function presentSentInvitation({ invitation, link, emailed, printed }: SentInvitation, now: Date) {
  return { ...presentInvitation(invitation, now), emailed, printed, link }
}
