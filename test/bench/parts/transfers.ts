import type { Person } from '../../../src/sandbox/slack/index.ts';
import { type Deployment, type Team, withDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import type { Bench, Part } from './part.ts';

/** The first account sends alone, then all other accounts at once. */
const accounts = 9;
const transfersEach = 5;

/** Sends a file through the form. Resolves when the card says that it is sent. */
export async function sendsFile({ bo }: Team, name: string): Promise<void> {
  await bo.opens('Dropline');
  const before = cardsSent(bo);
  await bo.types('/drop send');
  await bo.picks('To', 'receiver-1@');
  await bo.attaches('Files', [{ name, data: `the content of ${name}` }]);
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
  await bo.closes();
  await until(() => cardsSent(bo) > before, `${name} to be sent`);
}

const cardsSent = (person: Person): number => person.screen().split('✅ Sent').length - 1;

/** Sends some files, one after the other. Throws if the service received one of them twice. */
export async function sendAll(deployment: Deployment, team: Team, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await sendsFile(team, `file-${number}.txt`);
  if ((await deployment.callService('transferCount', team.user)) !== count)
    throw new Error('expected every transfer to be sent exactly once');
}

async function run({ print, addFigure }: Bench): Promise<void> {
  await withDeployment(async (deployment) => {
    const teams: Team[] = [];
    for (let number = 1; number <= accounts; number += 1) teams.push(await deployment.addTeam(`Team${number}`));
    const measureRate = async (group: readonly Team[]): Promise<number> => {
      const started = performance.now();
      await Promise.all(group.map((team) => sendAll(deployment, team, transfersEach)));
      return (group.length * transfersEach) / ((performance.now() - started) / 60_000);
    };
    const [first, ...rest] = teams;
    const one = first === undefined ? 0 : await measureRate([first]);
    const all = await measureRate(rest);
    print(`\nTransfers sent through the form, from the first command to the last card that says “Sent”: `);
    print(`${one.toFixed(0)} a minute with one account, ${all.toFixed(0)} with ${rest.length} at once `);
    print(`(x ${(all / one).toFixed(1)}), ${transfersEach} each, all sent exactly once. `);
    print('Includes the time people take to fill in the forms.\n');
    addFigure({ name: 'one account', value: one, unit: '/min', better: 'higher' });
    addFigure({ name: `${rest.length} accounts at once`, value: all, unit: '/min', better: 'higher' });
  });
}

export const transfers: Part = { name: 'transfers', description: 'transfers a minute with 8 accounts', run };
