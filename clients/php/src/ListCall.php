<?php

declare(strict_types=1);

namespace Sendwright;

/**
 * A list. A loop over it reads every record of all pages; `page()` reads the first page. Nothing is requested before
 * one of them.
 *
 * @template P of array
 * @template I
 * @implements \IteratorAggregate<int, I>
 */
final class ListCall implements \IteratorAggregate
{
    /**
     * @param \Closure(array<string, mixed>): P $read
     * @param array<string, mixed> $query
     */
    public function __construct(private readonly \Closure $read, private readonly array $query)
    {
    }

    /**
     * Returns the first page. Throws SendwrightError.
     *
     * @return P
     */
    public function page(): array
    {
        return ($this->read)($this->query);
    }

    /**
     * Reads page by page. Throws SendwrightError if one fails.
     *
     * @return \Generator<int, P>
     */
    public function pages(): \Generator
    {
        $query = $this->query;
        while ($query !== null) {
            $page = ($this->read)($query);
            yield $page;
            $query = self::nextQuery($query, $page);
        }
    }

    /** @return \Generator<int, I> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page['data'] as $record) {
                yield $record;
            }
        }
    }

    /**
     * Returns the query of the next page; null after the last one. It continues by record id: with page numbers,
     * records that are added meanwhile would shift the pages.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed> $page
     * @return ?array<string, mixed>
     */
    private static function nextQuery(array $query, array $page): ?array
    {
        if (!($page['has_more'] ?? false)) {
            return null;
        }
        $filters = array_diff_key($query, ['page' => 0]);
        if (isset($page['next_cursor'])) {
            // On the event feed, `from` is where to start; elsewhere, it is a filter.
            return ['after' => $page['next_cursor']] + array_diff_key($filters, ['from' => 0]);
        }
        $isBackward = isset($query['before']);
        [$field, $link] = $isBackward ? ['before', 'prev'] : ['after', 'next'];
        // A page can be short or empty where a scan stopped. Then only the link knows where to continue.
        parse_str((string) parse_url($page['links'][$link] ?? '', PHP_URL_QUERY), $linked);
        $record = $page['data'] === [] ? [] : $page['data'][$isBackward ? 0 : count($page['data']) - 1];
        // A site has no id. Its name identifies it.
        $position = $linked[$field] ?? $record['id'] ?? $record['name'] ?? null;
        return $position === null ? null : [$field => $position] + $filters;
    }
}
