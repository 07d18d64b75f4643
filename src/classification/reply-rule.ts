import type { Words } from './families/near.ts'
import type { Stage } from './stages.ts'
import type { CategoryName } from './verdict-categories.ts'

export interface ReplyRule {
  category: CategoryName
  /** All that are given must match. */
  code?: RegExp
  enhanced?: RegExp
  text?: Words
  stages?: readonly Stage[]
  /** The name of the MX: for rules that hold at one provider only. */
  host?: RegExp
}
