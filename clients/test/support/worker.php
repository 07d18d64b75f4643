<?php

// Runs snippets for the tests: each line of standard input is JSON with `code`; each line of output is its outcome.

declare(strict_types=1);

use Sendwright\Sendwright;
use Sendwright\SendwrightError;

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../../php/src/' . strtr(substr($class, strlen('Sendwright\\')), '\\', '/') . '.php';
});

$sendwright = new Sendwright();
while (($line = fgets(STDIN)) !== false) {
    $result = null;
    ob_start();
    try {
        eval(json_decode($line, true)['code']);
        $outcome = ['value' => $result];
    } catch (SendwrightError $error) {
        $outcome = ['error' => ['message' => $error->getMessage()] + get_object_vars($error)];
    } catch (Throwable $error) {
        $outcome = ['error' => ['name' => 'exception', 'message' => (string) $error]];
    }
    // What a snippet prints is not for the output of the tests.
    ob_end_clean();
    fwrite(STDOUT, json_encode($outcome, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR) . "\n");
}
