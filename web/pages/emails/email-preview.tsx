import { useQuery } from '@tanstack/react-query'
import { fixedKeyOf } from '../../api/query-keys.ts'
import type { EmailWhole } from '../../api/records.ts'
import { sendRequest } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'

/** Limits on the inline images of one email, so that the preview stays fast. */
const INLINE_COUNT_MAX = 20
const INLINE_BYTES_MAX = 5 * 1024 * 1024

/** The HTML of the email with its inline images. */
export function EmailPreview({ email, html }: { email: EmailWhole; html: string }) {
  return <MailFrame html={html} images={useInlineImages(email, html)} />
}

/** Returns data: URLs of the inline images, by Content-ID. */
function useInlineImages({ id, attachments }: EmailWhole, html: string): Record<string, string> {
  const team = useTeam()
  const wanted = attachments
    .map((attachment, index) => ({ ...attachment, index }))
    .filter(({ content_id, size }) => content_id !== null && size <= INLINE_BYTES_MAX)
    .slice(0, INLINE_COUNT_MAX)
  const { data } = useQuery({
    queryKey: [...fixedKeyOf(team.id, `/emails/${id}/attachments`), 'inline'],
    enabled: wanted.length > 0 && /cid:/i.test(html),
    // Sent content never changes.
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      const images: Record<string, string> = {}
      for (const { index, content_id, content_type } of wanted) {
        const answer = await sendRequest(`/emails/${id}/attachments/${index}`, { teamId: team.id, signal })
        images[content_id ?? ''] = await toDataUrl(await answer.arrayBuffer(), content_type)
      }
      return images
    },
  })
  return data ?? NONE
}

const NONE: Record<string, string> = {}

/** Returns a data: URL. Content that does not claim to be an image gets a type that browsers do not render. */
function toDataUrl(bytes: ArrayBuffer, contentType: string): Promise<string> {
  const type = /^image\/[\w.+-]+/i.exec(contentType)?.[0] ?? 'application/octet-stream'
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'))
    reader.readAsDataURL(new Blob([bytes], { type }))
  })
}
