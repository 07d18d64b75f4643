import { restartIds } from '../../src/lib/ids.ts'

// Runs before each test file. A file may have handed in clocks of the future, which the ids of the next must not continue.
restartIds()
