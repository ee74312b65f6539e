import { test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('an admin who shares no private channel with me is told what to do', async () => {
  const { acme, anna, bo, slack, addItem, changeInbox } = await setUpInboxApp(postgres);
  await changeInbox({});
  await addItem('carl@example.org', ['contract.pdf']);
  await bo.sees('contract.pdf');
  const board = acme.addChannel({ name: 'board', kind: 'private', members: [anna] });
  acme.addChannel({ name: 'others', kind: 'private', members: [bo, 'app'] });
  acme.addChannel({ name: 'old', kind: 'private', members: [anna, 'app'], archived: true });
  const opensMove = async (text: string) => {
    await anna.types('/drop settings', { in: '#general' });
    await anna.clicks('Change inbox channels');
    await anna.clicks('Move files…');
    await anna.clicks('Move…', { near: 'Files in #inbox' });
    await anna.sees(text);
    await anna.reloads();
  };
  const advice = "There's no other private channel that both of us are in. Join or create one, type /invite @dropline";
  await opensMove(advice);
  board.add('app');
  await opensMove('Move to');
  board.share();
  await opensMove(advice);
  slack.addFault({ method: 'users.conversations', kind: 'error', error: 'internal_error', times: 5 });
  await opensMove('Move to');
});
