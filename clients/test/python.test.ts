import { afterAll, describe, expect, test } from 'vitest'
import { createInterpreters, LANGUAGES } from './support/interpreters.ts'

// What only Python has: bytes and files of them beside texts, and errors that pass between processes.

const PYTHON = LANGUAGES.filter(({ language }) => language === 'python')

describe.each(PYTHON)('$title', ({ isAbsent }) => {
  describe.skipIf(isAbsent)('the client', () => {
    const interpreters = createInterpreters('python')
    afterAll(() => interpreters.close())
    // Nothing is requested.
    const run = async (code: string) => (await interpreters.enter('http://127.0.0.1:1', 'sw_any')).run(code)

    test('writes bytes as Base64 only in the attachments of an email and of a batch', async () => {
      const bodies = await run(`
from sendwright._transport import encode
file = {"filename": "a.bin", "content": bytes([0, 255])}
result = [encode({"attachments": [file]}).decode(), encode([{}, {"attachments": (file, file)}]).decode()]`)
      const file = { filename: 'a.bin', content: 'AP8=' }
      expect(bodies.map((body: string) => JSON.parse(body))).toEqual([
        { attachments: [file] },
        [{}, { attachments: [file, file] }],
      ])
    })

    test.each([
      { call: 'emails.send({"html": b"<p>Hello</p>"})', field: 'html' },
      { call: 'emails.send_batch([{}, {"to": ["a@b.test", bytearray(b"c")]}])', field: '1.to.1' },
      { call: 'emails.send({"attachments": [{"filename": b"a"}]})', field: 'attachments.0.filename' },
      { call: 'emails.send_mime({"raw_message": memoryview(b"a")})', field: 'raw_message' },
      {
        call: 'events.send({"payload": {"attachments": [{"content": b"a"}]}})',
        field: 'payload.attachments',
      },
    ])('$call is an error that names the field', async ({ call, field }) => {
      await expect(run(`sendwright.${call}`)).rejects.toMatchObject({
        fields: {
          name: 'invalid_request',
          message: expect.stringContaining(`The field ${field}`),
          status_code: null,
        },
      })
    })

    test('reads text from a pipe or a file as UTF-8, from where it is, and leaves bytes in their file', async () => {
      const contents = await run(`
import io, os, tempfile
from sendwright._resource import _read_csv
end, start = os.pipe()
os.write(start, "email\\nzoë".encode())
os.close(start)
pipe = os.fdopen(end, encoding="utf-8")
latin = tempfile.NamedTemporaryFile("w+", encoding="latin-1", newline="")
latin.write("skipped\\nemail\\nzoë")
latin.seek(8)
binary = io.BytesIO("email\\nzoë".encode())
result = [_read_csv(each).decode() for each in (pipe, latin, io.StringIO("email\\nzoë"))]
result += [_read_csv(binary) is binary, binary.tell()]`)
      expect(contents).toEqual(['email\nzoë', 'email\nzoë', 'email\nzoë', true, 0])
    })

    test('a list that contains itself is an error of the client', async () => {
      const code = 'items = []\nitems.append(items)\nsendwright.emails.send({"to": items})'
      await expect(run(code)).rejects.toMatchObject({ fields: { name: 'invalid_request' } })
    })

    test('an error can be pickled and copied with all its fields', async () => {
      const [original, ...others] = await run(`
import copy, pickle
error = SendwrightError("validation_error", "Invalid.", status_code=422, errors={"to": ["No."]}, request_id="id",
    retry_after_seconds=1.5, idempotency_key="once")
twins = [error, pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)]
result = [[type(twin).__name__, str(twin), vars(twin)] for twin in twins]`)
      expect(original).toEqual([
        'SendwrightError',
        'Invalid. (validation_error)',
        expect.objectContaining({ errors: { to: ['No.'] }, idempotency_key: 'once' }),
      ])
      expect(others).toEqual([original, original, original])
    })
  })
})
