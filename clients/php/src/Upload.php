<?php

declare(strict_types=1);

namespace Sendwright;

/** The content of an upload. */
final class Upload
{
    private const TYPE_BITS = 0170000;
    private const REGULAR_FILE = 0100000;

    /**
     * Returns content that can be sent more than once. Reads a stream that has no size, such as a pipe, to its end. Throws
     * SendwrightError if it cannot, for example after the time limit of the stream.
     *
     * @param string|resource|null $csv
     * @return string|resource|null
     */
    public static function repeatable(mixed $csv): mixed
    {
        if (!is_resource($csv) || ((fstat($csv)['mode'] ?? 0) & self::TYPE_BITS) === self::REGULAR_FILE) {
            return $csv;
        }
        $copy = fopen('php://temp', 'w+b');
        if (stream_copy_to_stream($csv, $copy) === false || !feof($csv)) {
            throw new SendwrightError('invalid_request', 'The stream with the CSV cannot be read to its end.');
        }
        return $copy;
    }
}
