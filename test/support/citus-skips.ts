import { relative, sep } from 'node:path'
import { beforeEach } from 'vitest'
import { citusUrl, NOT_ON_CITUS } from './citus.ts'

// Runs for each test file.
if (citusUrl !== undefined)
  beforeEach(({ skip, task }) => {
    const file = relative(process.cwd(), task.file.filepath).split(sep).join('/')
    const reason = NOT_ON_CITUS[`${file} > ${task.fullTestName}`]
    if (reason !== undefined) skip(reason)
  })
