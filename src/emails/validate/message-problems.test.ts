import { expect, test } from 'vitest'
import type { CustomHeaderProblem } from '../../mime/header-name.ts'
import type { MessageProblem } from '../../mime/raw/message-problem.ts'
import { describeHeaderProblem, messageError } from './message-problems.ts'

const BY_HTTP: [problem: MessageProblem, message: string][] = [
  [{ problem: 'nul_character' }, 'The raw_message field must not contain the character U+0000.'],
  [
    { problem: 'too_large', bytesMax: 37_500_000, isText: true },
    'The raw_message field must not be greater than 37500000 bytes in UTF-8.',
  ],
  [
    { problem: 'too_large', bytesMax: 37_500_000, isText: false },
    'The raw_message field must not be greater than 37500000 bytes.',
  ],
  [
    { problem: 'repaired_too_large', bytesMax: 41_250_000 },
    'The repaired message must not be greater than 41250000 bytes.',
  ],
  [{ problem: 'no_header' }, 'The raw_message field must begin with header fields.'],
  [
    { problem: 'long_header', bytesMax: 262_144 },
    'The raw_message field must not have a header of more than 262144 bytes.',
  ],
  [
    { problem: 'malformed_header', cause: { problem: 'too_many_fields', countMax: 1000 } },
    'The raw_message field has a malformed header: it has more than 1000 fields.',
  ],
  [
    { problem: 'malformed_header', cause: { problem: 'long_line', line: 2, octetsMax: 998 } },
    'The raw_message field has a malformed header: line 2 is longer than 998 bytes. Fold it with a line break before a space.',
  ],
  [
    { problem: 'malformed_header', cause: { problem: 'control_character', line: 2 } },
    'The raw_message field has a malformed header: line 2 contains a control character. Remove it.',
  ],
  [
    { problem: 'malformed_header', cause: { problem: 'not_a_field', line: 1, shown: 'hello?' } },
    'The raw_message field has a malformed header: line 1 is not a header field (hello?). Write "Name: value", without a space before the colon.',
  ],
  [
    { problem: 'malformed_header', cause: { problem: 'blank_line', line: 3 } },
    'The raw_message field has a malformed header: line 3 contains only white space. Remove it.',
  ],
  [
    {
      problem: 'malformed_header',
      cause: { problem: 'unfoldable_line', line: 4, name: 'X-Data', octetsMax: 998 },
    },
    'The raw_message field has a malformed header: line 4 (X-Data) is longer than 998 bytes, and has no place to fold it. Shorten it.',
  ],
  [
    { problem: 'signed_header', cause: { problem: 'blank_line', line: 3 } },
    'The raw_message field has a malformed header, which is not mended because another domain has signed it with DKIM: line 3 contains only white space. Remove it.',
  ],
  [
    { problem: 'signed_address', name: 'from' },
    'The from header field of the raw_message field is not mended, because another domain has signed it with DKIM: it has a comment, or a name that needs quotes. Remove the comment, and put the name in quotes.',
  ],
  [{ problem: 'header_charset' }, 'The raw_message field must have a header in UTF-8, or in encoded words.'],
  [{ problem: 'not_one_from' }, 'The raw_message field must have exactly one From header field.'],
  [
    { problem: 'repeated_field', name: 'subject' },
    'The raw_message field must not have more than one subject header field.',
  ],
  [
    { problem: 'too_many_received', countMax: 50 },
    'The raw_message field must not have more than 50 Received header fields.',
  ],
  [
    { problem: 'not_one_address', name: 'sender', fault: 'group' },
    'The sender header field of the raw_message field must hold exactly one address: it is a group. Write the address alone.',
  ],
  [
    { problem: 'deceptive_address', name: 'to' },
    'The to header field of the raw_message field must not contain bidirectional controls or wide forms of @.',
  ],
  [{ problem: 'require_tls_value' }, 'The header X-Sendwright-Require-TLS must be yes or no.'],
  [
    { problem: 'ambiguous_multipart' },
    'The raw_message field has a multipart whose boundary or encoding is missing, malformed or ambiguous.',
  ],
  [
    { problem: 'too_deep', levelsMax: 100 },
    'The raw_message field must not be nested deeper than 100 levels.',
  ],
  [
    { problem: 'too_many_parts', countMax: 1000 },
    'The raw_message field must not have more than 1000 parts.',
  ],
  [
    { problem: 'repeated_part_field', name: 'content-type' },
    'The raw_message field has a part with more than one content-type field.',
  ],
  [{ problem: 'long_part_header' }, 'The raw_message field has a part with an over-long header.'],
  [
    { problem: 'long_part_headers', bytesMax: 1_048_576 },
    'The headers of all parts of the raw_message field must not be greater than 1048576 bytes.',
  ],
  [
    { problem: 'too_many_delimiters', countMax: 500_000 },
    'The raw_message field must not have more than 500000 lines in multiparts that begin with two hyphens.',
  ],
  [
    { problem: 'long_body_line', line: 6, octetsMax: 998 },
    'The raw_message field has a line longer than 998 bytes that cannot be encoded: line 6.',
  ],
  [
    { problem: 'unencodable_part', line: 9 },
    'The raw_message field has a part, at line 9, with over-long lines or 8-bit text that cannot be encoded.',
  ],
  [
    { problem: 'charset_mismatch', charset: 'iso-8859-1' },
    'The raw_message field has 8-bit text in a part that says charset=iso-8859-1. It is UTF-8 here; other charsets need quoted-printable or base64.',
  ],
]

test.each(BY_HTTP)('422 on raw_message: %j', (problem, message) => {
  expect(messageError(problem, 'http')).toMatchObject({
    status: 422,
    message,
    errors: { raw_message: [message] },
  })
})

test.each(BY_HTTP)('by SMTP it is called the message: %j', (problem, message) => {
  expect(messageError(problem, 'submission').message).toBe(message.replace('raw_message field', 'message'))
})

test.each<[problem: CustomHeaderProblem, message: string]>([
  [{ problem: 'empty_name' }, 'A header name must not be empty.'],
  [{ problem: 'long_name', charsMax: 76 }, 'A header name must not be greater than 76 characters.'],
  [
    { problem: 'name_characters' },
    'A header name must consist of printable ASCII characters without space and colon.',
  ],
  [{ problem: 'service_field' }, 'The header X-A is set by the service.'],
  [
    { problem: 'long_value', charsMax: 4000 },
    'The value of the header X-A must not be greater than 4000 characters.',
  ],
  [{ problem: 'value_characters' }, 'The value of the header X-A must not contain control characters.'],
  [{ problem: 'require_tls_value' }, 'The header X-Sendwright-Require-TLS must be yes or no.'],
])('a custom header: %j', (problem, message) => {
  expect(describeHeaderProblem(problem, 'X-A')).toBe(message)
})
