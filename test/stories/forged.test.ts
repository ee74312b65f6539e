import { expect, test } from 'vitest';
import { featureRoutes } from '../../src/features/routes.ts';
import type { TransferUiServices } from '../../src/features/transfers/shown-kind.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { clicks, forms, readOnly } from '../helpers/forgeries.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectRefusals, nameOf, refusal, setUpForgery, stateOf, tryAllForgeries } from './forged.ts';

const postgres = startTestPostgres();

test('every button and form has a forged payload or is read-only', () => {
  const routes = joinRoutes(featureRoutes({} as TransferUiServices));
  const tried = [...new Set([...Object.keys(clicks), ...Object.keys(forms)].map(nameOf)), ...readOnly];
  const known = new Set([...Object.keys(routes.actions), ...Object.keys(routes.forms)]);
  expect(tried.sort()).toEqual([...known].sort());
});

test('a guest who forges clicks and forms gets a reason and changes nothing', () => expectRefusals(postgres, 'guest'));

test("a guest can't use shortcuts or any command but help, and menus offer no options", async () => {
  const setup = await setUpForgery(postgres);
  const { acme, anna, gus, exchange, slack } = setup;
  const { commands, options } = joinRoutes(featureRoutes({} as TransferUiServices));
  const before = await stateOf(setup);
  const calls = exchange.calls.length;
  await gus.opens('#general');
  const expectRefused = async () => {
    await gus.sees(refusal);
    await gus.reloads();
  };
  for (const name of Object.keys(commands).filter((command) => command !== 'help')) {
    await gus.types(`/drop ${name}`);
    await expectRefused();
  }
  for (const name of ['Send files securely', 'Request files']) {
    await gus.usesShortcut(name);
    await expectRefused();
  }
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#general', text: 'the plan' });
  await gus.usesShortcut('Send securely', { on: 'the plan' });
  await expectRefused();
  const forger = await forgerFor(gus, acme, anna);
  slack.behaviour.timeoutMs = 200;
  for (const name of Object.keys(options)) {
    await expect(forger.picks(name, 'plain'), name).rejects.toThrow('Offered: nothing');
  }
  expect(await stateOf(setup)).toEqual(before);
  expect(exchange.calls.slice(calls)).toEqual([]);
});

test("an admin can't reach another workspace by using its ids", async () => {
  const setup = await setUpForgery(postgres);
  const { anna, acme, slack, ours, theirs } = setup;
  // Admins can change their own draft, so it isn't compared.
  const draft = `draft:${acme.id} ${anna.id}`;
  const before = await stateOf(setup, draft);
  expect(await tryAllForgeries(setup, anna, [theirs, ours], ({ reply }) => reply)).toEqual([]);
  expect(await stateOf(setup, draft)).toEqual(before);
  const calls = slack.calls.filter(({ team }) => team === acme.id);
  expect(calls.filter((call) => JSON.stringify(call.arguments).includes('secret'))).toEqual([]);
});
