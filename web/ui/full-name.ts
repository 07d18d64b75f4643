/** The name of a contact as people say it; empty where there is none. */
export const fullName = ({ first_name: first, last_name: last }: { first_name: string; last_name: string }) =>
  [first, last].filter((part) => part !== '').join(' ')
