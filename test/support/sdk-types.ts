import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from './resend.ts'
import { SDK_TYPES } from './resend.ts'

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

const PRELUDE = `
import type { CreateBatchSuccessResponse, Resend } from 'resend'
/** The successful result of a method. */
type Answered<M extends (...args: never[]) => unknown> = NonNullable<(Awaited<ReturnType<M>> & { data: unknown })['data']>
/** The type as a literal, without some fields at any depth. */
type Shown<T, K extends string = never> = T extends readonly (infer I)[]
  ? readonly Shown<I, K>[]
  : T extends object
    ? { readonly [P in keyof T as P extends K ? never : P]: Shown<T[P], K> }
    : T
declare function check<T>(answers: readonly T[]): void
type Fit<V, T> = V extends readonly T[] ? true : false
`

interface Answers {
  answers: readonly Answer[]
  /** The fields that the documentation of a method omits: without them the types must match, and with any of them not. */
  untyped: ReadonlyMap<string, readonly string[]>
}

/**
 * Checks responses against the types of the SDK with the TypeScript compiler, which takes a second for the libraries and then as
 * good as nothing for each set.
 * @returns the errors of the compiler for each set; empty when all its responses match
 */
export async function checkAnswers(sets: readonly Answers[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-types-'))
  try {
    const files = sets.map((_, index) => `answers${index}.ts`)
    for (const [index, { answers, untyped }] of sets.entries()) {
      const byMethod = Map.groupBy(answers, ({ method }) => method)
      const checks = [...byMethod].flatMap(([method, given]) =>
        checksOf(method, given, untyped.get(method) ?? []),
      )
      await writeFile(join(folder, String(files[index])), [PRELUDE, ...checks].join('\n'))
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...COMPILATION, files }))
    const errors = (await compile(folder)).split(/^(?=\S)/m)
    const others = errors.filter(
      (error) => error !== '' && !files.some((file) => error.startsWith(`${file}(`)),
    )
    if (others.length > 0) throw new Error(others.join(''))
    return files.map((file) => errors.filter((error) => error.startsWith(`${file}(`)).join(''))
  } finally {
    await rm(folder, { recursive: true })
  }
}

const COMPILATION = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    // The types of the SDK refer to those of React, which need not be installed.
    skipLibCheck: true,
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: [],
    module: 'nodenext',
    paths: { resend: [SDK_TYPES] },
  },
}

function checksOf(method: string, given: readonly Answer[], untyped: readonly string[]): string[] {
  const name = `answers_of_${method.replaceAll('.', '_')}`
  const type = typeOf(method, given)
  // A separate constant, because a response may have more fields than the type, which the compiler rejects in a bare
  // literal.
  const literal = `const ${name} = [${given.map(({ data }) => JSON.stringify(data)).join(', ')}] as const`
  const without = (fields: readonly string[]) =>
    `Shown<${type}, ${fields.map((field) => `'${field}'`).join(' | ') || 'never'}>`
  const needless = untyped.map((field) => {
    const others = untyped.filter((each) => each !== field)
    return `const ${name}_${field}: Fit<typeof ${name}, ${without(others)}> = false`
  })
  return [literal, `check<${without(untyped)}>(${name})`, ...needless]
}

function typeOf(method: string, given: readonly Answer[]): string {
  if (!method.startsWith('batch.')) return `Answered<Resend['${method.replaceAll('.', "']['")}']>`
  // The type of a strict batch contradicts itself: it allows only the field data, but has no such field.
  const permissive = `CreateBatchSuccessResponse<{ batchValidation: 'permissive' }>`
  return given.every(({ data }) => 'errors' in (data as object)) ? permissive : `Pick<${permissive}, 'data'>`
}

function compile(folder: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TSC, '-p', '.'], { cwd: folder }, (error, stdout, stderr) => {
      resolve(error === null ? '' : stdout + stderr || String(error))
    })
  })
}
