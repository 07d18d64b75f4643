import { COUNTED_IDS, createLayout, GENERATED_NOTE } from './layout.ts'
import type { ClientApi, ClientMethod, ClientResource } from './read-clients.ts'
import type { ApiModel, ApiType } from './read-models.ts'

const { wrap, fold } = createLayout(110)
/** Traits with methods that are written by hand. */
const TRAITS: Record<string, string> = { Events: 'StreamsEvents', Webhooks: 'VerifiesWebhooks' }

const toCamel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the generated files of the PHP package, by their path in it. */
export function writePhp(api: ClientApi): Record<string, string> {
  const files = api.resources.map((resource) => [
    `src/Resources/${resource.name}.php`,
    writeResource(resource),
  ])
  return {
    ...Object.fromEntries(files),
    'src/Resources.php': writeIndex(api.resources),
    'src/Types.php': writeTypes(api),
  }
}

const HEAD = ['<?php', '', `// ${GENERATED_NOTE}`, '', 'declare(strict_types=1);', '']

function writeIndex(all: readonly ClientResource[]): string {
  const resources = all.filter(({ isChild }) => !isChild)
  return [
    ...HEAD,
    'namespace Sendwright;',
    '',
    '/** The resources of the API. */',
    'abstract class Resources',
    '{',
    ...resources.map(({ name, property }) => `    public readonly Resources\\${name} $${property};`),
    '',
    '    public function __construct(Transport $transport)',
    '    {',
    ...resources.map(
      ({ name, property }) => `        $this->${property} = new Resources\\${name}($transport);`,
    ),
    '    }',
    '}',
    '',
  ].join('\n')
}

function writeResource(resource: ClientResource): string {
  const body = resource.methods.map(writeMethod).join('\n')
  const named = [...new Set([...body.matchAll(/@(?:param|return) .*/g)].flatMap(([line]) => modelsOf(line)))]
  const trait = TRAITS[resource.name]
  const classes = ['Download', 'ListCall', 'Resource'].filter(
    (each) => each === 'Resource' || new RegExp(`\\b${each}\\b`).test(body),
  )
  if (resource.children.length > 0) classes.push('Transport')
  return [
    ...HEAD,
    'namespace Sendwright\\Resources;',
    '',
    ...[...classes, ...(trait === undefined ? [] : [trait]), ...(named.length === 0 ? [] : ['Types'])]
      .sort()
      .map((name) => `use Sendwright\\${name};`),
    '',
    '/**',
    ` * ${resource.doc}`,
    ...(named.length === 0 ? [] : [' *']),
    ...named.sort().map((name) => ` * @phpstan-import-type ${name} from Types`),
    ' */',
    `final class ${resource.name} extends Resource`,
    '{',
    ...(trait === undefined ? [] : [`    use ${trait};`, '']),
    ...writeChildren(resource.children),
    body.trimEnd(),
    '}',
    '',
  ].join('\n')
}

function writeChildren(children: ClientResource['children']): string[] {
  if (children.length === 0) return []
  return [
    ...children.map(({ name, property }) => `    public readonly ${name} $${property};`),
    '',
    '    public function __construct(Transport $transport)',
    '    {',
    '        parent::__construct($transport);',
    ...children.map(({ name, property }) => `        $this->${property} = new ${name}($transport);`),
    '    }',
    '',
  ]
}

const OWN = new Set(['ListCall', 'Download'])

function modelsOf(line: string): string[] {
  return [...(line.split('$')[0] as string).matchAll(/\b[A-Z]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !OWN.has(name))
}

function writeMethod(method: ClientMethod): string {
  const { body, isBodyOptional, isBatch, isKeyed, isCsv, ids, query } = method
  const parameters = [
    ...ids.map((id) => `${COUNTED_IDS.has(id.name) ? 'int' : 'string'} $${toCamel(id.name)}`),
    ...(isCsv ? ['mixed $csv'] : []),
    ...(body === null ? [] : [`array $body${isBodyOptional ? ' = []' : ''}`]),
    // Parameters that are required come first.
    ...[...query]
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
      .map(
        ({ name, type, isRequired }) =>
          `${nativeOf(type, isRequired)} $${name}${isRequired ? '' : ' = null'}`,
      ),
    ...(isBatch ? ['?string $validation = null'] : []),
    ...(isKeyed ? ['?string $idempotencyKey = null'] : []),
  ]
  return [
    ...writeDoc(method),
    wrap(`    public function ${method.name}(`, parameters, `): ${nativeReturn(method)}`, 4),
    '    {',
    writeCall(method),
    '    }',
    '',
  ].join('\n')
}

/** Returns the declared type: PHP checks it. */
function nativeOf(type: ApiType, isRequired: boolean): string {
  const names = { integer: 'int', number: 'float', boolean: 'bool' } as Record<string, string>
  const name = names[type.kind] ?? 'string'
  return isRequired ? name : `?${name}`
}

function nativeReturn({ result }: ClientMethod): string {
  return { json: 'array', list: 'ListCall', bytes: 'string', download: 'Download' }[result]
}

function writeDoc({ doc, result, answer, item, body, isCsv }: ClientMethod): string[] {
  const tags = [
    ...(isCsv ? ['@param string|resource $csv the content, or an open file'] : []),
    ...(body === null ? [] : [`@param ${write(body)} $body`]),
    ...(result === 'json' ? [`@return ${write(answer)}`] : []),
    ...(result === 'list' ? [`@return ListCall<${write(answer)}, ${write(item)}>`] : []),
  ]
  return [
    '    /**',
    fold(doc, '     * '),
    ...(tags.length === 0 ? [] : ['     *']),
    ...tags.map((tag) => `     * ${tag}`),
    '     */',
  ]
}

function writeCall(method: ClientMethod): string {
  const { verb, path, result, ids, query, body, isBatch, isCsv, isKeyed, isSafe } = method
  const fields = query.map(({ name }) => `'${name}' => $${name}`)
  const parts = [
    ...(result === 'json' ? [`'${verb.toUpperCase()}'`] : []),
    `'${path}'`,
    ...(ids.length === 0 ? [] : [`ids: [${ids.map((id) => `$${toCamel(id.name)}`).join(', ')}]`]),
    ...(fields.length === 0 ? [] : [`query: [${fields.join(', ')}]`]),
    ...(body === null ? [] : ['body: $body']),
    ...(isCsv ? ['csv: $csv'] : []),
    ...(isKeyed ? ['key: $idempotencyKey', 'isKeyed: true'] : []),
    ...(isBatch ? ["headers: ['x-batch-validation' => $validation]"] : []),
    ...(isSafe ? ['isSafe: true'] : []),
  ]
  const name = { json: 'call', list: 'page', bytes: 'bytes', download: 'download' }[result]
  return wrap(`        return $this->${name}(`, parts, ');', 8)
}

function write(type: ApiType): string {
  switch (type.kind) {
    case 'integer':
      return 'int'
    case 'number':
      return 'int|float'
    case 'boolean':
      return 'bool'
    case 'any':
      return 'mixed'
    case 'literal':
      return type.values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join('|')
    case 'list':
      return `list<${write(type.item)}>`
    case 'map':
      return `array<string, ${write(type.value)}>`
    case 'model':
      return type.name === 'List' ? 'ListOfContacts' : type.name
    case 'union':
      return type.of.map(write).join('|')
    default:
      return type.kind
  }
}

function writeTypes({ models, events }: ClientApi): string {
  const union = Object.values(events).map(write).join('|')
  return [
    ...HEAD,
    'namespace Sendwright;',
    '',
    '/**',
    ' * The objects of the API, as arrays with these keys. For PHPStan and Psalm:',
    ' * `@phpstan-import-type Email from \\Sendwright\\Types`.',
    ' *',
    ...models.flatMap(writeModel),
    ` * @phpstan-type WebhookEvent ${union}`,
    ' */',
    'interface Types',
    '{',
    '}',
    '',
  ].join('\n')
}

/** Fields for which the client accepts more than JSON has. */
const WIDER: Record<string, string> = {
  scheduled_at: 'string|\\DateTimeInterface|null',
  attachments: 'list<AttachmentInput|Attachment>|null',
}

function writeModel({ name, fields }: ApiModel): string[] {
  const isInput = /Request$/.test(name)
  const shape = fields.map(
    (field) =>
      ` *   ${/^\w+$/.test(field.name) ? field.name : `'${field.name}'`}${field.isRequired ? '' : '?'}: ${(isInput && WIDER[field.name]) || write(field.type)},`,
  )
  return [` * @phpstan-type ${write({ kind: 'model', name })} array{`, ...shape, ' * }', ' *']
}
