import { makeContact } from '../../../src/exchange/index.ts';
import { everybody } from '../../../src/features/contacts/list/ids.ts';
import { earlierChoice } from '../../../src/features/contacts/list/suggest.ts';
import { chosenView, recipientsView } from '../../../src/features/recipients/views.ts';
import { nastyEmails, nastyList, type Samples } from '../nasty.ts';

const nasty = [...nastyEmails, ...nastyList].map((email) =>
  makeContact({ email, number: email, nick: email, groups: nastyList }),
);
const lists = { local: nasty, global: nasty };
const people = [...everybody(lists).values()];
const crowd = Array.from({ length: 500 }, (_, number) => ({
  ...makeContact({ email: `p${number}@example.org` }),
  email: `p${number}@example.org`,
}));
const { options } = earlierChoice(lists, { receivers: people.map(({ email }) => email), groups: nastyList });

export const samples: Samples = {
  'no recipients': recipientsView({ options: [], tooMany: 0, gone: [], people: [] }),
  'nasty recipients, others gone': recipientsView({ options, tooMany: 20, gone: nastyList, people }),
  'many recipients': chosenView(crowd),
  'nasty recipients': chosenView(people),
};
