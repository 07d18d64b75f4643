<?php

declare(strict_types=1);

namespace Sendwright;

/** A file of an email. */
final class Attachment implements \JsonSerializable
{
    private function __construct(
        public readonly string $filename,
        public readonly string $bytes,
        public readonly ?string $contentType,
        public readonly ?string $contentId,
    ) {
    }

    /** With a `contentId`, the file is an inline image: `<img src="cid:...">`. */
    public static function fromBytes(
        string $filename,
        string $bytes,
        ?string $contentType = null,
        ?string $contentId = null,
    ): self {
        return new self($filename, $bytes, $contentType, $contentId);
    }

    /** Reads a file of this machine. Throws SendwrightError, `invalid_request`. */
    public static function fromFile(string $path, ?string $contentType = null, ?string $contentId = null): self
    {
        $bytes = is_file($path) ? file_get_contents($path) : false;
        if ($bytes === false) {
            throw new SendwrightError('invalid_request', "The file {$path} cannot be read.");
        }
        return new self(basename($path), $bytes, $contentType, $contentId);
    }

    /** @return array<string, string> */
    public function jsonSerialize(): array
    {
        $fields = [
            'filename' => $this->filename,
            'content' => base64_encode($this->bytes),
            'content_type' => $this->contentType,
            'content_id' => $this->contentId,
        ];
        return array_filter($fields, static fn (?string $value): bool => $value !== null);
    }
}
