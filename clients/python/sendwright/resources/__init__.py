# `npm test -- clients/test/generated.test.ts -u` writes this file.
from .._transport import Transport
from .account import Account
from .api_keys import ApiKeys
from .automations import Automations
from .broadcasts import Broadcasts
from .campaigns import Campaigns
from .captured import Captured
from .contacts import Contacts
from .domains import Domains
from .emails import Emails
from .events import Events
from .lists import Lists
from .logs import Logs
from .operator import Operator
from .properties import Properties
from .segments import Segments
from .senders import Senders
from .suppressions import Suppressions
from .template_folders import TemplateFolders
from .templates import Templates
from .unsubscriptions import Unsubscriptions
from .webhooks import Webhooks


class Resources:
    """The resources of the API."""

    def __init__(self, transport: Transport) -> None:
        self.emails = Emails(transport)
        self.templates = Templates(transport)
        self.template_folders = TemplateFolders(transport)
        self.domains = Domains(transport)
        self.senders = Senders(transport)
        self.segments = Segments(transport)
        self.campaigns = Campaigns(transport)
        self.broadcasts = Broadcasts(transport)
        self.automations = Automations(transport)
        self.contacts = Contacts(transport)
        self.lists = Lists(transport)
        self.properties = Properties(transport)
        self.suppressions = Suppressions(transport)
        self.unsubscriptions = Unsubscriptions(transport)
        self.webhooks = Webhooks(transport)
        self.events = Events(transport)
        self.api_keys = ApiKeys(transport)
        self.account = Account(transport)
        self.captured = Captured(transport)
        self.logs = Logs(transport)
        self.operator = Operator(transport)
