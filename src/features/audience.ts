import { line } from '../slack/blocks.ts';
import { escapeMrkdwn } from '../slack/words.ts';
import type { Store } from '../store/index.ts';
import { tellContactsEdited } from './contacts/tell.ts';
import { createCards } from './send/tell.ts';
import type { Alarm, Audience } from './services.ts';
import type { SlackSide } from './ui-services.ts';

/** Tells people in Slack what happens. */
export function createAudience(slack: SlackSide, store: Store): Audience {
  const write = async (workspace: string, person: string, text: string) => {
    const client = await slack.clientOf(workspace);
    await client.chat.postMessage({ channel: person, text: escapeMrkdwn(text), blocks: [line(text)] });
  };
  return {
    ...createCards(slack, store),
    async alarm(workspace, alarm) {
      const credentials = await store.credentials.get(workspace);
      if (credentials !== undefined) await write(workspace, credentials.connectedBy, alarmText(alarm));
    },
    contactsEdited: (edit, outcome) => tellContactsEdited(slack, store, edit, outcome),
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
      return `Contacts were missing on the file service after an edit and were put back, or look otherwise than before: ${alarm.emails.join(', ')}.`;
  }
}
