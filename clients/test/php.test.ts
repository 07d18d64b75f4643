import { afterAll, describe, expect, test } from 'vitest'
import { createInterpreters, LANGUAGES } from './support/interpreters.ts'

// What only PHP has: streams that end before their content.

const PHP = LANGUAGES.filter(({ language }) => language === 'php')

describe.each(PHP)('$title', ({ isAbsent }) => {
  describe.skipIf(isAbsent)('the client', () => {
    const interpreters = createInterpreters('php')
    afterAll(() => interpreters.close())

    test('does not upload a stream that cannot be read to its end', async () => {
      // Nothing is requested.
      const { run } = await interpreters.enter('http://127.0.0.1:1', 'sw_any')
      // Without blocking, a stream returns what it has so far.
      const upload = run(`
[$start, $end] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($start, "email\\nann@receiver.test\\n");
stream_set_blocking($end, false);
$sendwright->contacts->import($end);`)
      await expect(upload).rejects.toMatchObject({ fields: { name: 'invalid_request', statusCode: null } })
    })
  })
})
