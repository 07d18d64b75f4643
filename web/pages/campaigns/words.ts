/** As README says it. */
export const NOT_YET =
  'In this version a campaign can be written, checked and scheduled, but nobody gets it: one that is due stays scheduled.'
