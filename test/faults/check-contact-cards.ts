import type { Facts } from './facts.ts';

/** The card of a contact shows members only their own transfers and requests. */
export function checkContactCards({ plan, results, cardViews = [] }: Facts): string[] {
  return cardViews.flatMap(({ workspace, person, text }) => {
    const [admin] = plan.workspaces.find(({ name }) => name === workspace)?.people ?? [];
    if (admin?.name === person) return [];
    const others = results.filter((one) => one.workspace !== workspace || one.person !== person);
    // Files and messages contain the id of their action. Answers to a request are in the inbox, which everyone can see.
    const leakedResults = others.filter(
      ({ action: { kind, id } }) =>
        ['send', 'request'].includes(kind) && new RegExp(`\\b${id}\\b(?!-answer)`).test(text),
    );
    return leakedResults.map(
      ({ action }) => `${action.id}: shown to ${person} of ${workspace} on the card of a contact`,
    );
  });
}
