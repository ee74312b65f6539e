import { z } from 'zod';
import { line } from '../../../slack/blocks.ts';
import { isDirect } from '../../../slack/channels.ts';
import { defineCollection, type Store } from '../../../store/index.ts';
import { type Message, NoChannelError, type Posting, type Trouble } from './posting.ts';

/** Problems with a channel that were reported. Each is reported once, until a post there succeeds again. */
const reportedTroubles = defineCollection('inbox-trouble', z.object({ trouble: z.string() }));
const reportedMs = 90 * 86_400_000;

export interface TroublesOptions {
  store: Store;
  posting: Posting;
  /** People to notify if the person who chose the channel can't be reached. */
  adminsOf(workspace: string): Promise<string[]>;
}

export function troublesOf({ store, posting, adminsOf }: TroublesOptions) {
  const collection = store.collection(reportedTroubles);

  async function listenersTo(workspace: string, channel: string): Promise<Set<string>> {
    const chooser = await chooserOf(store, workspace, channel);
    return new Set([...(chooser === undefined ? [] : [chooser]), ...(await adminsOf(workspace))]);
  }

  async function wasNotified(workspace: string, person: string, message: Message): Promise<boolean> {
    try {
      await posting.post(workspace, person, message);
      return true;
    } catch (error) {
      if (error instanceof NoChannelError) return false;
      throw error;
    }
  }

  return {
    async report(workspace: string, { channel, trouble }: NoChannelError): Promise<void> {
      const before = await collection.get(workspace, channel);
      if (before?.trouble === trouble) return;
      // A person who can't be reached can't be notified of that either.
      if (isDirect(channel)) return;
      const words = wordsOf(trouble);
      const message = {
        text: `New files cannot be announced in their channel. ${words} ${cure}`,
        blocks: [line('New files cannot be announced in ', { channel }, `. ${words}`), line(cure)],
      };
      for (const person of await listenersTo(workspace, channel)) {
        if (!(await wasNotified(workspace, person, message))) continue;
        await collection.set(workspace, { trouble }, { name: channel, ttlMs: reportedMs });
        return;
      }
    },
    async resolved(workspace: string, channel: string): Promise<void> {
      if (!isDirect(channel)) await collection.delete(workspace, channel);
    },
  };
}

const cure =
  'Nothing is lost: they wait, and are announced when this is mended or another channel is chosen in /drop settings. Until then they are in /drop inbox.';

function wordsOf(trouble: Trouble): string {
  switch (trouble) {
    case 'is_archived':
      return 'The channel is archived.';
    case 'is_ext_shared':
      return 'People from other organisations are in it now, and they are not to see who sends you files.';
    case 'not_in_channel':
      return 'I am not in it any more. Type /invite @dropline there.';
    case 'channel_not_found':
      return 'It is gone, or it is private and I am not in it any more. Type /invite @dropline there if it is.';
    case 'ekm_access_denied':
      return 'An admin of Slack has suspended posting there.';
    case 'team_access_not_granted':
      return 'The app is not allowed in the workspace that the channel belongs to. An admin of Slack can allow it.';
    default:
      return 'Only some people may post there, and I am not one of them. Whoever manages the channel can allow me to.';
  }
}

const noted = z.object({ channels: z.array(z.string()) });

/** The person who last chose the channel, according to the audit log. */
async function chooserOf({ audit }: Store, workspace: string, channel: string): Promise<string | undefined> {
  const acts = await Promise.all(['settings', 'connect'].map((act) => audit.list(workspace, { act, limit: 50 })));
  const chosen = acts.flat().filter(({ outcome, details }) => {
    const { data } = noted.safeParse(details);
    return outcome === 'done' && data?.channels.includes(channel);
  });
  return chosen.sort((one, other) => other.number - one.number)[0]?.person;
}
