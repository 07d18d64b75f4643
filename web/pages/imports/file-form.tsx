import { Alert, Select } from '@mantine/core'
import type { CsvHead, Delimiter, HeadOptions } from './csv-head.ts'
import type { Encoding } from './decode-head.ts'

const DELIMITERS = [
  { value: 'comma', label: 'Comma' },
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
  { value: 'pipe', label: 'Pipe' },
]

const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252' },
  { value: 'macintosh', label: 'Mac OS Roman' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
]

const TEXTS_SHOWN = 5

interface FileFormProps {
  head: CsvHead
  /** Changes some options. Those that nobody chose are detected again. */
  onOptions(options: HeadOptions): void
}

/** Says how the file is to be read. */
export function FileForm({ head, onOptions }: FileFormProps) {
  const { delimiter, encoding, encodingBy } = head
  return (
    <>
      <Select
        label="Delimiter"
        data={DELIMITERS}
        value={delimiter}
        allowDeselect={false}
        onChange={(next) => onOptions({ delimiter: next as Delimiter })}
        maw={240}
      />
      <Select
        label="Encoding"
        data={ENCODINGS}
        value={encoding}
        allowDeselect={false}
        // A byte order mark leaves no choice.
        disabled={encodingBy === 'marked'}
        onChange={(next) => onOptions({ encoding: next as Encoding })}
        maw={240}
      />
    </>
  )
}

/** Shows the texts that tell whether the encoding of a file was guessed correctly. */
export function GuessedEncoding({ head: { encoding, encodingBy, columns, rows } }: { head: CsvHead }) {
  if (encodingBy !== 'guessed') return null
  const label = ENCODINGS.find(({ value }) => value === encoding)?.label ?? encoding
  const texts = [columns, ...rows].flat().filter((text) => /[\u0080-\uffff]/.test(text))
  return (
    <Alert color="yellow" role="status" mb="md" title="The file is not in UTF-8">
      It is read as {label}. If these texts are wrong, choose another encoding:{' '}
      <bdi className="foreign">{[...new Set(texts)].slice(0, TEXTS_SHOWN).join(' · ')}</bdi>
    </Alert>
  )
}
