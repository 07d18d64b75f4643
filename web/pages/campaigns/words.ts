import { texts } from './texts.ts'
/** Same statement as in the README. */
export const NOT_YET = texts.words.versionWriteCheckSchedule
