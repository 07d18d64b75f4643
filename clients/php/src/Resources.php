<?php

// `npm test -- clients/test/generated.test.ts -u` writes this file.

declare(strict_types=1);

namespace Sendwright;

/** The resources of the API. */
abstract class Resources
{
    public readonly Resources\Emails $emails;
    public readonly Resources\Templates $templates;
    public readonly Resources\TemplateFolders $templateFolders;
    public readonly Resources\Domains $domains;
    public readonly Resources\Senders $senders;
    public readonly Resources\Segments $segments;
    public readonly Resources\Campaigns $campaigns;
    public readonly Resources\Broadcasts $broadcasts;
    public readonly Resources\Automations $automations;
    public readonly Resources\Contacts $contacts;
    public readonly Resources\Lists $lists;
    public readonly Resources\Properties $properties;
    public readonly Resources\Suppressions $suppressions;
    public readonly Resources\Unsubscriptions $unsubscriptions;
    public readonly Resources\Webhooks $webhooks;
    public readonly Resources\Events $events;
    public readonly Resources\ApiKeys $apiKeys;
    public readonly Resources\Account $account;
    public readonly Resources\Captured $captured;
    public readonly Resources\Logs $logs;
    public readonly Resources\Operator $operator;

    public function __construct(Transport $transport)
    {
        $this->emails = new Resources\Emails($transport);
        $this->templates = new Resources\Templates($transport);
        $this->templateFolders = new Resources\TemplateFolders($transport);
        $this->domains = new Resources\Domains($transport);
        $this->senders = new Resources\Senders($transport);
        $this->segments = new Resources\Segments($transport);
        $this->campaigns = new Resources\Campaigns($transport);
        $this->broadcasts = new Resources\Broadcasts($transport);
        $this->automations = new Resources\Automations($transport);
        $this->contacts = new Resources\Contacts($transport);
        $this->lists = new Resources\Lists($transport);
        $this->properties = new Resources\Properties($transport);
        $this->suppressions = new Resources\Suppressions($transport);
        $this->unsubscriptions = new Resources\Unsubscriptions($transport);
        $this->webhooks = new Resources\Webhooks($transport);
        $this->events = new Resources\Events($transport);
        $this->apiKeys = new Resources\ApiKeys($transport);
        $this->account = new Resources\Account($transport);
        $this->captured = new Resources\Captured($transport);
        $this->logs = new Resources\Logs($transport);
        $this->operator = new Resources\Operator($transport);
    }
}
