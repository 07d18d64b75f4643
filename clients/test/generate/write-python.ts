import { COUNTED_IDS, createLayout, GENERATED_NOTE } from './layout.ts'
import type { ClientApi, ClientMethod, ClientResource, Parameter } from './read-clients.ts'
import { type ApiModel, type ApiType, toSnake } from './read-models.ts'

const { wrap, fold } = createLayout(100)
/** Names that Python reserves. */
const RESERVED = new Set(['from', 'import', 'class'])
/** Classes with methods that are written by hand. */
const BASES: Record<string, string> = { Events: 'EventMethods', Webhooks: 'WebhookMethods' }

const toName = (name: string) => toSnake(name) + (RESERVED.has(toSnake(name)) ? '_' : '')

const toFile = (name: string) => name.replace(/^./, (letter) => letter.toLowerCase())

/** Returns the generated files of the Python package, by their path in it. */
export function writePython(api: ClientApi): Record<string, string> {
  const files = api.resources.map((resource) => [
    `resources/${toSnake(resource.property)}.py`,
    writeResource(resource),
  ])
  return {
    ...Object.fromEntries(files),
    'resources/__init__.py': writeIndex(api.resources),
    'types.py': writeTypes(api),
  }
}

function writeIndex(all: readonly ClientResource[]): string {
  const resources = all.filter(({ isChild }) => !isChild)
  const imports = resources.map(({ name, property }) => `from .${toSnake(property)} import ${name}`)
  const fields = resources.map(
    ({ name, property }) => `        self.${toSnake(property)} = ${name}(transport)`,
  )
  return [
    `# ${GENERATED_NOTE}`,
    'from .._transport import Transport',
    ...imports.sort(),
    '',
    '',
    'class Resources:',
    '    """The resources of the API."""',
    '',
    '    def __init__(self, transport: Transport) -> None:',
    ...fields,
    '',
  ].join('\n')
}

function writeResource({ name, doc, methods, children }: ClientResource): string {
  const base = BASES[name] ?? 'Resource'
  const body = methods.map(writeMethod).join('\n')
  const uses = (pattern: string) => body.includes(pattern)
  const lists = ['Csv', 'Download', 'ListCall'].filter((each) => new RegExp(`\\b${each}\\b`).test(body))
  return [
    `# ${GENERATED_NOTE}`,
    'from __future__ import annotations',
    '',
    ...(uses('t.') ? ['import typing as t', ''] : []),
    'from .. import types',
    ...(base === 'Resource'
      ? [`from .._resource import ${[...lists, 'Resource'].join(', ')}`]
      : [
          `from .._${base === 'EventMethods' ? 'events' : 'webhooks'} import ${base}`,
          `from .._resource import ${lists.join(', ')}`,
        ]),
    ...(children.length === 0 ? [] : ['from .._transport import Transport']),
    ...children.map((child) => `from .${toSnake(toFile(child.name))} import ${child.name}`),
    '',
    '',
    `class ${name}(${base}):`,
    `    """${doc}"""`,
    '',
    ...writeChildren(children),
    body,
  ].join('\n')
}

function writeChildren(children: ClientResource['children']): string[] {
  if (children.length === 0) return []
  return [
    '    def __init__(self, transport: Transport) -> None:',
    '        super().__init__(transport)',
    ...children.map(({ name, property }) => `        self.${toSnake(property)} = ${name}(transport)`),
    '',
  ]
}

function writeMethod(method: ClientMethod): string {
  const { name, doc, body, isBatch, isKeyed, isBodyOptional, isCsv, ids, query } = method
  const required = ids.map((id) => `${toName(id.name)}: ${COUNTED_IDS.has(id.name) ? 'int' : 'str'}`)
  const bodyType = body === null ? '' : typeOf(body)
  const positional = [
    ...required,
    ...(isCsv ? ['csv: Csv'] : []),
    ...(body === null ? [] : [isBodyOptional ? `body: t.Optional[${bodyType}] = None` : `body: ${bodyType}`]),
  ]
  const named = [
    ...query.map(writeQueryParameter),
    ...(isBatch ? ['validation: t.Optional[t.Literal["strict", "permissive"]] = None'] : []),
    ...(isKeyed ? ['idempotency_key: t.Optional[str] = None'] : []),
  ]
  const parameters = ['self', ...positional, ...(named.length === 0 ? [] : ['*', ...named])]
  const head = `    def ${toName(name)}(`
  return [
    wrap(head, parameters, `) -> ${returnType(method)}:`, 4),
    writeDoc(doc),
    writeCall(method),
    '',
  ].join('\n')
}

function writeQueryParameter({ name, type, isRequired }: Parameter): string {
  return `${toName(name)}: ${isRequired ? typeOf(type) : `t.Optional[${typeOf(type)}] = None`}`
}

function returnType({ result, answer, item }: ClientMethod): string {
  if (result === 'bytes') return 'bytes'
  if (result === 'download') return 'Download'
  return result === 'list' ? `ListCall[${typeOf(answer)}, ${typeOf(item)}]` : typeOf(answer)
}

function writeCall(method: ClientMethod): string {
  const { verb, path, result, ids, query, body, isBatch, isCsv, isKeyed, isSafe, isBodyOptional } = method
  const fields = query.map(({ name }) => `"${name}": ${toName(name)}`)
  const args = [
    ...(result === 'json' ? [`"${verb.toUpperCase()}"`] : []),
    `"${path}"`,
    ...(ids.length === 0 ? [] : [`ids=[${ids.map((id) => toName(id.name)).join(', ')}]`]),
    ...(fields.length === 0 ? [] : [`query={${fields.join(', ')}}`]),
    ...(body === null ? [] : [isBodyOptional ? 'body=body or {}' : 'body=body']),
    ...(isCsv ? ['csv=csv'] : []),
    ...(isKeyed ? ['key=idempotency_key', 'is_keyed=True'] : []),
    ...(isBatch ? ['headers={"x-batch-validation": validation}'] : []),
    ...(isSafe ? ['is_safe=True'] : []),
  ]
  const function_ = { json: '_call', list: '_list', bytes: '_bytes', download: '_download' }[result]
  return wrap(`        return self.${function_}(`, args, ')', 8)
}

function writeDoc(text: string): string {
  const own = text
    .replaceAll('null', 'None')
    .replace("`validation: 'permissive'`", '`validation="permissive"`')
  return fold(own, ' '.repeat(8), '        """', '"""')
}

/** Returns the type as it is written outside `types.py`. */
function typeOf(type: ApiType): string {
  return write(type, 'types.')
}

function write(type: ApiType, prefix: string): string {
  switch (type.kind) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'any':
      return 't.Any'
    case 'literal':
      return `t.Literal[${type.values.map(writeLiteral).join(', ')}]`
    case 'list':
      return `t.List[${write(type.item, prefix)}]`
    case 'map':
      return `t.Dict[str, ${write(type.value, prefix)}]`
    case 'model':
      return prefix + type.name
    case 'union':
      return writeUnion(type.of, prefix)
  }
}

function writeLiteral(value: string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

function writeUnion(types: readonly ApiType[], prefix: string): string {
  const others = types.filter(({ kind }) => kind !== 'null').map((type) => write(type, prefix))
  const joined = others.length === 1 ? (others[0] as string) : `t.Union[${others.join(', ')}]`
  return others.length < types.length ? `t.Optional[${joined}]` : joined
}

/** Fields for which the client accepts more than JSON has: of one model, or of every request. */
const WIDER: Record<string, string> = {
  scheduled_at: 't.Union[str, datetime, None]',
  'AttachmentInput.content': 't.Union[str, bytes, t.Dict[str, t.Any], None]',
}

function writeTypes({ models, events }: ClientApi): string {
  const types = Object.entries(events)
  return [
    `# ${GENERATED_NOTE}`,
    '"""The objects of the API, as dictionaries with these keys."""',
    '',
    'from __future__ import annotations',
    '',
    'import typing as t',
    'from datetime import datetime',
    ...models.flatMap(writeModel),
    '',
    '',
    wrap(
      'EventType = t.Literal[',
      types.map(([type]) => `"${type}"`),
      ']',
      0,
    ),
    '',
    '# The body of a webhook. Its `type` decides the type of its `data`.',
    wrap(
      'WebhookEvent = t.Union[',
      types.map(([, type]) => write(type, '')),
      ']',
      0,
    ),
    '',
  ].join('\n')
}

/** A TypedDict marks all its fields as optional or none, so a model with both kinds has two. */
function writeModel({ name, fields }: ApiModel): string[] {
  const isRequest = /Request(Input)?$/.test(name)
  const entries = fields.map(({ type, ...field }) => ({
    ...field,
    type: WIDER[`${name}.${field.name}`] ?? (isRequest ? WIDER[field.name] : undefined) ?? write(type, ''),
  }))
  const [required, optional] = [true, false].map((is) =>
    entries.filter(({ isRequired }) => isRequired === is),
  )
  if (!required?.length || !optional?.length) return writeDict(name, entries)
  const own = `_${name}`
  if (optional.every(isAttribute)) return [...writeDict(own, required), ...writeDict(name, optional, own)]
  const other = `${own}Optional`
  return [
    ...writeDict(own, required),
    ...writeDict(other, optional),
    ...['', '', `class ${name}(${own}, ${other}):`, '    pass'],
  ]
}

interface Entry {
  name: string
  isRequired: boolean
  type: string
}

/** A class can have the field, and its other fields still mean the types of Python by their names. */
const isAttribute = ({ name }: Entry) =>
  /^[A-Za-z_]\w*$/.test(name) &&
  !RESERVED.has(name) &&
  !['str', 'int', 'float', 'bool', 'bytes', 'datetime', 't'].includes(name)

function writeDict(name: string, fields: readonly Entry[], base = 't.TypedDict'): string[] {
  const isTotal = fields.some(({ isRequired }) => isRequired)
  if (fields.every(isAttribute)) {
    const lines = fields.length === 0 ? ['pass'] : fields.map((field) => `${field.name}: ${field.type}`)
    const head = `class ${name}(${base}${isTotal ? '' : ', total=False'}):`
    return ['', '', head, ...lines.map((line) => `    ${line}`)]
  }
  const entries = fields.map(
    (field) => `${JSON.stringify(field.name)}: ${JSON.stringify(field.type).replaceAll('\\"', "'")}`,
  )
  const lines = [
    `"${name}",`,
    '{',
    ...entries.map((line) => `    ${line},`),
    '},',
    ...(isTotal ? [] : ['total=False,']),
  ]
  return ['', '', `${name} = t.TypedDict(`, ...lines.map((line) => `    ${line}`), ')']
}
