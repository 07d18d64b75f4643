import { readTime, showLocal } from '../../../ui/times.ts'
import type { OutlinedStep } from './outline.ts'
import { triggerWord, WEEKDAYS } from './words.ts'

/** Returns what a step does in a few words, such as `3 days` or the name of its template. Empty if there is nothing to say. */
export function summaryOf(
  { type, config }: Pick<OutlinedStep, 'type' | 'config'>,
  names: ReadonlyMap<string, string>,
): string {
  const text = (field: string) => (typeof config[field] === 'string' ? (config[field] as string) : '')
  const named = (id: string) => names.get(id) ?? id
  switch (type) {
    case 'trigger':
      return [
        triggerWord(config.type),
        text('event_name') || text('property') || named(text('list_id') || text('segment_id')),
      ]
        .filter(Boolean)
        .join(': ')
    case 'send_email': {
      const id = (config.template as { id?: string } | undefined)?.id ?? ''
      return text('subject') || named(id)
    }
    case 'delay':
    case 'digest':
      return text('duration')
    case 'wait_until':
      return waitWords(config)
    case 'wait_for_event':
      return [text('event_name'), text('timeout') && `at most ${text('timeout')}`].filter(Boolean).join(', ')
    case 'condition':
      return config.type === 'segment' ? named(text('segment_id')) : ruleWords(config)
    case 'add_to_list':
    case 'remove_from_list':
      return named(text('list_id'))
    case 'add_to_segment':
      return named(text('segment_id'))
    case 'goal':
      return text('event_name')
    case 'exit':
      return text('reason')
    case 'split':
    case 'random_split':
      return Array.isArray(config.branches) ? `${config.branches.length} branches` : ''
    default:
      return ''
  }
}

function waitWords({ at, weekdays, time }: Readonly<Record<string, unknown>>): string {
  const date = typeof at === 'string' ? readTime(at) : null
  const days = Array.isArray(weekdays) ? weekdays.map((day) => WEEKDAYS[Number(day) - 1]).join(', ') : ''
  return [date === null ? '' : showLocal(date), days, typeof time === 'string' ? time : '']
    .filter(Boolean)
    .join(', ')
}

function ruleWords(rule: Readonly<Record<string, unknown>> | null): string {
  if (rule === null) return ''
  if (rule.type === 'rule') {
    const value = 'value' in rule ? ` ${String(rule.value)}` : ''
    return `${String(rule.field)} ${String(rule.operator).replaceAll('_', ' ')}${value}`
  }
  if (rule.type === 'and' || rule.type === 'or') {
    const rules = Array.isArray(rule.rules) ? (rule.rules as (Record<string, unknown> | null)[]) : []
    return rules.map(ruleWords).join(` ${rule.type} `)
  }
  return ''
}
