import { Alert, Select } from '@mantine/core'
import type { CsvHead, Delimiter, HeadOptions } from './csv-head.ts'
import type { Encoding } from './decode-head.ts'
import { texts } from './texts.ts'

const DELIMITERS = [
  { value: 'comma', label: texts.preparedImport.comma },
  { value: 'semicolon', label: texts.preparedImport.semicolon },
  { value: 'tab', label: texts.preparedImport.tab },
  { value: 'pipe', label: texts.preparedImport.pipe },
]

const ENCODINGS = [
  { value: 'utf-8', label: texts.preparedImport.utf8 },
  { value: 'windows-1252', label: texts.preparedImport.windows },
  { value: 'macintosh', label: texts.preparedImport.mac },
  { value: 'utf-16le', label: texts.preparedImport.utf16le },
  { value: 'utf-16be', label: texts.preparedImport.utf16be },
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
        label={texts.preparedImport.delimiter}
        data={DELIMITERS}
        value={delimiter}
        allowDeselect={false}
        onChange={(next) => onOptions({ delimiter: next as Delimiter })}
        maw={240}
      />
      <Select
        label={texts.preparedImport.encoding}
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
  const found = [columns, ...rows].flat().filter((text) => /[\u0080-\uffff]/.test(text))
  return (
    <Alert color="yellow" role="status" mb="md" title={texts.preparedImport.fileIsNotUtf8}>
      {texts.preparedImport.checkTheseTexts(label)}{' '}
      <bdi className="foreign">{[...new Set(found)].slice(0, TEXTS_SHOWN).join(' · ')}</bdi>
    </Alert>
  )
}
