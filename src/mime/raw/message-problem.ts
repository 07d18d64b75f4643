/** A line of a header section that readers interpret differently. Lines count from 1. */
export type HeaderProblem =
  | { problem: 'too_many_fields'; countMax: number }
  | { problem: 'long_line'; line: number; octetsMax: number }
  | { problem: 'control_character'; line: number }
  /** `shown` is the start of the line in printable ASCII. */
  | { problem: 'not_a_field'; line: number; shown: string }
  | { problem: 'blank_line'; line: number }
  /** `name` is the field's. Only submitted messages are folded. */
  | { problem: 'unfoldable_line'; line: number; name: string; octetsMax: number }

/** Why the value of a From or Sender field is not taken. */
export type MailboxFault =
  | 'empty'
  | 'too_long'
  | 'several'
  | 'group'
  | 'inner_comment'
  | 'unclosed'
  | 'text_after'
  | 'route'
  | 'name_characters'
  | 'not_an_address'
  /** One address, with a comment, or with a name that needs quotes. Mended in submitted messages. */
  | 'not_plain'

/** Why a raw message is rejected, with the facts that an error message names. */
export type MessageProblem =
  | { problem: 'nul_character' }
  /** `isText` is true if `bytesMax` limits the UTF-8 form of a text. */
  | { problem: 'too_large'; bytesMax: number; isText: boolean }
  | { problem: 'repaired_too_large'; bytesMax: number }
  | { problem: 'no_header' }
  | { problem: 'long_header'; bytesMax: number }
  | { problem: 'malformed_header'; cause: HeaderProblem }
  | { problem: 'header_charset' }
  | { problem: 'not_one_from' }
  | { problem: 'repeated_field'; name: string }
  | { problem: 'too_many_received'; countMax: number }
  | { problem: 'not_one_address'; name: 'from' | 'sender'; fault: MailboxFault }
  /** The message can be mended, but another domain has signed it with DKIM. */
  | { problem: 'signed_header'; cause: HeaderProblem }
  | { problem: 'signed_address'; name: 'from' | 'sender' }
  | { problem: 'deceptive_address'; name: string }
  | { problem: 'require_tls_value' }
  | { problem: 'ambiguous_multipart' }
  | { problem: 'too_deep'; levelsMax: number }
  | { problem: 'too_many_parts'; countMax: number }
  | { problem: 'repeated_part_field'; name: string }
  | { problem: 'long_part_header' }
  | { problem: 'long_part_headers'; bytesMax: number }
  | { problem: 'too_many_delimiters'; countMax: number }
  | { problem: 'long_body_line'; line: number; octetsMax: number }
  | { problem: 'unencodable_part'; line: number }
  /** `charset` is what the part declares, in printable ASCII. */
  | { problem: 'charset_mismatch'; charset: string }

/** Returns whether a function of this room returned a problem instead of its value. */
export function isProblem<Value extends object>(result: Value | MessageProblem): result is MessageProblem {
  return 'problem' in result
}
