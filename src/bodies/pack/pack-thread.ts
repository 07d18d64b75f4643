import { answerJobs } from '../../lib/async/answer-jobs.ts'
import { PACK_JOBS } from './pack-jobs.ts'

/** The entry of the thread that makes packs (work-on-pack.ts). */
answerJobs(PACK_JOBS)
