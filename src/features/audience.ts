import { referenceOf } from '../errors.ts';
import { contentOf, isUnreachable } from '../slack/tell.ts';
import type { Store } from '../store/index.ts';
import { tellAdmin } from './admins.ts';
import { tellContactsEdited } from './contacts/tell.ts';
import { createCards } from './send/tell.ts';
import type { Alarm, Audience, Services } from './services.ts';
import type { SlackSide } from './ui-services.ts';

/** Tells people in Slack what happens. Who has left is not waited for: what comes after must go on. */
export function createAudience(slack: SlackSide, store: Store, log: Pick<Services['log'], 'warn' | 'error'>): Audience {
  const cards = createCards(slack, store);

  async function unlessGone(about: { workspace: string; id: string }, telling: Promise<void>): Promise<void> {
    try {
      await telling;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      log.warn(
        { workspace: about.workspace, reference: referenceOf(about.id), err: error },
        'the person can be told nothing any more',
      );
    }
  }

  return {
    progress: cards.progress,
    transferEnded: (transfer) => unlessGone(transfer, cards.transferEnded(transfer)),
    async alarm(workspace, alarm) {
      const told = await tellAdmin(slack, store, workspace, contentOf(alarmText(alarm)));
      if (told === undefined) log.error({ workspace, alarm: alarm.kind }, 'there is no admin who can be told');
    },
    contactsEdited: (edit, outcome) => unlessGone(edit, tellContactsEdited(slack, store, edit, outcome)),
  };
}

function alarmText(alarm: Alarm): string {
  switch (alarm.kind) {
    case 'credentials-refused':
      return 'The file service refuses the key of this workspace. Incoming files are not looked for until an admin types /drop connect and enters a valid key.';
    case 'difference':
      return `${alarm.sentence} It names: ${alarm.names.join(', ')}. Sending is paused until an admin has looked into it: /drop status.`;
    case 'outcome-unknown':
      return 'Nobody knows whether a dispatch was sent. Sending is on hold until an admin has looked into it: /drop status.';
    case 'contacts-mended':
      return `After an edit these contacts were missing on the file service and were put back, or look different now: ${alarm.emails.join(', ')}.`;
  }
}
