<?php

declare(strict_types=1);

namespace Sendwright;

/** Writes the parameters of a URL. */
final class Query
{
    /**
     * Returns the query with its question mark; without parameters that are null.
     *
     * @param array<string, mixed> $query
     */
    public static function write(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $each) {
                if ($each !== null) {
                    $pairs[] = rawurlencode($name) . '=' . rawurlencode(self::toText($each));
                }
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    private static function toText(mixed $value): string
    {
        return is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
    }
}
