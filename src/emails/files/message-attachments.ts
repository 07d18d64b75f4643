import type { OpenAttachment } from '../../mime/raw/parse.ts'
import type { AttachmentRecord } from '../rows/emails-queries.ts'

/**
 * Returns the attachments of a stored message in the order of its email's records. A message built here has
 * inline files before the others (mime/build.ts). Returns null if records and attachments do not match.
 */
export function orderAttachments(
  records: readonly AttachmentRecord[],
  attachments: readonly OpenAttachment[],
): OpenAttachment[] | null {
  if (records.length > attachments.length) return null
  const asNamed = records.map((_, place) => place)
  const inlineFirst = [...asNamed].sort((a, b) => rankOf(records[a]) - rankOf(records[b]))
  const placed = asNamed.map((place) => inlineFirst.indexOf(place))
  const order =
    [asNamed, placed].find((places) => fits(records, attachments, places, true)) ??
    [asNamed].find((places) => fits(records, attachments, places, false))
  return order?.map((place) => attachments[place] as OpenAttachment) ?? null
}

function rankOf(record: AttachmentRecord | undefined): number {
  return record?.content_id === null ? 1 : 0
}

/**
 * Compares content ids and, if `bySize`, sizes. Sizes may differ by a line end if a body was encoded again
 * (mime/raw/raw-reencode.ts).
 */
function fits(
  records: readonly AttachmentRecord[],
  attachments: readonly OpenAttachment[],
  places: readonly number[],
  bySize: boolean,
): boolean {
  return records.every((record, index) => {
    const attachment = attachments[places[index] as number]
    return attachment?.contentId === record.content_id && (!bySize || attachment.size === record.size)
  })
}
