import { plural } from '../../ui/plural.ts'

/** The texts of the lists pages. */
export const texts = {
  list: {
    name: 'Name',
    contacts: 'Contacts',
    created: 'Created',
    createAList: 'Create list',
    lists: 'Lists',
    addContactsListYourself:
      'You add contacts to a list yourself. For contacts that match conditions, use a segment.',
    noListsYet: 'No lists yet',
    createListSuchNewsletter:
      'Create a list, such as “Newsletter”. Then add contacts here, over the API, or with an import.',
  },
  menu: {
    listRemoved: (name: string) => `List “${name}” deleted.`,
    removeQuestion: (name: string) => `Delete “${name}”?`,
    contactsThemselvesKeptCannot:
      'The contacts themselves are kept. You cannot delete a list that a running campaign or automation uses.',
    removeTheList: 'Delete list',
    more: 'More',
    rename: 'Rename',
    importContacts: 'Import contacts',
    exportContacts: 'Export contacts',
    remove: 'Delete',
  },
  page: {
    lists: 'Lists',
    list: 'List',
    addAContact: 'Add contact',
    contacts: (count: number) => plural(count, '1 contact', `${count.toLocaleString()} contacts`),
    renameTheList: 'Rename list',
    address: 'Address',
    name: 'Name',
    added: 'Added',
    actions: 'Actions',
    contactsOfTheList: 'Contacts in the list',
    noContactsYet: 'No contacts yet',
    addContactsHereOver: 'Add contacts here, over the API, or with an import.',
    emailRemoved: (email: string) => `${email} removed.`,
    remove: 'Remove from the list',
    removeContact: (email: string) => `Remove ${email} from the list`,
    addedToTheList: (email: string) => `${email} added to the list.`,
    addressOfTheContact: 'Address of the contact',
    contactMustAlreadyExist: 'The contact must already exist.',
    addToTheList: 'Add to the list',
  },
} as const
