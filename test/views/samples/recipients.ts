import { makeContact } from '../../../src/exchange/index.ts';
import { contactsByAddress } from '../../../src/features/contacts/list/ids.ts';
import { earlierChoice } from '../../../src/features/contacts/list/suggest.ts';
import { chosenView, recipientsView } from '../../../src/features/recipients/views.ts';
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
const { options } = earlierChoice(lists, { receivers: people.map(({ email }) => email), groups: hostileList });

export const samples: Samples = {
  'no recipients': recipientsView({ options: [], tooMany: 0, gone: [], people: [] }),
  'hostile recipients, some of them deleted': recipientsView({ options, tooMany: 20, gone: hostileList, people }),
  'many recipients': chosenView(manyPeople),
  'hostile recipients': chosenView(people),
};
