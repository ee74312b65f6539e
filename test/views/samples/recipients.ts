import { makeContact } from '../../../src/exchange/index.ts';
import { contactsByAddress } from '../../../src/features/contacts/list/ids.ts';
import { presetOptions } from '../../../src/features/contacts/list/suggest.ts';
import { chosenView, recipientsView } from '../../../src/features/recipients/views.ts';
import { everydayContacts } from '../everyday.ts';
import { hostileEmails, hostileList, type Samples } from '../hostile-texts.ts';

const hostile = [...hostileEmails, ...hostileList].map((email) =>
  makeContact({ email, number: email, nick: email, groups: hostileList }),
);
const lists = { local: hostile, global: hostile };
const people = [...contactsByAddress(lists).values()];
const manyPeople = Array.from({ length: 500 }, (_, number) => ({
  ...makeContact({ email: `p${number}@example.org` }),
  email: `p${number}@example.org`,
}));
const { options } = presetOptions(lists, { recipients: people.map(({ email }) => email), groups: hostileList });

const everydayLists = { local: everydayContacts, global: [] };
const everydayPeople = [...contactsByAddress(everydayLists).values()];
const everydayChoice = presetOptions(everydayLists, {
  recipients: everydayPeople.slice(0, 2).map(({ email }) => email),
  groups: ['lawyers'],
});

export const samples: Samples = {
  'everyday recipients': recipientsView({
    options: everydayChoice.options,
    tooMany: 0,
    gone: [],
    people: everydayPeople.slice(0, 2),
  }),
  'everyday recipients, saved': chosenView(everydayPeople.slice(0, 2)),
  'no recipients': recipientsView({ options: [], tooMany: 0, gone: [], people: [] }),
  'hostile recipients, some of them deleted': recipientsView({ options, tooMany: 20, gone: hostileList, people }),
  'many recipients': chosenView(manyPeople),
  'hostile recipients': chosenView(people),
};
