import { type ApiError, invalidField } from '../../lib/api-error.ts'
import type { CustomHeaderProblem } from '../../mime/header-name.ts'
import type { HeaderProblem, MailboxFault, MessageProblem } from '../../mime/raw/message-problem.ts'

/** Where a message arrived: it is a field of a JSON request, or the content of an SMTP transaction. */
export type EntryPoint = 'http' | 'submission'

/** A text for each kind of problem, made of its facts. */
type Texts<Problem extends { problem: string }, Rest extends unknown[]> = {
  [Kind in Problem['problem']]: (problem: Extract<Problem, { problem: Kind }>, ...rest: Rest) => string
}

const REQUIRE_TLS_TEXT = 'The header X-Sendwright-Require-TLS must be yes or no.'

/** `it` is the noun for the message. */
const MESSAGE_TEXTS: Texts<MessageProblem, [it: string]> = {
  nul_character: (_, it) => `The ${it} must not contain the character U+0000.`,
  too_large: ({ bytesMax, isText }, it) =>
    `The ${it} must not be greater than ${bytesMax} bytes${isText ? ' in UTF-8' : ''}.`,
  repaired_too_large: ({ bytesMax }) => `The repaired message must not be greater than ${bytesMax} bytes.`,
  no_header: (_, it) => `The ${it} must begin with header fields.`,
  long_header: ({ bytesMax }, it) => `The ${it} must not have a header of more than ${bytesMax} bytes.`,
  malformed_header: ({ cause }, it) => `The ${it} has a malformed header: ${describe(HEADER_TEXTS, cause)}.`,
  header_charset: (_, it) => `The ${it} must have a header in UTF-8, or in encoded words.`,
  not_one_from: (_, it) => `The ${it} must have exactly one From header field.`,
  repeated_field: ({ name }, it) => `The ${it} must not have more than one ${name} header field.`,
  too_many_received: ({ countMax }, it) =>
    `The ${it} must not have more than ${countMax} Received header fields.`,
  not_one_address: ({ name, fault }, it) =>
    `The ${name} header field of the ${it} must hold exactly one address: ${MAILBOX_TEXTS[fault]}.`,
  signed_header: ({ cause }, it) =>
    `The ${it} has a malformed header, which is not mended because another domain has signed it with DKIM: ${describe(HEADER_TEXTS, cause)}.`,
  signed_address: ({ name }, it) =>
    `The ${name} header field of the ${it} is not mended, because another domain has signed it with DKIM: ${MAILBOX_TEXTS.not_plain}.`,
  deceptive_address: ({ name }, it) =>
    `The ${name} header field of the ${it} must not contain bidirectional controls or wide forms of @.`,
  require_tls_value: () => REQUIRE_TLS_TEXT,
  ambiguous_multipart: (_, it) =>
    `The ${it} has a multipart whose boundary or encoding is missing, malformed or ambiguous.`,
  too_deep: ({ levelsMax }, it) => `The ${it} must not be nested deeper than ${levelsMax} levels.`,
  too_many_parts: ({ countMax }, it) => `The ${it} must not have more than ${countMax} parts.`,
  repeated_part_field: ({ name }, it) => `The ${it} has a part with more than one ${name} field.`,
  long_part_header: (_, it) => `The ${it} has a part with an over-long header.`,
  long_part_headers: ({ bytesMax }, it) =>
    `The headers of all parts of the ${it} must not be greater than ${bytesMax} bytes.`,
  too_many_delimiters: ({ countMax }, it) =>
    `The ${it} must not have more than ${countMax} lines in multiparts that begin with two hyphens.`,
  long_body_line: ({ line, octetsMax }, it) =>
    `The ${it} has a line longer than ${octetsMax} bytes that cannot be encoded: line ${line}.`,
  unencodable_part: ({ line }, it) =>
    `The ${it} has a part, at line ${line}, with over-long lines or 8-bit text that cannot be encoded.`,
  charset_mismatch: ({ charset }, it) =>
    `The ${it} has 8-bit text in a part that says charset=${charset}. It is UTF-8 here; other charsets need quoted-printable or base64.`,
}

const MAILBOX_TEXTS: Readonly<Record<MailboxFault, string>> = {
  empty: 'it is empty. Write one address',
  too_long: 'it is too long. Shorten the name',
  several: 'it has several. Keep the author, or put names with commas or @ in quotes',
  group: 'it is a group. Write the address alone',
  inner_comment: 'it has a comment within the address. Remove the comment',
  unclosed: 'it has a quotation mark, parenthesis or angle bracket that nothing closes. Add or remove it',
  text_after: 'it has text after the address. Put the name before it',
  route: 'it has a source route. Write only the address between the angle brackets',
  name_characters:
    'the name has angle brackets, control characters, bidirectional controls or wide forms of @. Remove them',
  not_an_address: 'what it holds is not an address that can be delivered, such as ann@example.com',
  not_plain: 'it has a comment, or a name that needs quotes. Remove the comment, and put the name in quotes',
}

const HEADER_TEXTS: Texts<HeaderProblem, []> = {
  too_many_fields: ({ countMax }) => `it has more than ${countMax} fields`,
  long_line: ({ line, octetsMax }) =>
    `line ${line} is longer than ${octetsMax} bytes. Fold it with a line break before a space`,
  control_character: ({ line }) => `line ${line} contains a control character. Remove it`,
  not_a_field: ({ line, shown }) =>
    `line ${line} is not a header field (${shown}). Write "Name: value", without a space before the colon`,
  blank_line: ({ line }) => `line ${line} contains only white space. Remove it`,
  unfoldable_line: ({ line, name, octetsMax }) =>
    `line ${line} (${name}) is longer than ${octetsMax} bytes, and has no place to fold it. Shorten it`,
}

const CUSTOM_HEADER_TEXTS: Texts<CustomHeaderProblem, [name: string]> = {
  empty_name: () => 'A header name must not be empty.',
  long_name: ({ charsMax }) => `A header name must not be greater than ${charsMax} characters.`,
  name_characters: () => 'A header name must consist of printable ASCII characters without space and colon.',
  service_field: (_, name) => `The header ${name} is set by the service.`,
  long_value: ({ charsMax }, name) =>
    `The value of the header ${name} must not be greater than ${charsMax} characters.`,
  value_characters: (_, name) => `The value of the header ${name} must not contain control characters.`,
  unfoldable_value: ({ octetsMax }, name) =>
    `The value of the header ${name} must have a space, or a comma between URLs, at least every ${octetsMax} bytes.`,
  require_tls_value: () => REQUIRE_TLS_TEXT,
}

function describe<Problem extends { problem: string }, Rest extends unknown[]>(
  texts: Texts<Problem, Rest>,
  problem: Problem,
  ...rest: Rest
): string {
  // The compiler does not see that the kind of the text is that of the problem.
  const text = texts[problem.problem as Problem['problem']] as (problem: Problem, ...rest: Rest) => string
  return text(problem, ...rest)
}

/** Returns the 422 error for a raw message, in the words of the protocol by which it arrived. */
export function messageError(problem: MessageProblem, entryPoint: EntryPoint): ApiError {
  const it = entryPoint === 'http' ? 'raw_message field' : 'message'
  return invalidField('raw_message', describe(MESSAGE_TEXTS, problem, it))
}

/** Returns why a custom header is rejected, as a sentence. */
export function describeHeaderProblem(problem: CustomHeaderProblem, name: string): string {
  return describe(CUSTOM_HEADER_TEXTS, problem, name)
}
