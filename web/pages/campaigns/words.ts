/** Same statement as in the README. */
export const NOT_YET =
  'In this version you can write, check and schedule a campaign, but it is not sent: it stays scheduled when it is due.'
