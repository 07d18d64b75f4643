/** Returns the properties of a field that the user may only read: it looks like text, not like a field. */
export const lookOf = (isReadOnly: boolean) =>
  isReadOnly ? ({ readOnly: true, variant: 'unstyled', placeholder: '–', rightSection: null } as const) : {}
