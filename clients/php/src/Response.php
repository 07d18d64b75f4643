<?php

declare(strict_types=1);

namespace Sendwright;

/** A response, whose body is read in parts as it arrives. */
final class Response
{
    private const WAIT_SECONDS = 1.0;

    public readonly int $status;
    /** @var array<string, string> by lower-case name */
    public readonly array $headers;

    private readonly \CurlHandle $curl;
    private readonly \CurlMultiHandle $multi;
    private string $buffer = '';
    private bool $isOver = false;
    /** When the last part arrived. */
    private float $lastPart;

    /** Makes the request and waits for the headers of the response. Throws SendwrightError. */
    public function __construct(
        private readonly Options $options,
        public readonly Request $request,
        private readonly ?float $silenceMax,
    ) {
        $headers = [];
        $hasHeaders = false;
        $this->lastPart = microtime(true);
        $this->curl = curl_init();
        curl_setopt_array($this->curl, CurlOptions::of($options, $request, $silenceMax) + [
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers, &$hasHeaders): int {
                $hasHeaders = self::readHeader($line, $headers);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($_, string $part): int {
                $this->buffer .= $part;
                $this->lastPart = microtime(true);
                return strlen($part);
            },
        ]);
        $this->multi = curl_multi_init();
        curl_multi_add_handle($this->multi, $this->curl);
        while (!$hasHeaders && !$this->isOver) {
            $this->advance();
        }
        $this->status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $this->headers = $headers;
    }

    /** Returns the whole body. Throws SendwrightError. */
    public function read(): string
    {
        return implode('', iterator_to_array($this->chunks(), false));
    }

    /**
     * Reads the body in parts. Throws SendwrightError if the connection breaks.
     *
     * @return \Generator<int, string>
     */
    public function chunks(): \Generator
    {
        try {
            while (true) {
                if ($this->buffer !== '') {
                    $part = $this->buffer;
                    $this->buffer = '';
                    yield $part;
                } elseif ($this->isOver) {
                    return;
                } else {
                    $this->advance();
                }
            }
        } finally {
            $this->close();
        }
    }

    /** Closes the connection. */
    public function close(): void
    {
        $this->isOver = true;
        curl_multi_remove_handle($this->multi, $this->curl);
    }

    private function advance(): void
    {
        $status = curl_multi_exec($this->multi, $running);
        if ($status !== CURLM_OK) {
            throw $this->explain(0, (string) curl_multi_strerror($status));
        }
        if ($running > 0) {
            if ($this->silenceMax !== null && microtime(true) - $this->lastPart > $this->silenceMax) {
                throw $this->explain(CURLE_OPERATION_TIMEDOUT, '');
            }
            curl_multi_select($this->multi, min(self::WAIT_SECONDS, $this->silenceMax ?? self::WAIT_SECONDS));
            return;
        }
        $this->isOver = true;
        $done = curl_multi_info_read($this->multi);
        $code = $done === false ? CURLE_OK : $done['result'];
        if ($code !== CURLE_OK) {
            throw $this->explain($code, curl_error($this->curl) ?: (string) curl_strerror($code));
        }
    }

    private function explain(int $code, string $message): SendwrightError
    {
        $timeout = $this->silenceMax ?? $this->options->timeout + $this->request->wait;
        return ErrorReader::explain($code, $message, $timeout, $this->request->idempotencyKey);
    }

    /**
     * Reads one line of a header, and returns whether the header of the final response is complete.
     *
     * @param array<string, string> $headers
     */
    private static function readHeader(string $line, array &$headers): bool
    {
        if (preg_match('/^HTTP\/\S+ (\d+)/', $line, $match) === 1) {
            // A response such as `100 Continue` comes before the final one.
            $headers = [':status' => $match[1]];
            return false;
        }
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        if (trim($line) !== '') {
            $headers[strtolower(trim($name))] = trim($value);
            return false;
        }
        return (int) ($headers[':status'] ?? 0) >= 200;
    }
}
