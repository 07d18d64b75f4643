import { makeDraft, NUMBER_PLACEHOLDER } from './message.ts'

export interface BenchTemplate {
  subject: string
  html: string
  text: string
  /** All variables except NUMBER, which each email sets. */
  variables: Record<string, string>
}

const ITEM = />([^<>]{20,})<\/a>/g
const PRICE = /€ (\d+\.\d\d)/g

/**
 * Returns the 10 KB of `makeDraft` as a template, with variables for everything that differs between customers.
 * Rendered with `variables`, it equals the draft.
 */
export function makeTemplate(): BenchTemplate {
  const draft = makeDraft(0)
  const variables: Record<string, string> = {}
  const place = (name: string, value: string) => {
    const key = `${name}_${Object.keys(variables).length}`
    variables[key] = value
    return `{{${key}}}`
  }
  const numbered = (text: string) => text.replaceAll(NUMBER_PLACEHOLDER, '{{NUMBER}}')
  const html = numbered(draft.html)
    .replace(ITEM, (_, item: string) => `>${place('ITEM', item)}</a>`)
    .replace(PRICE, (_, price: string) => `€ ${place('PRICE', price)}`)
  return { subject: numbered(draft.subject), html, text: numbered(draft.text), variables }
}
