import { formatTime } from '../../lib/time/format-time.ts'
import type { SentInvitation } from './invitations.ts'
import type { Invitation } from './invitations-queries.ts'

export function invitationToJson(invitation: Invitation, now: Date) {
  return {
    object: 'invitation',
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    status: invitation.expiresAt <= now ? 'expired' : 'pending',
    expires_at: formatTime(invitation.expiresAt),
    created_at: formatTime(invitation.createdAt),
  }
}

/** Returns a new invitation with its link, which its creator sees only once. */
export function sentInvitationToJson({ invitation, link, emailed, printed }: SentInvitation, now: Date) {
  return { ...invitationToJson(invitation, now), emailed, printed, link }
}
