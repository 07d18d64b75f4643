import type { Words } from './families/near.ts'
import type { Stage } from './stages.ts'
import type { CategoryName } from './verdict-categories.ts'

export interface ReplyRule {
  category: CategoryName
  /** Every condition that a rule sets must match. */
  code?: RegExp
  enhanced?: RegExp
  text?: Words
  stages?: readonly Stage[]
  /** Only for a server's reply, not for the words of a DSN around it. */
  isOfReply?: true
  /** Matches the MX host name, for rules that apply to one provider only. */
  host?: RegExp
}
