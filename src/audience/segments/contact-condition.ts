/**
 * One condition on contacts. It is literal SQL over the alias `c` of table contact; `$1` is the team's id. External
 * values must go through `place`, which adds a parameter and returns its `$n`. Cast a placeholder whose type does not
 * follow from its comparison.
 */
export interface ContactCondition {
  sql(place: (value: unknown) => string): string
  /**
   * The same condition in a form that finds few matches among very many contacts. `sql` then tests contacts one by
   * one.
   */
  gatherSql?(place: (value: unknown) => string): string
  /** True if an index returns the matches of this condition alone in the order of their ids. */
  isOrdered?: true
}
