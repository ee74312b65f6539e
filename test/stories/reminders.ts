import { queueReminders } from '../../src/features/inbox/reminders/jobs.ts';
import type { Channel, Person } from '../../src/sandbox/slack/index.ts';
import { type InboxAppOptions, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

const dayMs = 86_400_000;

/** Like `setUpInboxApp`, with a service that can add items in the past. */
export async function setUpReminders(postgres: TestPostgres, options: Omit<InboxAppOptions, 'exchange'> = {}) {
  let offset = 0;
  const app = await setUpInboxApp(postgres, { ...options, exchange: { clock: () => Date.now() + offset } });
  const { services, untilIdle, addItem } = app;
  return {
    ...app,
    /** Adds an item that is six and a half days old. Items expire after seven days. */
    async addOldItem(...item: Parameters<typeof addItem>) {
      offset = -6.5 * dayMs;
      const added = await addItem(...item);
      offset = 0;
      return added;
    },
    /** Runs the hourly reminder job. */
    async remind(): Promise<void> {
      await queueReminders(services);
      await untilIdle();
    },
    /** Makes all requests older. */
    ageRequests: (hours: number) =>
      services.store.pool.query(
        `update dropline.transfers set ended_at = ended_at - $1 * interval '1 hour' where kind = 'request'`,
        [hours],
      ),
  };
}

export const remindersIn = ({ messages }: Channel) => messages.filter(({ text }) => text.startsWith('Not downloaded'));

/** The bot's direct messages to a person that contain this text. */
export const directMessages = ({ messages }: Person, part: string): string[] =>
  messages.flatMap(({ destination, text }) => (destination === 'Dropline' && text.includes(part) ? [text] : []));

/** Sends a request that expires after three days. */
export async function requestFrom(person: Person, contact: string): Promise<void> {
  await person.types('/drop request');
  await person.picks('Request from', contact);
  await person.fills('Expires after (days)', '3');
  await person.fills('Message', 'Please send the plans.');
  await person.submits('Review');
  await person.submits('Request from 1 person');
  await person.reloads();
  await person.opens('Dropline');
  await person.sees(new RegExp(`Requested files from 1 person: ${contact}[\\s\\S]*No uploads yet`));
}
