import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'
import { compileFunction } from 'node:vm'
import { isNode, type Node } from '../syntax.ts'
import { readSource, type Source } from './find-statements.ts'

/** The location of an expression: its file, and the enclosing nodes from the outside in. */
export interface Scope {
  source: Source
  around: readonly Node[]
}

/** Values for names that are only known at run time, mainly parameters. */
export type Example = Readonly<Record<string, unknown>>

/** Evaluates an expression of the source with the surrounding constants, without running its module. */
export function evaluate(node: Node, scope: Scope, example: Example): unknown {
  return new Evaluation(example).evaluate(node, scope)
}

class Evaluation {
  readonly #example: Example
  /** Each constant is computed once, so that counters of placeholders continue. */
  readonly #known = new Map<Node, unknown>()

  constructor(example: Example) {
    this.#example = example
  }

  evaluate(node: Node, scope: Scope): unknown {
    const names = new Proxy(
      {},
      {
        has: (_, name) => typeof name === 'string' && (name in this.#example || !(name in globalThis)),
        get: (_, name) => (typeof name === 'string' ? this.#valueOf(name, scope) : undefined),
      },
    )
    const { text } = scope.source
    const code = stripTypeScriptTypes(`void (${text.slice(node.start, node.end)})`)
    return compileFunction(`with (names) { return ${code.slice('void '.length)} }`, ['names'])(names)
  }

  #valueOf(name: string, scope: Scope): unknown {
    if (name in this.#example) return this.#example[name]
    for (const around of scope.around.toReversed()) {
      const declared = declarationsOf(around).find((one) => one.name === name)
      if (declared !== undefined) return declared.pick(this.#constant(declared.value, scope))
    }
    return this.#imported(name, scope.source)
  }

  #constant(value: Node, scope: Scope): unknown {
    if (!this.#known.has(value)) this.#known.set(value, this.evaluate(value, scope))
    return this.#known.get(value)
  }

  #imported(name: string, source: Source): unknown {
    for (const statement of source.program.body as Node[]) {
      if (statement.type !== 'ImportDeclaration') continue
      const path = `${(statement.source as Node).value}`
      const named = (statement.specifiers as Node[]).find((each) => nameIn(each, 'local') === name)
      if (named === undefined || !path.startsWith('.')) continue
      const from = readSource(resolve(dirname(source.file), path))
      return this.#valueOf(nameIn(named, 'imported'), { source: from, around: [from.program] })
    }
    throw new Error(`no example has a value for \`${name}\``)
  }
}

interface Declaration {
  name: string
  value: Node
  /** Selects the named part of the value. */
  pick(value: unknown): unknown
}

const whole = (value: unknown) => value

function declarationsOf(block: Node): Declaration[] {
  const statements = Array.isArray(block.body) ? (block.body as Node[]) : []
  return statements
    .map((one) => (one.type === 'ExportNamedDeclaration' && isNode(one.declaration) ? one.declaration : one))
    .flatMap((one) => {
      if (one.type === 'FunctionDeclaration') return [{ name: nameIn(one, 'id'), value: one, pick: whole }]
      if (one.type !== 'VariableDeclaration' || one.kind !== 'const') return []
      return (one.declarations as Node[]).flatMap(namesOf)
    })
}

/** Returns the names that one `const` declares. */
function namesOf(declarator: Node): Declaration[] {
  const { id, init } = declarator
  if (!isNode(id) || !isNode(init)) return []
  if (id.type === 'Identifier') return [{ name: `${id.name}`, value: init, pick: whole }]
  if (id.type === 'ArrayPattern') {
    return (id.elements as (Node | null)[]).map((element, index) => ({
      name: `${element?.name}`,
      value: init,
      pick: (value) => (value as unknown[])[index],
    }))
  }
  const properties = (id.properties as Node[]).filter((property) => isNode(property.key))
  return properties.map((property) => ({
    name: nameIn(property, 'value'),
    value: init,
    pick: (value) => (value as Record<string, unknown>)[nameIn(property, 'key')],
  }))
}

const nameIn = (node: Node, field: string) => `${(node[field] as Node).name}`
