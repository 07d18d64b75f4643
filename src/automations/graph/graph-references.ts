import { isUuid } from '../../lib/ids.ts'
import type { DraftGraph, DraftStep, GraphSettings, Occasion, Rule } from './graph-types.ts'
import { CHANGING_FIELDS } from './read-trigger.ts'
import { variableOf } from './read-values.ts'
import { visitRules } from './rules.ts'
import { propertyOf } from './run-scope.ts'

/** A record that a graph names. */
export interface GraphReference {
  kind:
    | 'template'
    /** `id` is the alias of a template. */
    | 'template_alias'
    | 'sender'
    | 'list'
    | 'segment'
    | 'webhook'
    | 'campaign'
    /** `id` is the key of a property, in any case. */
    | 'property'
    /** The same, of a property whose values are dates. */
    | 'date_property'
  id: string
  /** The field of the request that names it, such as `steps.2.config.list_id`. */
  path: string
}

/** Returns the records that a graph and its settings name, in their order, with repetitions. */
export function graphReferences(
  graph: DraftGraph,
  settings?: Pick<GraphSettings, 'exits'>,
): GraphReference[] {
  return [
    ...graph.steps.flatMap((step, at) => referencesOfStep(step, `steps.${at}.config`)),
    ...(settings?.exits ?? []).flatMap((exit, at) => referencesOfOccasion(exit, `settings.exits.${at}`)),
  ]
}

function reference(kind: GraphReference['kind'], id: string | undefined, path: string): GraphReference[] {
  return id === undefined ? [] : [{ kind, id, path }]
}

function referencesOfStep(step: DraftStep, path: string): GraphReference[] {
  switch (step.type) {
    case 'trigger':
      return referencesOfTrigger(step.config, path)
    case 'send_email': {
      const { template, sender_id: senderId } = step.config
      const kind = template === undefined || isUuid(template.id) ? 'template' : 'template_alias'
      return [
        ...reference(kind, template?.id, `${path}.template.id`),
        ...referencesOfValues(template?.variables, `${path}.template.variables`),
        ...reference('sender', senderId, `${path}.sender_id`),
      ]
    }
    case 'wait_for_event':
    case 'goal':
      return referencesOfOccasion(step.config, path)
    case 'condition':
      return referencesOfRule(isRule(step.config) ? step.config : undefined, path)
    case 'split':
      return (step.config.branches ?? []).flatMap(({ rule }, at) =>
        referencesOfRule(rule, `${path}.branches.${at}.rule`),
      )
    case 'contact_update': {
      const { properties = {}, ...fields } = step.config
      const keys = Object.keys(properties).flatMap((key) =>
        reference('property', key, `${path}.properties.${key}`),
      )
      return [
        ...keys,
        ...referencesOfValues(properties, `${path}.properties`),
        ...referencesOfValues(fields, path),
      ]
    }
    case 'add_to_list':
    case 'remove_from_list':
      return reference('list', step.config.list_id, `${path}.list_id`)
    case 'add_to_segment':
      return reference('segment', step.config.segment_id, `${path}.segment_id`)
    case 'webhook':
      return [
        ...reference('webhook', step.config.webhook_id, `${path}.webhook_id`),
        ...referencesOfValues(step.config.data, `${path}.data`),
      ]
    default:
      return []
  }
}

function referencesOfTrigger(config: DraftStep<'trigger'>['config'], path: string): GraphReference[] {
  switch (config.type) {
    case 'list_joined':
    case 'list_left':
      return reference('list', config.list_id, `${path}.list_id`)
    case 'segment_entered':
      return reference('segment', config.segment_id, `${path}.segment_id`)
    case 'property_changed': {
      const isField = (CHANGING_FIELDS as readonly (string | undefined)[]).includes(config.property)
      return isField ? [] : reference('property', config.property, `${path}.property`)
    }
    case 'date':
      return reference('date_property', config.property, `${path}.property`)
    case 'event':
      return referencesOfRule(config.filter_rule, `${path}.filter_rule`)
    case 'email_delivered':
    case 'email_opened':
    case 'email_clicked':
    case 'email_bounced':
      return [
        ...reference('campaign', config.campaign_id, `${path}.campaign_id`),
        ...reference('template', config.template_id, `${path}.template_id`),
      ]
    default:
      return []
  }
}

function referencesOfOccasion({ filter_rule: filterRule, rule }: Occasion, path: string): GraphReference[] {
  return [...referencesOfRule(filterRule, `${path}.filter_rule`), ...referencesOfRule(rule, `${path}.rule`)]
}

function isRule(config: Partial<Rule>): config is Rule {
  return config.type !== undefined
}

function referencesOfRule(rule: Rule | undefined, path: string): GraphReference[] {
  const references: GraphReference[] = []
  if (rule === undefined) return references
  visitRules(rule, path, (each, at) => {
    if (each.type === 'segment') references.push(...reference('segment', each.segment_id, `${at}.segment_id`))
    if (each.type !== 'rule') return
    references.push(...reference('property', propertyOf(each.field) ?? undefined, `${at}.field`))
  })
  return references
}

/** Returns the properties that the variables among values name. */
function referencesOfValues(values: object | undefined, path: string): GraphReference[] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => {
    const variable = variableOf(value)
    if (variable === null) return []
    return reference('property', propertyOf(variable.var) ?? undefined, `${path}.${key}.var`)
  })
}
