import { isUuid } from '../../lib/ids.ts'
import { suppressionKey } from '../../mime/address.ts'
import type { EmailFilter } from './email-filters-queries.ts'

const UUID_CHARS = 36

/**
 * Returns the filter for a text of the search box, by its form: an id, a tag as `name:value`, the start of an address or
 * a Message-ID, else a word of the subject or of a recipient's name. `Ann <ann@x.test>` is read as its address.
 */
export function readSearch(text: string): Pick<EmailFilter, 'id' | 'tagPair' | 'address' | 'word'> {
  const typed = text.trim()
  if (typed === '') return {}
  if (isUuid(typed)) return { id: typed.toLowerCase() }
  const tag = /^([\p{L}\p{M}\p{N}_.-]+):([\p{L}\p{M}\p{N}_.-]+)$/u.exec(typed)
  if (tag !== null) return { tagPair: { name: tag[1] as string, value: tag[2] as string } }
  const enclosed = /<([^<>\s]*@[^<>\s]*)>$/.exec(typed)?.[1] ?? typed
  if (!/^[^\s@]+@\S*$/.test(enclosed)) return { word: typed }
  const id = enclosed.slice(0, UUID_CHARS)
  return {
    address: {
      start: suppressionKey(enclosed),
      messageId: enclosed,
      id: isUuid(id) ? id.toLowerCase() : null,
    },
  }
}
