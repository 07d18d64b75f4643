import { answerJobs } from '../../lib/async/answer-jobs.ts'
import { CONTENT_JOBS } from './content-jobs.ts'

/** The entry of the thread that runs content jobs (heavy-content.ts). */
answerJobs(CONTENT_JOBS)
