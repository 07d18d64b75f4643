/** Returns a contact's full name; empty when the contact has none. */
export const fullName = ({ first_name: first, last_name: last }: { first_name: string; last_name: string }) =>
  [first, last].filter((part) => part !== '').join(' ')
