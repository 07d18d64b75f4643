/** One function on a stack, as V8's profiler names it. Functions that are not JavaScript have no URL. */
export interface Frame {
  functionName: string
  url: string
}

export const GARBAGE_COLLECTION = 'garbage collection'
/** System calls, libuv and V8 while no JavaScript function is on the stack. */
export const NATIVE = 'native, no JavaScript on the stack'
export const OTHER = 'other'

const HTTP = 'HTTP'
const ACCESS = 'keys and rate limits'
const JSON_AND_SHAPE = 'JSON and shape'
const MIME = 'MIME: build, encode'
const ACCEPT = 'acceptance'
const DB_OUT = 'database client, out'
const DB_IN = 'database client, in'
const DB = 'database pool, transactions'
const QUEUE = 'hand-off, claim, dispatch'
const SIGN = 'DKIM, without RSA itself'
const SMTP = 'SMTP client'
const SETTLE = 'settle'
const EVENTS = 'events, metrics, webhooks'
const BODIES = 'bodies in object storage'
const LOG = 'log, Prometheus'

interface Rule {
  stage: string
  /** Matched against the path from `src/` or from the package's name in `node_modules`, or the name of Node's module. */
  file: RegExp
  /** If present, the function's name has to match, too. */
  name?: RegExp
}

/** The first rule that fits a frame gives its stage. A frame without a rule belongs to its caller. */
const RULES: readonly Rule[] = [
  { stage: JSON_AND_SHAPE, file: /^src\/http\/json\/|^(typebox|secure-json-parse)\// },
  {
    stage: HTTP,
    file: /^src\/(http|audit|request-log)\/|^(fastify|@fastify|find-my-way|fast-json-stringify|avvio)\/|^node:_http_/,
  },
  { stage: ACCESS, file: /^src\/(access|keys)\// },

  {
    stage: SIGN,
    file: /^src\/mime\/dkim\.ts|^src\/delivery\/dispatch\/sign-message\.ts|^src\/domains\/domain-keys\.ts/,
  },
  { stage: SMTP, file: /^src\/mime\/return-path\.ts/ },
  { stage: MIME, file: /^src\/(mime|templates|tracking|emails\/content)\// },
  { stage: MIME, file: /^src\/emails\/accept\/(compose-email|message-header|unsubscribe-links)\.ts/ },
  {
    stage: MIME,
    file: /^(html-to-text|htmlparser2|entities|@selderee|selderee|dom-serializer|domhandler)\//,
  },

  {
    stage: SETTLE,
    file: /^src\/(delivery\/settle|queue\/journal|classification)\/|^src\/queue\/settle-queries\.ts/,
  },
  { stage: SMTP, file: /^src\/delivery\/(client|tls)\/|^src\/delivery\/dispatch\/connect\.ts/ },
  { stage: QUEUE, file: /^src\/(delivery|queue|lib\/dns)\/|^dns-packet\// },
  { stage: ACCEPT, file: /^src\/(emails|teams|suppressions|domains)\// },
  { stage: BODIES, file: /^src\/bodies\/|^s3mini\// },
  { stage: EVENTS, file: /^src\/(events|metrics|webhooks)\/|^undici\// },

  { stage: DB_IN, file: /^pg-protocol\/dist\/(parser|buffer-reader|messages)\.|^(pg-types|postgres-\w+)\// },
  { stage: DB_OUT, file: /^pg-protocol\/dist\/(serializer|buffer-writer)\./ },
  { stage: DB_IN, file: /^pg-protocol\/|^pg\/lib\/(result|type-overrides)\.|^src\/db\/rows\.ts/ },
  { stage: DB_IN, file: /^pg\/lib\//, name: /^_?handle|^attachListeners|^$/ },
  { stage: DB_IN, file: /^src\/db\/send-statement\.ts/, name: /^handle/ },
  { stage: DB_OUT, file: /^pg\/lib\/|^src\/db\/(arrays|batch|bind-message|pieces|send-statement)\.ts/ },
  { stage: DB, file: /^pg-pool\/|^src\/db\// },

  { stage: LOG, file: /^src\/lib\/log\.ts|^(pino|sonic-boom|thread-stream|prom-client)\// },
]

/** For stacks on which no frame has a rule: what Node does between the product's functions. */
const NODE_RULES: readonly Rule[] = [
  { stage: SIGN, file: /^node:(internal\/)?crypto/ },
  { stage: 'Node: sockets', file: /^node:(net|stream|internal\/(stream|streams|js_stream))/ },
  { stage: 'Node: files', file: /^node:(fs|internal\/fs)/ },
  { stage: 'Node: timers, promises', file: /^node:(timers|internal\/(timers|process|promise|abort))/ },
]

/** Returns the path that the rules are about: without the directory of the checkout and of `node_modules`. */
export function pathOf(url: string): string {
  const modulesAt = url.lastIndexOf('/node_modules/')
  if (modulesAt !== -1) return url.slice(modulesAt + '/node_modules/'.length)
  const sourceAt = url.lastIndexOf('/src/')
  return sourceAt === -1 ? url : url.slice(sourceAt + 1)
}

/** Returns the stage of a stack, innermost function first: that of the innermost function with a rule. */
export function stageOf(stack: readonly Frame[]): string {
  const innermost = stack[0]?.functionName
  if (innermost === '(garbage collector)') return GARBAGE_COLLECTION
  if (innermost === '(program)') return NATIVE
  return findStage(RULES, stack) ?? findStage(NODE_RULES, stack) ?? OTHER
}

function findStage(rules: readonly Rule[], stack: readonly Frame[]): string | undefined {
  for (const { functionName, url } of stack) {
    const path = pathOf(url)
    const rule = rules.find(({ file, name }) => file.test(path) && (name?.test(functionName) ?? true))
    if (rule !== undefined) return rule.stage
  }
  return undefined
}
