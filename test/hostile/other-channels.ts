import { fileIdOf } from '../../src/features/common/ids.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { forgerFor } from '../helpers/forgery.ts';
import type { InboxApp } from '../helpers/inbox-app.ts';
import { type fillLegal, type PrivateChannel, secret } from '../stories/private-channel.ts';

export const gone = 'This file is no longer available.';

/** Clicks and forms with the ids of items in #legal. Returns those that weren't answered with this text. */
export async function tryIds(app: InboxApp & PrivateChannel, person: Person, { open, taken, done }: Ids, text: string) {
  const { acme, anna, dan } = app;
  const forger = await forgerFor(person, acme, anna);
  const file = { item: open, file: fileIdOf(secret) };
  const attempts: [name: string, forged: Parameters<typeof forger.clicks>[1]][] = [
    ['inbox.files', { value: open }],
    ['inbox.files-page', { value: '0', metadata: JSON.stringify({ page: 0, item: open }) }],
    ['inbox.download', { value: JSON.stringify(file) }],
    ['inbox.download', { value: JSON.stringify({ ...file, again: true }) }],
    ['inbox.all', { value: JSON.stringify({ items: [open, taken, done] }) }],
    ['inbox.take', { value: open }],
    ['inbox.take-over', { value: taken }],
    ['inbox.done', { value: open }],
    ['inbox.reopen', { value: done }],
  ];
  const unexpected: string[] = [];
  const seesText = (what: string) => person.sees(text).catch(() => unexpected.push(`${what}: ${person.screen()}`));
  for (const [name, forged] of attempts) {
    await forger.clicks(name, forged);
    await seesText(name);
  }
  await forger.submits('inbox.take-over', { metadata: JSON.stringify({ item: taken, holder: dan.id }) });
  await seesText('take over');
  await person.reloads();
  return unexpected;
}

type Ids = Awaited<ReturnType<typeof fillLegal>>;

/** What a forgery could change. */
export const itemsIn = async ({ services }: InboxApp) =>
  (await services.store.pool.query('select * from dropline.inbox_items order by url')).rows;
