<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * A response that may be larger than memory: read it in parts, or as a whole, once.
 *
 * @implements \IteratorAggregate<int, string>
 */
final class Download implements \IteratorAggregate
{
    public function __construct(private readonly Response $response)
    {
    }

    /** @return \Generator<int, string> */
    public function getIterator(): \Generator
    {
        return $this->response->chunks();
    }

    /** Returns the whole content. Throws SendwrightError. */
    public function read(): string
    {
        return $this->response->read();
    }

    /** Closes the connection, if the content is not wanted any more. */
    public function close(): void
    {
        $this->response->close();
    }
}
