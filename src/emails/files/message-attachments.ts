import type { OpenAttachment } from '../../mime/parse.ts'
import type { AttachmentRecord } from '../emails-queries.ts'

/**
 * The attachments of a stored message in the order in which its email names them: a message that was built here has
 * what its html shows before the others (mime/build.ts). Null where the two do not belong together.
 */
export function orderAttachments(
  records: readonly AttachmentRecord[],
  found: readonly OpenAttachment[],
): OpenAttachment[] | null {
  if (records.length > found.length) return null
  const asNamed = records.map((_, place) => place)
  const inlineFirst = [...asNamed].sort((a, b) => rankOf(records[a]) - rankOf(records[b]))
  const placed = asNamed.map((place) => inlineFirst.indexOf(place))
  const order =
    [asNamed, placed].find((places) => fits(records, found, places, true)) ??
    [asNamed].find((places) => fits(records, found, places, false))
  return order?.map((place) => found[place] as OpenAttachment) ?? null
}

function rankOf(record: AttachmentRecord | undefined): number {
  return record?.content_id === null ? 1 : 0
}

/** Sizes may differ by a line end where a body was encoded anew (mime/raw/raw-reencode.ts). */
function fits(
  records: readonly AttachmentRecord[],
  found: readonly OpenAttachment[],
  places: readonly number[],
  bySize: boolean,
): boolean {
  return records.every((record, index) => {
    const one = found[places[index] as number]
    return one?.contentId === record.content_id && (!bySize || one.size === record.size)
  })
}
